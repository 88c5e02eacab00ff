import { withoutFormula } from '../../../../shared/core/formula.ts';
import { CommandError } from '../core/exit-codes.ts';
import { fieldNamed, labelIn } from '../core/field-names.ts';
import type { Options } from '../core/options.ts';
import { type Fields, isFields } from '../core/values.ts';
import type { World } from '../core/world.ts';

export const formats = ['table', 'wide', 'json', 'jsonl', 'yaml', 'csv', 'name', 'markdown'] as const;

export type Format = (typeof formats)[number];

const isFormat = (text: string): text is Format => formats.some((format) => format === text);

/** The formats of a result that is no list of objects: it has no rows and no names. */
export const formatsOfValues: readonly Format[] = formats.filter((format) => format !== 'csv' && format !== 'name');

/** How objects are shown in a table. */
export interface Layout {
  /** The kind of the objects, which the names of their fields may leave out. */
  kind?: string;
  columns: readonly string[];
  wide?: readonly string[];
  /** The output of `-o name`: `node/db-1`. */
  nameOf?: (object: Fields) => string;
}

/** A value in a cell: lists and maps in short. A control character could change what a terminal shows. */
function cell(value: unknown, none = '-'): string {
  if (typeof value === 'string' && value !== '') return value.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? none : value.map((item) => cell(item)).join(',');
  if (isFields(value)) {
    const parts = Object.entries(value).map(([name, member]) => `${name}=${cell(member)}`);
    return parts.length === 0 ? none : parts.join(',');
  }
  return none;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** The columns that a text takes on a terminal. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{Mark}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ''))));
  const pad = (text: string, index: number) => text + ' '.repeat((widths[index] ?? 0) - widthOf(text));
  return rows.map((row) => `${row.map(pad).join('   ').trimEnd()}\n`).join('');
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const csv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `${row.map((text) => quoted(withoutFormula(text))).join(',')}\n`).join('');

/** The columns of CSV: each key of a map is one, so that the text is input of `import` and `plan`. */
function csvColumns(objects: readonly Fields[], columns: readonly string[]): string[] {
  return columns.flatMap((column) => {
    const maps = objects.map((object) => valueAt(object, column)).filter(isFields);
    if (maps.length === 0) return column === 'custom_labels' ? [] : [column];
    const keys = [...new Set(maps.flatMap((map) => Object.keys(map)))].sort();
    const before = column === 'custom_labels' ? 'label' : column;
    return csvColumns(
      objects,
      keys.map((key) => `${before}.${key}`),
    );
  });
}

