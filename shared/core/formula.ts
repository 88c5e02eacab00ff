/** Signs with which spreadsheets begin a formula, in both widths, and white space that they skip before one. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** The text of a cell of CSV: one that a spreadsheet would execute as a formula begins with an apostrophe. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);
