import { withFormula } from '../../../../../shared/core/formula.ts';
import { type BodyField, fieldsOfBody, setAt, valueOfText } from '../../command/body-flags.ts';
import { CommandError, FileError } from '../../core/exit-codes.ts';
import { fieldNamed, labelIn } from '../../core/field-names.ts';
import { desired } from '../../generated/objects.ts';
import { type KindName, kindNames, layoutOf, operationsOf } from '../../objects/objects.ts';
import { type Fields, isFields, pairOf } from '../../core/values.ts';
import { readTable, type Table, type TableRow } from './table.ts';

export type ListName = keyof typeof desired;

/** An object of a table. */
export interface ObjectRow {
  row: TableRow;
  /** The values of its cells, as desired-state files have them: with the names of other objects. */
  given: Fields;
  /** The same with the defaults. */
  object: Fields;
  /** The place of a field of it, such as `hosts.csv:3:5`: line and column; an absent field is at the start of the line. */
  placeOf: (field: string) => string;
}

export interface ObjectTable {
  table: Table;
  kind: KindName;
  list: ListName;
  objects: ObjectRow[];
}

/** A column that gives a field or a label of the objects. */
interface Column {
  path: string;
  valueOf: (text: string) => unknown;
}

/** The fields with names of other objects, and the fields of the API with their ids. */
const namesOfIds = new Map([
  ['node_ids', 'node_names'],
  ['runs_on_node_id', 'runs_on_node_name'],
  ['pmm_agent_id', 'runs_on_node_name'],
  ['insights.node_ids', 'insights.node_names'],
  ['insights.service_ids', 'insights.service_names'],
]);

/** The fields that a table of a kind can give. */
function fieldsOf(kind: KindName): BodyField[] {
  const fields = fieldsOfBody(kind);
  const named = fields.flatMap(({ path, ...field }) => {
    const name = namesOfIds.get(path);
    return path === 'pmm_agent_id' || name === undefined ? [] : [{ ...field, path: name }];
  });
  return [...fields.filter(({ path }) => !namesOfIds.has(path)), ...named];
}

/** A value in a cell. Items of a list are separated by commas; spreadsheets write TRUE. */
function valueIn(field: BodyField, text: string): unknown {
  if (field.type === 'flag') return valueOfText(field, text.trim().toLowerCase());
  if (field.type === 'list') return text.split(',').map((item) => item.trim());
  return valueOfText(field, text);
}

/** A name as the API writes it: `Node name` is `node_name`. */
const inSmall = (name: string) => name.toLowerCase().replace(/\s+/g, '_');

const named = (kind: KindName, names: readonly string[], text: string) =>
  fieldNamed(kind, names, text) ?? fieldNamed(kind, names, inSmall(text));

/** The column of this name; undefined if the server keeps what it has. @throws CommandError if there is no such field. */
function columnOf(kind: KindName, name: string, all: readonly string[]): Column | undefined {
  const label = labelIn(name);
  if (label !== undefined) return { path: `custom_labels.${label}`, valueOf: (text) => text };
  const fields = fieldsOf(kind);
  const path = named(
    kind,
    fields.map((field) => field.path),
    name,
  );
  const field = fields.find((candidate) => candidate.path === path);
  if (field !== undefined) return { path: field.path, valueOf: (text) => valueIn(field, text) };
  const id = named(kind, [...namesOfIds.keys()], name);
  const other = namesOfIds.get(id ?? '');
  // The output of `get` has both.
  if (other !== undefined && !all.includes(other)) throw new CommandError(`Give names: ${other}.`);
  const { wide = [] } = layoutOf(operationsOf(kind).items);
  if (other !== undefined || named(kind, wide, name) !== undefined) return undefined;
  const fieldNames = [...fields.map((field) => field.path), 'label.NAME'];
  throw new CommandError(`No field of a ${kind}. There are: ${fieldNames.join(', ')}.`);
}

const typesOf = (list: ListName) => Object.keys(desired[list].types);

const listOfKind = (kind: KindName): ListName => `${kind}s`;

/** The kind of the objects: that of a name or type in the head, or else of a default type, or else of the type of the first row. */
function kindOfTable({ path, head, rows }: Table, defaults: ReadonlyMap<string, string>): KindName {
  const names = head.cells.map((name) => inSmall(name.trim()));
  const kindIn = (all: readonly string[]) =>
    // Agents have the names of nodes too.
    kindNames
      .toReversed()
      .find((kind) => all.some((column) => [`${kind}_type`, `${kind}_name`].includes(column.replaceAll('-', '_'))));
  // Defaults are those of several tables.
  const named = kindIn(names) ?? kindIn([...defaults.keys()]);
  if (named !== undefined) return named;
  // The type of a row can be wrong.
  const types = new Set([...rows.map(({ cells }) => cells[names.indexOf('type')]), defaults.get('type')]);
  const typed = kindNames.find((kind) => typesOf(listOfKind(kind)).some((type) => types.has(type)));
  if (typed !== undefined) return typed;
  throw new FileError(
    `${path}:${head.line} The kind of the objects is unknown: name a column node_name, service_name or agent_type, or give a type: a column type, or --default type=generic.`,
  );
}

type ColumnError = (column: number, message: string) => void;

