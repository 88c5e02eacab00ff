import { readFile } from 'node:fs/promises';
import { desiredObjects } from '../../../../../functions/domain/bulk/reconcile-request.ts';
import { CommandError, FileError } from '../../core/exit-codes.ts';
import { checkedState, type StateFile, type StateRequest, type TableOptions } from '../desired-state.ts';
import type { Fields } from '../../core/values.ts';
import { defaultsOf, type ListName, type ObjectRow, type ObjectTable, readObjects } from './object-rows.ts';
import { decoded } from './table.ts';

/** All tables, with the errors of each. @throws FileError */
export function parseTables(
  texts: readonly { path: string; text: string }[],
  defaults: readonly string[],
): ObjectTable[] {
  const tables: ObjectTable[] = [];
  const wrong: string[] = [];
  const given = defaultsOf(defaults);
  for (const { path, text } of texts)
    try {
      tables.push(readObjects(text, path, given));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      wrong.push(error.message);
    }
  if (wrong.length > 0) throw new FileError(wrong.join('\n'));
  return tables;
}

/** @throws CommandError if the file cannot be read, or is in another encoding. */
export async function readTableFile(path: string): Promise<{ path: string; text: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
  return { path, text: decoded(bytes, path) };
}

/** The place of a path such as `desired.nodes.3.address`: `hosts.csv:5:2 address`. */
export function placeIn(rows: Readonly<Record<ListName, readonly ObjectRow[]>>, fallback: string) {
  return (field: string): string => {
    const [, list, index, inner = ''] = /^desired\.(nodes|services|agents)\.(\d+)(?:\.(.*))?$/.exec(field) ?? [];
    const row = list === 'nodes' || list === 'services' || list === 'agents' ? rows[list][Number(index)] : undefined;
    return row === undefined ? `${fallback} ${field}` : `${row.placeOf(inner)} ${inner}`.trim();
  };
}

/** The rows of each list, in the order of the files. */
export const rowsByList = (tables: readonly ObjectTable[]): Record<ListName, ObjectRow[]> => {
  const of = (list: ListName) => tables.flatMap((table) => (table.list === list ? table.objects : []));
  return { nodes: of('nodes'), services: of('services'), agents: of('agents') };
};

/** A request with these objects. */
export const requestOf = (rows: Readonly<Record<ListName, readonly { object: object }[]>>): StateRequest => {
  const desired: Fields = Object.fromEntries(
    Object.entries(rows).map(([list, objects]) => [list, objects.map(({ object }) => object)]),
  );
  return { desired };
};

/** Files in CSV as one desired state. @throws FileError with the errors of all files. */
export async function readTables(paths: readonly string[], options: TableOptions): Promise<StateFile> {
  const { scope, defaults = [], isLint = false } = options;
  const path = paths.join(', ');
  if (scope === undefined && !isLint)
    throw new FileError(
      `${path}: Files in CSV have no scope. Give it with --selector or --prefix, or use inventory import, which removes nothing.`,
    );
  const rows = rowsByList(parseTables(await Promise.all(paths.map(readTableFile)), defaults));
  const request = { ...(scope === undefined ? {} : { scope }), ...requestOf(rows) };
  return checkedState(path, request, placeIn(rows, path), [], scope === undefined ? desiredObjects : undefined);
}
