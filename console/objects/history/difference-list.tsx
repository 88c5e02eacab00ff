import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { type Difference, ownPart, stateFields } from '../../model/differences.ts';
import { StateValue } from '../cells/agent-status.tsx';
import { Moment } from '../../ui/moment.tsx';
import { LinksByKind } from '../cells/object-link.tsx';
import { valueText } from '../../ui/value-text.ts';

/** One of the two values of a difference. */
export function valueOf({ path, target }: Pick<Difference, 'path' | 'target'>, value: unknown): ReactNode {
  if (stateFields.includes(path)) return <StateValue field={path} value={value} />;
  if (path.endsWith('_at') && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return <Moment time={value} exact />;
  if (target !== undefined) {
    const ids = [value].flat().filter((id) => typeof id === 'string');
    return <LinksByKind kind={target} ids={ids} />;
  }
  return <bdi className="any-word">{value === '' ? '(empty)' : valueText(value)}</bdi>;
}

/** The removed and the added value. A sign marks a single one. */
function Sides({ difference }: { difference: Difference }) {
  const before = ownPart(difference.before, difference.after);
  const after = ownPart(difference.after, difference.before);
  const isBoth = before !== undefined && after !== undefined;
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {before !== undefined && (
        <del className="went">
          {!isBoth && <span>−</span>}
          {valueOf(difference, before)}
        </del>
      )}
      {isBoth && (
        <span role="img" aria-label="became">
          →
        </span>
      )}
      {after !== undefined && (
        <ins className="came">
          {!isBoth && <span>+</span>}
          {valueOf(difference, after)}
        </ins>
      )}
    </SpaceBetween>
  );
}

interface Props {
  differences: readonly Difference[];
  /** Whether the whole object was added or removed: each field then has one side, without a sign. */
  whole?: boolean;
}

/** The past or planned change of each field, with the removed and added values. */
export function DifferenceList({ differences, whole = false }: Props) {
  return (
    <dl className="differences">
      {differences.map((difference) => (
        <div key={difference.path}>
          <dt className="any-word">{difference.label}</dt>
          <dd>
            {whole ? valueOf(difference, difference.after ?? difference.before) : <Sides difference={difference} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
