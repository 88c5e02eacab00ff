type Cell = string | number;

/** A number with the digits that say something. */
export function figure(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
}

const shown = (cell: Cell) => (typeof cell === 'string' ? cell : figure(cell));

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