/** The columns of a table; undefined for those that are left out. */
function columnsOf(kind: KindName, { head, rows }: Table, refuse: ColumnError): (Column | undefined)[] {
  const paths = head.cells.map((name) => namedField(kind, name.trim()));
  return head.cells.map((cell, index) => {
    const name = cell.trim();
    if (name === '') {
      if (rows.some(({ cells }) => (cells[index] ?? '').trim() !== '')) refuse(index, 'The column has no name.');
      return undefined;
    }
    try {
      const column = columnOf(kind, name, paths);
      if (column !== undefined && paths.indexOf(column.path) < index) refuse(index, `${name}: Duplicate.`);
      return column;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      refuse(index, `${name}: ${error.message}`);
      return undefined;
    }
  });
}

/** The path of the field or label with this name; empty if there is none. */
function namedField(kind: KindName, name: string): string {
  const label = labelIn(name);
  const paths = fieldsOf(kind).map((field) => field.path);
  return label === undefined ? (named(kind, paths, name) ?? '') : `custom_labels.${label}`;
}

/** The values that rows have for empty cells, by their fields. @throws CommandError if no kind has a field. */
export function defaultsOf(texts: readonly string[]): Map<string, string> {
  const pairs = texts.map((text) => pairOf(text, () => new CommandError(`--default is no field=value: ${text}`)));
  for (const [name] of pairs)
    if (kindNames.every((kind) => namedField(kind, name) === ''))
      throw new CommandError(`--default: no object has a field ${name}.`);
  return new Map(pairs);
}

/** The defaults that a kind has. A default type is of one kind. */
function defaultColumns(kind: KindName, defaults: ReadonlyMap<string, string>): [Column, string][] {
  return [...defaults].flatMap(([name, text]): [Column, string][] => {
    const path = namedField(kind, name);
    const isOther = path === `${kind}_type` && !typesOf(listOfKind(kind)).includes(text);
    const column = path === '' || isOther ? undefined : columnOf(kind, name, [path]);
    return column === undefined ? [] : [[column, text]];
  });
}

/** The fields that a type of objects has; all for an unknown type. */
function hasField(kind: KindName, object: Fields, path: string): boolean {
  const { typeField, types } = desired[listOfKind(kind)];
  const fields = new Map<string, readonly string[]>(Object.entries(types)).get(String(object[typeField]));
  return fields?.includes(path.replace(/\..*$/, '')) ?? true;
}

/**
 * The objects of a table whose head names fields and labels (`label.team`). An empty cell gives no value. Columns that the output of
 * `get` has besides, such as ids and times, are left out.
 *
 * @param defaults values of empty cells, by the names of fields.
 * @throws FileError with the line and the column of each unknown name and each value of a wrong type.
 */
export function readObjects(text: string, path: string, defaults: ReadonlyMap<string, string>): ObjectTable {
  const table = readTable(text, path);
  const kind = kindOfTable(table, defaults);
  const wrong: string[] = [];
  const place = (line: number, column: number) => `${path}:${line}:${column + 1}`;
  const columns = columnsOf(kind, table, (column, message) =>
    wrong.push(`${place(table.head.line, column)} ${message}`),
  );
  const added = defaultColumns(kind, defaults);
  const objects = table.rows.map((row): ObjectRow => {
    const given: Fields = {};
    const set = (object: Fields, { path: field, valueOf }: Column, cell: string, column: number) => {
      try {
        setLabelOrField(object, field, valueOf(cell));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        wrong.push(`${place(row.line, column)} ${error.message}`);
      }
    };
    for (const [index, text] of row.cells.entries()) {
      const [column, cell] = [columns[index], withFormula(text)];
      if (column !== undefined && cell !== '') set(given, column, cell, index);
    }
    const object = structuredClone(given);
    const isType = ([column]: [Column, string]) => column.path === `${kind}_type`;
    for (const [column, value] of added.toSorted((left, right) => Number(isType(right)) - Number(isType(left))))
      if (!hasValue(object, column.path) && hasField(kind, object, column.path)) set(object, column, value, 0);
    const placeOf = (field: string) => {
      const index = columns.findIndex(
        (column) => column !== undefined && (field === column.path || field.startsWith(`${column.path}.`)),
      );
      return place(row.line, Math.max(index, 0));
    };
    return { row, given, object, placeOf };
  });
  if (wrong.length > 0) throw new FileError(wrong.join('\n'));
  return { table, kind, list: listOfKind(kind), objects };
}

/** The name of a label can have dots. */
const labelOfPath = (path: string) =>
  path.startsWith('custom_labels.') ? path.slice('custom_labels.'.length) : undefined;

function setLabelOrField(object: Fields, path: string, value: unknown): void {
  const label = labelOfPath(path);
  const labels = object['custom_labels'];
  if (label === undefined) setAt(object, path, value);
  else object['custom_labels'] = { ...(isFields(labels) ? labels : {}), [label]: value };
}

function hasValue(object: Fields, path: string): boolean {
  const label = labelOfPath(path);
  const [first = '', second] = label === undefined ? path.split('.') : ['custom_labels', label];
  const value = object[first];
  return second === undefined ? value !== undefined : isFields(value) && value[second] !== undefined;
}
