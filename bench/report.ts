type Cell = string | number;

function shown(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return Number.isInteger(cell) ? cell.toLocaleString('en') : cell.toFixed(cell < 10 ? 2 : 1);
}

/** A table in Markdown, columns aligned so that it reads in a terminal too. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [head, ...rows.map((row) => row.map(shown))];
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const widths = head.map((_, column) => Math.max(3, ...texts.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (isNumber[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    isNumber[column] === true ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  const [first = [], ...others] = texts;
  return [line(first), line(rule), ...others.map(line)].join('\n');
}

export const ratio = (value: number) => `${value.toFixed(2)}x`;

/** Whether a target is met, with the target. */
export function verdict(value: number, most: number, unit = 'x'): string {
  return `${value <= most ? 'met' : 'MISSED'} (<= ${most}${unit})`;
}
