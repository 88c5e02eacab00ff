import type { Client } from '../../../typescript/src/operation.ts';
import { targetsOf } from '../objects/agents.ts';
import { bodyField, changeableFields } from './body-flags.ts';
import { differencesBetween, differencesText, type ValueDifference } from '../output/differences.ts';
import { CommandError } from '../core/exit-codes.ts';
import { labelIn } from '../core/field-names.ts';
import { idsOf, readNames, withIdsAs } from '../objects/names.ts';
import { findByName, type KindName, readList } from '../objects/objects.ts';
import { type Fields, isFields, isList } from '../core/values.ts';

const isSame = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((item) => right.includes(item));

/** The agent that a declaration changes: the oldest one of its type with its place and its targets. */
async function declaredAgent(client: Client, body: Fields): Promise<Fields | undefined> {
  const { agent_type: type, pmm_agent_id: processId, runs_on_node_id: node, collector_name: collector } = body;
  const { nodes, services } = targetsOf(body);
  const [[filter, id] = []] = Object.entries({
    pmm_agent_id: processId,
    runs_on_node_id: node,
    service_id: services[0],
    node_id: nodes[0],
  }).filter(([, value]) => value !== undefined);
  if (filter === undefined) return undefined;
  const agents = await readList(client, 'agents', { agent_type: type, [filter]: id, include: 'state' });
  return agents
    .filter((agent) => {
      const targets = targetsOf(agent);
      const ownNode = [String(agent['runs_on_node_id'])];
      const hasDefault = nodes.length + services.length === 0 && isSame(targets.nodes, ownNode);
      return (
        agent['pmm_agent_id'] === processId &&
        (processId !== undefined || agent['runs_on_node_id'] === node) &&
        agent['collector_name'] === collector &&
        (hasDefault || isSame(targets.nodes, nodes)) &&
        isSame(targets.services, services)
      );
    })
    .toSorted((left, right) => (String(left['created_at']) < String(right['created_at']) ? -1 : 1))
    .at(0);
}

/** The object that a declaration changes; undefined if it adds one. The body has ids. */
export async function declaredObject(client: Client, kind: KindName, body: Fields): Promise<Fields | undefined> {
  if (kind === 'agent') return declaredAgent(client, body);
  const name = String(body[`${kind}_name`]);
  try {
    const { object } = await findByName(client, kind, name);
    // An object can be found by its id too, and a declaration has names.
    return object[`${kind}_name`] === name ? object : undefined;
  } catch (error) {
    if (error instanceof CommandError && error.exit === 'missing') return undefined;
    throw error;
  }
}

const isEmpty = (value: unknown) =>
  value === false || (isList(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0);

/** The values that an object has and its declaration does not give: they are cleared, or set to their defaults. */
export function clearedBy(kind: KindName, before: Fields, body: Fields): ValueDifference[] {
  const clearable = changeableFields(kind, before);
  if (kind === 'agent') {
    // They identify it: they are equal.
    delete clearable['insights'];
    // The port of an agent that has reported is the one that it reported.
    if (before['reported_at'] !== undefined) delete clearable['listen_port'];
  }
  return differencesBetween(clearable, body)
    .filter(({ from, to }) => to === undefined && !isEmpty(from))
    .map(({ field, from }) => ({ field, from, to: bodyField(kind, field)?.default }))
    .filter(({ from, to }) => from !== to);
}

/** `region: eu -> none, labels -env -team`, with names in place of ids; empty if nothing is cleared. */
export async function clearedText(client: Client, cleared: readonly ValueDifference[]): Promise<string> {
  const labels = cleared.flatMap(({ field }) => labelIn(field) ?? []);
  const fields = cleared.filter(({ field }) => labelIn(field) === undefined);
  const values = Object.fromEntries(fields.map(({ field, from }) => [field, from]));
  const names = await readNames(client, idsOf([values]));
  const named = withIdsAs(values, (id) => names.get(id) ?? id);
  return [
    ...fields.map(({ field, to }) => differencesText([{ field, from: named[field], to }])),
    ...(labels.length === 0 ? [] : [['labels', ...labels.map((label) => `-${label}`)].join(' ')]),
  ].join(', ');
}
