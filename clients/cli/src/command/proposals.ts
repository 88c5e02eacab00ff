import { type BodyField, bodyField, fieldsOfBody, fieldsOfChange } from './body-flags.ts';
import type { CommandCall, CommandSpec, OptionSpec } from './command.ts';
import { readConfig } from '../connection/config.ts';
import type { lists } from '../generated/lists.ts';
import { states } from '../objects/groups.ts';
import { kindsByField } from '../objects/names.ts';
import { kindNames, kindOf, type KindName, layoutOf, listOf, operationsOf, readList } from '../objects/objects.ts';

/** The word at the cursor, and its place. */
export interface Cursor {
  /** Undefined before there is one. */
  command: CommandSpec | undefined;
  /** The arguments of the command before the word. */
  args: readonly string[];
  word: string;
  call: CommandCall;
}

type Proposals = readonly string[] | Promise<readonly string[]>;

/** The most names that are read. */
const MAX_NAMES = 100;

const agentTypes = fieldsOfBody('agent').find(({ path }) => path === 'agent_type')?.words ?? [];

async function namesOf(kind: KindName, prefix: string, { connect }: CommandCall): Promise<string[]> {
  if (kind === 'agent') return [];
  const { items } = operationsOf(kind);
  const objects = await readList(await connect(), items, prefix === '' ? {} : { name_prefix: prefix }, MAX_NAMES);
  return objects.map((object) => String(object[`${kind}_name`]));
}

const contextsIn = async ({ world }: CommandCall) => Object.keys((await readConfig(world)).contexts);

/** Proposals for the last part of a list with commas, with the parts before it. */
async function lastOfList(word: string, proposalsFor: (part: string) => Proposals): Promise<string[]> {
  const start = word.lastIndexOf(',') + 1;
  return (await proposalsFor(word.slice(start))).map((proposal) => word.slice(0, start) + proposal);
}

/** Proposals for `name=value`: names, or values of the name that is complete. */
async function assignment(
  word: string,
  names: readonly string[],
  valuesOf: (name: string, value: string) => Proposals,
): Promise<string[]> {
  const start = word.indexOf('=') + 1;
  if (start === 0) return names.map((name) => `${name}=`);
  return (await valuesOf(word.slice(0, start - 1), word.slice(start))).map(
    (proposal) => word.slice(0, start) + proposal,
  );
}

/** The kind of the objects whose ids or names a field or filter has. A pmm_agent is named by its node. */
function kindIn(field: string): 'node' | 'service' | undefined {
  const last = field.replace(/^.*\./, '');
  return (
    kindsByField.get(last) ??
    (last === 'pmm_agent_id' || last === 'node_id' ? 'node' : last === 'service_id' ? 'service' : undefined)
  );
}

/** The names of fields without the kind at their start: `model` of a node. */
const shortNames = (kind: KindName, fields: readonly BodyField[]) =>
  fields.map(({ path }) => path.replace(new RegExp(`^${kind}_`), ''));

/** Values of a field of a body. */
function fieldValues(kind: KindName, name: string, value: string, call: CommandCall): Proposals {
  const field = bodyField(kind, name);
  const other = field === undefined ? undefined : kindIn(field.path);
  if (other !== undefined) return lastOfList(value, (part) => namesOf(other, part, call));
  return field?.type === 'flag' ? ['true', 'false'] : (field?.words ?? []);
}

/** The kind of the objects of a command: of its name (`add node`), or of its first argument. */
const kindOfCommand = ({ command, args }: Cursor): KindName | undefined =>
  kindOf(command?.name.split(' ')[1] ?? '') ?? kindOf(args[0]?.replace(/\/.*$/, '') ?? '');

/** Values of the filters of a list. */
function filterValues(items: keyof typeof lists, name: string, value: string, call: CommandCall): Proposals {
  const kind = kindIn(name);
  if (kind !== undefined) return lastOfList(value, (part) => namesOf(kind, part, call));
  const filter = listOf(items).filters.find((candidate) => candidate.name === name);
  return filter !== undefined && 'words' in filter ? filter.words : [];
}

