/** In pixels, of the font of tables: what a character takes, besides those of usual width. */
const characters: readonly (readonly [string, number])[] = [
  ["ijl.:;,|'!", 4],
  ['frt-_/()[] ', 6],
  ['mwMW@%', 12],
];
const USUAL_CHARACTER = 8.4;

const widthByCharacter = new Map(
  characters.flatMap(([all, width]) => Array.from(all, (character) => [character, width] as const)),
);

/** About the width of a text in a cell, in pixels. Nothing is measured, so that no text need be drawn before. */
export const textWidth = (text: string): number =>
  Math.ceil(Array.from(text).reduce((sum, character) => sum + (widthByCharacter.get(character) ?? USUAL_CHARACTER), 0));

/** The borders and paddings of a cell, and of a header with its arrow. */
const CELL_PADDING = 34;
const HEADER_PADDING = 54;

interface MeasuredColumn<T> {
  header: string;
  /** The width of a column whose texts are loaded after the rows, in pixels. */
  width?: number;
  /** The text of a cell. */
  textOf?: (item: T) => string;
  /** The width of what stands beside the text, in pixels. */
  besideText?: number;
}

/** The widths of columns that show whole texts. @param least of each column: its header. */
function naturalWidths<T>(columns: readonly MeasuredColumn<T>[], items: readonly T[]) {
  return columns.map(({ header, width = 0, textOf, besideText = 0 }) => {
    const least = textWidth(header) + HEADER_PADDING;
    const texts = textOf === undefined ? [] : items.map((item) => textWidth(textOf(item)) + besideText + CELL_PADDING);
    return { least, natural: Math.max(least, ...(texts.length > 0 ? texts : [width])) };
  });
}

/**
 * The widths of columns by the texts of a page. If there is no room for all texts, the widest columns become narrower, to one
 * width: their texts are cut.
 */
export function columnWidths<T>(columns: readonly MeasuredColumn<T>[], items: readonly T[], room: number): number[] {
  const widths = naturalWidths(columns, items);
  const sumWith = (limit: number) =>
    widths.reduce((sum, { least, natural }) => sum + Math.max(least, Math.min(natural, limit)), 0);
  // The width from which on texts are cut, by halving.
  let [low, high] = [0, Math.max(0, ...widths.map(({ natural }) => natural))];
  if (sumWith(high) <= room) low = high;
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (sumWith(middle) <= room) low = middle;
    else high = middle;
  }
  return widths.map(({ least, natural }) => Math.floor(Math.max(least, Math.min(natural, low))));
}
