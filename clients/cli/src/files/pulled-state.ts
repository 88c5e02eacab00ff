import { listAgents } from '../../../typescript/src/generated/operations.ts';
import type { ReconcileScope } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { targetsOf } from '../objects/agents.ts';
import { desired } from '../generated/objects.ts';
import { idsIn, idsOf, readNames } from '../objects/names.ts';
import { readList } from '../objects/objects.ts';
import { type Fields, fieldsOf, isFields, isList } from '../core/values.ts';

type ListName = keyof typeof desired;

const sorted = (object: Fields): Fields =>
  Object.fromEntries(Object.entries(object).sort(([left], [right]) => (left < right ? -1 : 1)));

/** The fields that a desired state has, in their order. Empty labels and lists are left out. */
function desiredFields(list: ListName, object: Fields): Fields {
  const { typeField, types } = desired[list];
  const names = new Map<string, readonly string[]>(Object.entries(types)).get(String(object[typeField])) ?? [];
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === false ||
    (isList(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = name === 'custom_labels' && isFields(object[name]) ? sorted(object[name]) : object[name];
      return isEmpty(value) ? [] : [[name, value]];
    }),
  );
}

/** An object as a desired-state file has it: with the names of other objects. */
export function desiredForm(list: ListName, object: Fields, names: ReadonlyMap<string, string>): Fields {
  const named = (ids: unknown) =>
    idsIn(ids)
      .map((id) => names.get(id) ?? id)
      .sort();
  if (list === 'nodes') return desiredFields(list, object);
  if (list === 'services') return desiredFields(list, { ...object, node_names: named(object['node_ids']) });
  const { nodes, services } = targetsOf(object);
  const [place] = named(object['runs_on_node_id']);
  const targets = Object.entries({ node_names: named(nodes), service_names: named(services) });
  const insights = Object.fromEntries(targets.filter(([, all]) => all.length > 0));
  return desiredFields(list, { ...object, ...(place === undefined ? {} : { runs_on_node_name: place }), insights });
}

const keyOf = (object: Fields) => JSON.stringify(object);

const inOrder = (objects: Fields[]) => objects.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));

/** Agents that run on these nodes or have only targets among these objects. */
async function agentsIn(client: Client, nodes: ReadonlySet<string>, services: ReadonlySet<string>): Promise<Fields[]> {
  const agents: Fields[] = [];
  for await (const agent of listAgents(client, { page_size: 1000 })) {
    const object = fieldsOf(agent);
    const { nodes: nodeIds, services: serviceIds } = targetsOf(object);
    const isHere = nodes.has(String(object['runs_on_node_id']));
    const isTarget = nodeIds.every((id) => nodes.has(id)) && serviceIds.every((id) => services.has(id));
    if (isHere || (nodeIds.length + serviceIds.length > 0 && isTarget)) agents.push(object);
  }
  return agents;
}

/** A scope of the inventory as a desired state, always in the same order: a plan of it has no differences. */
export async function pulledState(client: Client, scope: ReconcileScope): Promise<Fields> {
  const nodes = await readList(client, 'nodes', scope);
  const services = await readList(client, 'services', scope);
  const [nodeIds, serviceIds] = [
    nodes.map((node) => String(node['node_id'])),
    services.map((service) => String(service['service_id'])),
  ];
  const agents = await agentsIn(client, new Set(nodeIds), new Set(serviceIds));
  const nameById = new Map(
    [
      ...nodes.map((node) => [node['node_id'], node['node_name']]),
      ...services.map((service) => [service['service_id'], service['service_name']]),
    ].map(([id, name]) => [String(id), String(name)]),
  );
  const names = await readNames(client, idsOf([...services, ...agents]), nameById);
  const ofList = (list: ListName, objects: readonly Fields[]) =>
    inOrder(objects.map((object) => desiredForm(list, object, names)));
  return {
    scope,
    nodes: ofList('nodes', nodes),
    services: ofList('services', services),
    agents: ofList('agents', agents),
  };
}
