import Papa from 'papaparse';
import { withoutFormula } from '../../shared/core/formula.ts';

type Plain = Readonly<Record<string, unknown>>;

/** The fields of an object by name, with the name of the group before fields of a group: `custom_labels.team`. */
function flat(object: Plain, before = ''): [string, string][] {
  return Object.entries(object).flatMap(([name, value]): [string, string][] => {
    const path = before + name;
    if (Array.isArray(value)) return [[path, value.map(String).join(' ')]];
    if (typeof value === 'object' && value !== null) return flat(Object.fromEntries(Object.entries(value)), `${path}.`);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[path, String(value)]]
      : [];
  });
}

/**
 * Objects as CSV by RFC 4180, with a header. Lists are separated by spaces. A value that a spreadsheet would execute as
 * a formula begins with an apostrophe.
 */
export function toCsv(objects: readonly object[]): string {
  const rows = objects.map((object) =>
    Object.fromEntries(
      flat(Object.fromEntries(Object.entries(object))).map(([path, text]) => [path, withoutFormula(text)]),
    ),
  );
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return `${Papa.unparse(rows, { columns })}\r\n`;
}
