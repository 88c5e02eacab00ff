/** Bodies with one JSON value per line. */

/** The values of the field `lines`, which is taken from the fields. */
export function textOfLines(fields: Map<string, unknown>): string {
  const values = fields.get('lines');
  fields.delete('lines');
  return Array.isArray(values) ? values.map((value) => `${JSON.stringify(value)}\n`).join('') : '';
}

/** The fields of the last line, with the values of the others as `lines`. @throws SyntaxError if a part is missing. */
export function valueOfLines(text: string): unknown {
  const values: unknown = JSON.parse(`[${text.trim().replaceAll('\n', ',')}]`);
  const end: unknown = Array.isArray(values) ? values.pop() : undefined;
  if (typeof end !== 'object' || end === null || !('kind' in end) || end.kind !== 'end')
    throw new SyntaxError('The last line is missing.');
  return { ...end, lines: values };
}