/** Proposals for the value of an option. */
export function valuesOfOption({ flags, words }: OptionSpec, cursor: Cursor): Proposals {
  const { args, word, call } = cursor;
  if (words !== undefined) return words;
  const [, flag = ''] = /--([\w-]+)/.exec(flags) ?? [];
  const kind = kindOfCommand(cursor);
  const items = kind !== undefined ? operationsOf(kind).items : args[0] === 'clusters' ? args[0] : undefined;
  switch (flag) {
    case 'context':
      return contextsIn(call);
    case 'state':
      return lastOfList(word, () => states);
    case 'kinds':
      return lastOfList(word, () => [...kindNames, 'state']);
    case 'for':
      return kind === undefined
        ? []
        : [...states, 'removed', ...shortNames(kind, fieldsOfBody(kind)).map((name) => `${name}=`)];
    case 'filter': {
      if (items === undefined) return [];
      const names = listOf(items).filters.map(({ name }) => name);
      return assignment(word, names, (name, value) => filterValues(items, name, value, call));
    }
    case 'columns':
      return items === undefined ? [] : lastOfList(word, () => [...(layoutOf(items).wide ?? []), 'label.']);
    default:
      return kind === undefined || bodyField(kind, flag) === undefined ? [] : fieldValues(kind, flag, word, call);
  }
}

/** Words of an agent after its type: `of orders on db-1`. */
async function agentWords(args: readonly string[], word: string, call: CommandCall): Promise<readonly string[]> {
  const last = args.at(-1);
  if (last === 'on') return namesOf('node', word, call);
  if (last === 'of') return [...(await namesOf('service', word, call)), ...(await namesOf('node', word, call))];
  return ['of', 'on'].filter((keyword) => !args.includes(keyword));
}

/** Objects in the form that the words before them have: `node/db-1`, or `db-1` after `node`. */
async function objectsFor({ args, word, call }: Cursor): Promise<readonly string[]> {
  const kind = kindOf(args[0] ?? '');
  if (kind === 'agent') return args.length === 1 ? agentTypes : agentWords(args.slice(2), word, call);
  if (kind !== undefined) return namesOf(kind, word, call);
  const slash = word.indexOf('/');
  const given = word.includes('/') ? kindOf(word.slice(0, slash)) : undefined;
  if (given === undefined) return kindNames.map((kindName) => `${kindName}/`);
  return (await namesOf(given, word.slice(slash + 1), call)).map((name) => word.slice(0, slash + 1) + name);
}

/** Whether the arguments of a command with one object have it. */
const hasObject = ([first = '', second]: readonly string[]) => first.includes('/') || second !== undefined;

/** Fields of the object that the arguments name, with an equals sign. */
async function changesOf(cursor: Cursor): Promise<readonly string[]> {
  const { args, word, call } = cursor;
  const kind = kindOfCommand(cursor);
  if (kind === undefined) return [];
  const names = shortNames(kind, fieldsOfChange(kind));
  const changes = await assignment(word, names, (name, value) => fieldValues(kind, name, value, call));
  if (word.includes('=')) return changes;
  const more = kindOf(args[0] ?? '') === 'agent' ? await agentWords(args.slice(2), word, call) : [];
  return [...more, ...changes, 'label.'];
}

/** Proposals for an argument of a command. */
export function argumentsFor(cursor: Cursor): Proposals {
  const { command, args, word, call } = cursor;
  const { name = '', args: usage = '' } = command ?? {};
  if (name === 'get' && (args.length > 0 || word.includes('/'))) return objectsFor(cursor);
  if (/[<[]kind[>\]]/.test(usage) && args.length === 0)
    return ['nodes', 'services', 'agents', ...(name === 'get' ? ['clusters'] : [])];
  if (usage.includes('[change') && hasObject(args)) return changesOf(cursor);
  if (usage.includes('object')) return objectsFor(cursor);
  if (usage === '<type>' && args.length === 0) return agentTypes;
  if (name.startsWith('context ') && args.length === 0) return contextsIn(call);
  return usage === '<shell>' ? ['bash', 'zsh', 'fish'] : [];
}
