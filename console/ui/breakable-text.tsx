import { createContext, Fragment, use } from 'react';
import { partsOf } from './word-parts.ts';

/** Room for an IPv6 address with a port. Longer words break anywhere, as a column cannot be wide enough for them. */
const MAX_WHOLE = 48;

/** Whether texts stay on one line. */
export const OneLineContext = createContext(false);

/**
 * A name or an address in a column: lines end at a space, after a hyphen or a label of a host name, as far as there can be
 * room for that.
 */
export function Words({ text }: { text: string }) {
  const isOneLine = use(OneLineContext);
  if (isOneLine) return <span title={text}>{text}</span>;
  const parts = partsOf(text);
  const isWhole = parts.every((part) => part.split(/[\s-]+/).every((word) => word.length <= MAX_WHOLE));
  return (
    <span className={isWhole ? 'whole-words' : 'any-word'} title={text}>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
