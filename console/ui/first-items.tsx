import type { ReactNode } from 'react';
import { numberText } from './words.ts';

interface NameProps {
  /** For example `node`. */
  kind: string;
  name: ReactNode;
}

export const KindAndName = ({ kind, name }: NameProps) => (
  <>
    {kind}{' '}
    <b>
      <bdi className="any-word">{name}</bdi>
    </b>
  </>
);

interface Props {
  items: readonly ReactNode[];
  /** Number of items in all. */
  total?: number;
  /** Maximum number of items that are shown. */
  max?: number;
}

/** The first items of a list, and the number of the others. */
export function FirstItems({ items, total = items.length, max = 10 }: Props) {
  const more = total - Math.min(items.length, max);
  return (
    <ul className="named">
      {items.slice(0, max).map((item, index) => (
        <li key={index}>{item}</li>
      ))}
      {more > 0 && <li>and {numberText(more)} more</li>}
    </ul>
  );
}
