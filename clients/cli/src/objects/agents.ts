import type { Client } from '../../../typescript/src/operation.ts';
import type { CallOptions } from '../../../typescript/src/options.ts';
import { CommandError } from '../core/exit-codes.ts';
import { findByName, type FleetObject, type KindName, readList } from './objects.ts';
import { nameOfKind } from './object-words.ts';
import { idsIn, idsOf, kindsByField, readNames, withIdsAs } from './names.ts';
import { type Fields, isFields } from '../core/values.ts';

/** The ids of the objects that an agent monitors. */
export function targetsOf({ insights }: Fields): { nodes: string[]; services: string[] } {
  const { node_ids: nodes, service_ids: services } = isFields(insights) ? insights : {};
  return { nodes: idsIn(nodes), services: idsIn(services) };
}

interface TitleParts {
  type: string;
  /** Names, of its services and nodes. */
  targets: readonly string[];
  place: string | undefined;
}

/** `mysqld_exporter of orders on db-1`. An agent that only monitors its own node has no `of`. */
export function titleOf({ type, targets, place }: TitleParts): string {
  const isOwn = targets.length === 1 && targets[0] === place;
  return [
    type,
    ...(targets.length === 0 || isOwn ? [] : [`of ${targets.toSorted().join()}`]),
    ...(place === undefined ? [] : [`on ${place}`]),
  ].join(' ');
}

/** The title of an agent with these names of nodes and services. */
function titleBy(agent: Fields, nameOf: (id: string) => string): string {
  const { nodes, services } = targetsOf(agent);
  const [place] = idsIn(agent['runs_on_node_id']).map(nameOf);
  return titleOf({ type: String(agent['agent_type']), targets: [...services, ...nodes].map(nameOf), place });
}

/** Adds the names of nodes and services beside their ids, and to agents their titles. */
export async function withReadNames(client: Client, objects: readonly Fields[]): Promise<Fields[]> {
  const names = await readNames(client, idsOf(objects));
  const nameOf = (id: string) => names.get(id) ?? id;
  const isAgent = (object: Fields) => object['agent_type'] !== undefined;
  return objects.map((object) => ({
    ...(isAgent(object) ? { agent: titleBy(object, nameOf) } : {}),
    ...object,
    ...namesBeside(object, nameOf),
  }));
}

/** The names beside the ids in an object, in fields that desired-state files have: `node_names`, `insights.service_names`. */
function namesBeside(object: Fields, nameOf: (id: string) => string): Fields {
  return Object.fromEntries(
    Object.entries(withIdsAs(object, nameOf)).flatMap(([field, value]): [string, unknown][] => {
      if (field === 'insights' && isFields(value) && isFields(object['insights']))
        return [[field, { ...object['insights'], ...namesBeside(object['insights'], nameOf) }]];
      return kindsByField.has(field) ? [[field.replace(/_id(s?)$/, '_name$1'), value]] : [];
    }),
  );
}

/** Adds to each agent its title in the field `agent`, with names that are known or read. */
export async function withTitles(
  client: Client,
  agents: readonly Fields[],
  givenNames?: Map<string, string>,
): Promise<Fields[]> {
  const names = await readNames(client, idsOf(agents), givenNames);
  return agents.map((agent) => ({ agent: titleBy(agent, (id) => names.get(id) ?? id), ...agent }));
}

type NamedObject = Pick<FleetObject, 'kind' | 'object'>;

const idOf = ({ kind, object }: NamedObject) => String(object[`${kind}_id`]);

/** The names of objects by their ids; of agents their titles. */
export async function namesOf(client: Client, objects: readonly NamedObject[]): Promise<Map<string, string>> {
  const agents = objects.flatMap(({ kind, object }) => (kind === 'agent' ? [object] : []));
  const titled = (await withTitles(client, agents)).map(
    (object) => ({ kind: 'agent', object, name: object['agent'] }) as const,
  );
  const named = objects.map(({ kind, object }) => ({ kind, object, name: object[`${kind}_name`] }));
  return new Map([...named, ...titled].map((object) => [idOf(object), String(object.name)]));
}

