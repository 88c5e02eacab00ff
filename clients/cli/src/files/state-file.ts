import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { isWithin } from '../../../../functions/domain/bulk/reconcile-request.ts';
import { readText, yamlMessage } from './body-file.ts';
import { checkedState, lists, type StateFile, type StateRequest, type TableOptions } from './desired-state.ts';
import { CommandError, FileError } from '../core/exit-codes.ts';
import { desired as fieldsByType } from '../generated/objects.ts';
import { type Fields, isFields, isList } from '../core/values.ts';
import type { World } from '../core/world.ts';

const isTable = (path: string) => /\.csv$/i.test(path);

const isStateFile = (name: string) => (/\.(ya?ml|json)$/.test(name) && !name.endsWith('.schema.json')) || isTable(name);

/** The standard input as a path. */
const INPUT = '-';

/** The files at the paths; those of a folder by name. */
async function filesAt(paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    try {
      if (path === INPUT || !(await stat(path)).isDirectory()) files.push(path);
      else
        files.push(
          ...(await readdir(path))
            .filter(isStateFile)
            .sort()
            .map((name) => join(path, name)),
        );
    } catch (error) {
      throw new CommandError(error instanceof Error ? error.message : String(error));
    }
  }
  if (paths.length === 0) throw new CommandError('Name a file or a folder: -f PATH. -f - is the standard input.');
  if (files.length === 0) throw new CommandError(`There is no file (.yaml, .yml, .json, .csv) in ${paths.join(', ')}.`);
  return [...new Set(files)];
}

/** The types of the kind, with the names of their fields. */
function typesOf(list: (typeof lists)[number]): { typeField: string; types: ReadonlyMap<string, readonly string[]> } {
  const { typeField, types } = fieldsByType[list];
  return { typeField, types: new Map<string, readonly string[]>(Object.entries(types)) };
}

/** The object with the defaults of the file that its type has; labels are merged by name. */
function withDefaults(object: unknown, defaults: Fields, list: (typeof lists)[number]): unknown {
  if (!isFields(object)) return object;
  const { typeField, types } = typesOf(list);
  const typeFields = types.get(String(object[typeField])) ?? [];
  const usable = Object.entries(defaults).filter(([name]) => typeFields.includes(name));
  const { custom_labels: labels } = defaults;
  const objectLabels = object['custom_labels'] ?? {};
  const merged = isFields(labels) && isFields(objectLabels) ? { custom_labels: { ...labels, ...objectLabels } } : {};
  return { ...Object.fromEntries(usable), ...object, ...merged };
}

interface YamlFile {
  value: unknown;
  positionOf: (path: readonly (string | number)[]) => string;
}

/** The place of the first alias without an anchor; otherwise the start of the file. */
function offsetOfFirstFault(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      offset = alias.range?.[0] ?? offset;
      return visit.BREAK;
    },
  });
  return offset;
}

/** The places of merge keys. YAML 1.2 has none, and `defaults` states common fields without them. */
function mergeKeysIn(document: Document): number[] {
  const places: number[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') places.push(key.range?.[0] ?? 0);
    },
  });
  return places;
}

/** @throws FileError with all errors of the syntax, each in its line. */
function parseYaml(text: string, path: string): YamlFile {
  const lines = new LineCounter();
  const document: Document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new FileError(document.errors.map((error) => `${at(error.pos[0])} ${yamlMessage(error)}`).join('\n'));
  const merged = mergeKeysIn(document);
  if (merged.length > 0)
    throw new FileError(
      merged
        .map((place) => `${at(place)} Merge keys (<<) are not supported: state common fields under defaults.`)
        .join('\n'),
    );
  const positionOf = (given: readonly (string | number)[]): string => {
    // An absent field is at its object.
    for (let length = given.length; length >= 0; length -= 1) {
      const yamlNode: unknown = length === 0 ? document.contents : document.getIn(given.slice(0, length), true);
      if (isNode(yamlNode) && yamlNode.range) return at(yamlNode.range[0]);
    }
    return at(0);
  };
  try {
    return { value: document.toJS({ maxAliasCount: 1000 }), positionOf };
  } catch (error) {
    // An alias without its anchor, or more aliases than a file needs.
    const [message, offset] = [error instanceof Error ? error.message : String(error), offsetOfFirstFault(document)];
    throw new FileError(`${at(offset)} ${message}`);
  }
}

