/** Signs with which spreadsheets begin a formula, in both widths, and white space that they skip before one. */
const SIGN = String.raw`[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]`;

/** A formula, or what stands for one in CSV. */
const FORMULA = new RegExp(`^'*${SIGN}`);

const WRITTEN = new RegExp(`^'+${SIGN}`);

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** The text of a cell of CSV: one that a spreadsheet would execute as a formula begins with an apostrophe. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/** The text that a cell of CSV stands for: the inverse of `withoutFormula`. */
export const withFormula = (cell: string): string => (WRITTEN.test(cell) ? cell.slice(1) : cell);