function markdown(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`;
  const [head = [], ...rest] = rows;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('');
}

/** Prints results in the format that the caller chose. */
export class Output {
  readonly format: Format;
  private readonly columns: readonly string[] | undefined;
  private readonly hasHead: boolean;
  private readonly world: World;
  /** The columns of the first part of a list in CSV: later parts have the same. */
  private partColumns: readonly string[] = [];

  constructor(options: Options, world: World) {
    const format = options.text('output') ?? (world.env['INVENTORY_OUTPUT'] || 'table');
    if (!isFormat(format)) throw new CommandError(`No such format: ${format}. There are: ${formats.join(', ')}.`);
    this.format = format;
    this.columns = options.text('columns')?.split(',');
    // Commander stores an option --no-x as x.
    this.hasHead = !options.isOff('headers');
    this.world = world;
  }

  /** Whether objects are rows with columns. */
  get isTable(): boolean {
    return this.isForPeople || this.format === 'csv';
  }

  /** False for formats that programs read. */
  get isForPeople(): boolean {
    return ['table', 'wide', 'markdown'].includes(this.format);
  }

  /** @throws CommandError if the result of a command has no such format. */
  check(command: string, allowed: readonly Format[]): void {
    if (!allowed.includes(this.format))
      throw new CommandError(`${command} has no format ${this.format}. There are: ${allowed.join(', ')}.`);
  }

  text(text: string): void {
    this.world.out(text);
  }

  line(text: string): void {
    this.world.out(`${text}\n`);
  }

  /** One object or value, in a format for programs. */
  async value(value: unknown): Promise<void> {
    if (this.format === 'yaml') {
      const { stringify } = await import('yaml');
      this.text(stringify(value));
    } else this.line(JSON.stringify(value, undefined, this.format === 'jsonl' ? undefined : 2));
  }

  /** Whether a column is in the table. */
  shows(column: string, layout: Layout): boolean {
    return this.columnsOf(layout).includes(column);
  }

  private columnsOf({ kind, columns, wide = columns }: Layout): readonly string[] {
    if (this.columns === undefined) return this.format === 'wide' || this.format === 'csv' ? wide : columns;
    return this.columns.map((text) => {
      const label = labelIn(text);
      if (label !== undefined && wide.includes('custom_labels')) return `label.${label}`;
      const name = fieldNamed(kind, wide, text);
      if (name !== undefined) return name;
      if (text.includes('.')) return text;
      throw new CommandError(`No such column: ${text}. There are: ${[...wide, 'label.NAME'].join(', ')}.`);
    });
  }

  private shownColumns(objects: readonly Fields[], layout: Layout, isContinued: boolean): readonly string[] {
    if (this.format !== 'csv') return this.columnsOf(layout);
    if (!isContinued) this.partColumns = csvColumns(objects, this.columnsOf(layout));
    return this.partColumns;
  }

  private rows(objects: readonly Fields[], layout: Layout, isContinued: boolean): string[][] {
    const none = this.format === 'csv' ? '' : '-';
    const columns = this.shownColumns(objects, layout, isContinued);
    const values = objects.map((object) => columns.map((column) => cell(valueAt(object, column), none)));
    // In the wide table, columns without any value are left out.
    const isShown = (index: number) =>
      this.format !== 'wide' || this.columns !== undefined || values.some((row) => row[index] !== '-');
    const keep = <Value>(row: readonly Value[]) => row.filter((_, index) => isShown(index));
    const head =
      this.format === 'table' || this.format === 'wide' ? columns.map((column) => column.toUpperCase()) : columns;
    return [...((this.hasHead && !isContinued) || this.format === 'markdown' ? [keep(head)] : []), ...values.map(keep)];
  }

  /** Objects of one kind; without the names of the columns if earlier ones were shown. */
  async list(objects: readonly Fields[], layout: Layout, isContinued = false): Promise<void> {
    switch (this.format) {
      case 'json':
      case 'yaml':
        return this.value(objects);
      case 'jsonl':
        for (const object of objects) this.line(JSON.stringify(object));
        return;
      case 'name':
        for (const object of objects) this.line(layout.nameOf?.(object) ?? cell(object[layout.columns[0] ?? '']));
        return;
      case 'csv':
        this.text(csv(this.rows(objects, layout, isContinued)));
        return;
      case 'markdown':
        this.text(markdown(this.rows(objects, layout, isContinued)));
        return;
      default:
        this.text(table(this.rows(objects, layout, isContinued)));
    }
  }

  /** One object: its fields below each other. */
  async object(object: Fields, layout: Layout): Promise<void> {
    if (this.format === 'json' || this.format === 'yaml') return this.value(object);
    if (!this.isForPeople) return this.list([object], layout);
    const rows = Object.entries(object).map(([field, value]) => ({ field, value: cell(value) }));
    await this.list(rows, { columns: ['field', 'value'] });
  }
}

/** `label.team` is the label `team`, `insights.node_ids` a field inside of another one. */
function valueAt(object: Fields, column: string): unknown {
  if (Object.hasOwn(object, column)) return object[column];
  const [label, labels] = [labelIn(column), object['custom_labels']];
  if (label !== undefined && isFields(labels)) return labels[label];
  const dot = column.indexOf('.');
  const inner = dot < 0 ? undefined : object[column.slice(0, dot)];
  return isFields(inner) ? valueAt(inner, column.slice(dot + 1)) : undefined;
}