const topFields = ['scope', 'defaults', ...lists];

/** `nodes.3.address` as `nodes[3].address`. */
const shownPath = (path: readonly string[]) => path.join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');

/** The path in the file of a path in the request. */
function pathInFile(field: string): string[] {
  const [first = '', ...rest] = field.split('.');
  if (first === 'desired') return rest;
  return first === 'max_removals_percent' ? ['scope', first] : [first, ...rest];
}

function requestOf(value: Fields, refuse: (path: readonly string[], message: string) => void): StateRequest {
  for (const name of Object.keys(value)) if (!topFields.includes(name)) refuse([name], 'Unknown field.');
  const { scope = {}, defaults = {} } = value;
  if (!isFields(defaults)) refuse(['defaults'], 'Must be an object.');
  const { max_removals_percent: percent, ...rest } = isFields(scope) ? scope : {};
  const fieldNames = new Set(lists.flatMap((list) => [...typesOf(list).types.values()].flat()));
  for (const name of Object.keys(isFields(defaults) ? defaults : {}))
    if (!fieldNames.has(name)) refuse(['defaults', name], 'No object has this field.');
  const complete = (list: (typeof lists)[number]): unknown => {
    const { [list]: objects = [] } = value;
    if (!isList(objects)) return objects;
    return objects.map((object) => withDefaults(object, isFields(defaults) ? defaults : {}, list));
  };
  const request: Fields = {
    scope: isFields(scope) ? rest : scope,
    desired: Object.fromEntries(lists.map((list) => [list, complete(list)])),
    ...(percent === undefined ? {} : { max_removals_percent: percent }),
  };
  return request;
}

/**
 * The desired state in a text, checked with the rules of the server.
 *
 * @param complete may add to the request, before it is checked.
 * @throws FileError with a line for each violation.
 */
export function parseState(
  text: string,
  path: string,
  complete: (request: StateRequest) => StateRequest = (request) => request,
): StateFile {
  const { value, positionOf } = parseYaml(text, path);
  const place = (given: readonly string[]) => {
    const keys = given.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    return `${positionOf(keys)} ${shownPath(given)}`;
  };
  if (!isFields(value))
    throw new FileError(`${positionOf([])} Must be an object with scope and nodes, services, agents.`);
  const wrong: string[] = [];
  const refuse = (given: readonly string[], message: string) => wrong.push(`${place(given)}: ${message}`);
  const request = complete(requestOf(value, refuse));
  return checkedState(path, request, (field) => place(pathInFile(field)), wrong);
}

/** @throws FileError if an object of one file is in the scope of another one: the two would undo each other. */
function checkOverlaps(files: readonly StateFile[]): void {
  for (const file of files)
    for (const other of files) {
      if (file === other || other.parsed.scope === undefined) continue;
      const { scope } = other.parsed;
      const { nodes = [], services = [] } = file.parsed.desired ?? {};
      const node = nodes.findIndex((candidate) => isWithin(scope, 'node', candidate));
      const service = services.findIndex((candidate) => isWithin(scope, 'service', candidate));
      const [list, index] = node < 0 ? ['services', service] : ['nodes', node];
      if (index < 0) continue;
      throw new FileError(`${file.placeOf(`desired.${list}.${index}`)}: Is in the scope of ${other.path} too.`);
    }
}

/**
 * All files at the paths, which are valid and have disjoint scopes. Those in CSV are one desired state, with the scope of the options.
 *
 * @throws FileError with every error of every file.
 */
export async function readStateFiles(
  paths: readonly string[],
  world: World,
  options: TableOptions = {},
): Promise<StateFile[]> {
  const files: StateFile[] = [];
  const wrong: string[] = [];
  const read = async (act: () => Promise<StateFile>) => {
    try {
      files.push(await act());
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      wrong.push(error.message);
    }
  };
  const all = await filesAt(paths);
  const tables = all.filter(isTable);
  for (const path of all)
    if (!isTable(path))
      await read(async () => parseState(await readText(path, world), path === INPUT ? 'stdin' : path));
  if (tables.length > 0) await read(async () => (await import('./csv/state.ts')).readTables(tables, options));
  else if (options.scope !== undefined)
    throw new CommandError('--selector and --prefix are the scope of files in CSV.');
  if (wrong.length > 0) throw new FileError(wrong.join('\n'));
  checkOverlaps(files);
  return files;
}