/** Objects as people name them: `node/db-1`, `agent/mysqld_exporter of orders on db-1`. Commands take these names. */
export async function shownNames(client: Client, objects: readonly NamedObject[]): Promise<string[]> {
  const names = await namesOf(client, objects);
  return objects.map((object) => `${object.kind}/${names.get(idOf(object)) ?? ''}`);
}

/** The parts of `mysqld_exporter of orders on db-1`, in any order after the type. */
function partsOf(text: string): { type: string; target: string | undefined; place: string | undefined } {
  const [, type = text, first = ''] = /^(\S+)((?: (?:of|on) .+)?)$/.exec(text) ?? [];
  const [, place] = / on (.+?)(?= of |$)/.exec(first) ?? [];
  const [, target] = / of (.+?)(?= on |$)/.exec(first) ?? [];
  return { type, target, place };
}

/** The object of the kind with this name, or none. */
async function foundByName(client: Client, kind: KindName, name: string, options: CallOptions): Promise<FleetObject[]> {
  try {
    return [await findByName(client, kind, name, options)];
  } catch (error) {
    if (error instanceof CommandError && error.exit === 'missing') return [];
    throw error;
  }
}

/** The service and the node with this name; one of them if the name has its kind before it. */
async function targetsNamed(client: Client, text: string, options: CallOptions): Promise<FleetObject[]> {
  const matches: FleetObject[] = [];
  for (const kind of ['service', 'node'] as const) {
    const isOther = (['service', 'node'] as const).some(
      (otherKind) => otherKind !== kind && nameOfKind(otherKind, text) !== text,
    );
    if (!isOther) matches.push(...(await foundByName(client, kind, nameOfKind(kind, text), options)));
  }
  if (matches.length === 0) throw new CommandError(`There is no service or node ${text}.`, 'missing');
  return matches;
}

/**
 * An agent as people name it: its type, `of` its targets, `on` its node. Each part but the type can be left out if the others
 * name one agent.
 *
 * @throws CommandError if there is none, or more than one, with their ids.
 */
export async function findAgent(client: Client, text: string, options: CallOptions = {}): Promise<FleetObject> {
  const { type, target, place } = partsOf(text);
  const node = place === undefined ? undefined : await findByName(client, 'node', nameOfKind('node', place), options);
  const targets: FleetObject[][] = [];
  for (const name of target?.split(',') ?? []) targets.push(await targetsNamed(client, name, options));
  const [[first, second] = []] = targets;
  // A list of agents has one filter by another object.
  const byTarget = first === undefined || second !== undefined ? {} : { [`${first.kind}_id`]: first.id };
  const other = node === undefined ? byTarget : { runs_on_node_id: node.id };
  const query = { agent_type: type, ...other, include: 'state' };
  const countOf = (agent: Fields) => targetsOf(agent).nodes.length + targetsOf(agent).services.length;
  const matching = (await readList(client, 'agents', query, undefined, options)).filter((agent) => {
    const { nodes, services } = targetsOf(agent);
    return targets.every((named) => named.some(({ id }) => nodes.includes(id) || services.includes(id)));
  });
  // An agent with exactly these targets precedes those with more.
  const exact = targets.length === 0 ? [] : matching.filter((agent) => countOf(agent) === targets.length);
  const [agent, ...others] = exact.length > 0 ? exact : matching;
  if (agent === undefined) throw new CommandError(`There is no agent ${text}.`, 'missing');
  if (others.length > 0) {
    const titled = await withTitles(client, [agent, ...others].slice(0, MAX_NAMED));
    const shown = titled.map((title) => `agent/${String(title['agent_id'])} (${String(title['agent'])})`);
    const more = others.length + 1 - shown.length;
    throw new CommandError(
      `${others.length + 1} agents are ${text}. Name its targets or its node, or give its id: ` +
        `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    );
  }
  return { kind: 'agent', id: String(agent['agent_id']), object: agent };
}

/** The most agents that an error names. */
const MAX_NAMED = 5;
