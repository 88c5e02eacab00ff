import { createContext, Fragment, use } from 'react';
import { partsOf } from './word-parts.ts';

/** Room for an IPv6 address with a port. Longer words break anywhere, as a column cannot be wide enough for them. */
const MAX_WHOLE = 48;

/** Whether texts stay on one line. */
export const OneLineContext = createContext(false);

/** Texts from this number of characters on are cut in the middle: of many names the end differs. */
const MIN_CUT = 16;
const MAX_END = 12;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The part of a text that gives way in a narrow column, and the end, which stays. */
export function cutParts(text: string): [start: string, end: string] {
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  const end = parts.length < MIN_CUT ? 0 : Math.min(MAX_END, Math.floor(parts.length / 2));
  return [parts.slice(0, parts.length - end).join(''), parts.slice(parts.length - end).join('')];
}

/** A text on one line, which is cut in the middle. */
function OneLine({ text }: { text: string }) {
  const [start, end] = cutParts(text);
  if (end === '') return <bdi title={text}>{text}</bdi>;
  return (
    <bdi className="cut" title={text}>
      <span>{start}</span>
      <span>{end}</span>
    </bdi>
  );
}

/**
 * A name or an address in a column: lines end at a space, after a hyphen or a label of a host name, as far as there can be
 * room for that. Its direction of writing is its own.
 */
export function Words({ text }: { text: string }) {
  const isOneLine = use(OneLineContext);
  if (isOneLine) return <OneLine text={text} />;
  const parts = partsOf(text);
  const isWhole = parts.every((part) => part.split(/[\s-]+/).every((word) => word.length <= MAX_WHOLE));
  return (
    <bdi className={isWhole ? 'whole-words' : 'any-word'} title={text}>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
