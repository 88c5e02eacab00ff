import { desiredObjects } from '../../../../../functions/domain/bulk/reconcile-request.ts';
import { differencesBetween } from '../../output/differences.ts';
import { FileError } from '../../core/exit-codes.ts';
import { idsIn } from '../../objects/names.ts';
import { checkedState } from '../desired-state.ts';
import { type Fields, isFields, isList } from '../../core/values.ts';
import { type Inventory, isUnderProcess, keyOf, kindIn, lists, type PresentObject, targetNames } from './inventory.ts';
import type { ListName, ObjectRow, ObjectTable } from './object-rows.ts';
import { placeIn, requestOf, rowsByList } from './state.ts';

/** The change that a row makes. */
export interface Step {
  list: ListName;
  row: ObjectRow;
  /** The object that it changes; undefined if it adds one. */
  old: PresentObject | undefined;
  /** The whole object, with the values of the row. */
  object: Fields;
  /** The fields that differ; of a new object all. */
  change: Fields;
}

/** The fields with the values of a row; maps are merged. */
function merged(old: Fields, given: Fields): Fields {
  const fields = Object.entries(given).map(([name, value]): [string, unknown] => {
    const before = old[name];
    return [name, isFields(before) && isFields(value) ? merged(before, value) : value];
  });
  return { ...old, ...Object.fromEntries(fields) };
}

const isEmpty = (value: unknown) => value === undefined || value === false || (isList(value) && value.length === 0);

/** The fields in which an object differs from the old one. */
function changeOf(old: Fields, object: Fields): Fields {
  const names = differencesBetween(old, object)
    .filter(({ from, to }) => !(isEmpty(from) && isEmpty(to)))
    .map(({ field }) => field.replace(/\..*$/, ''));
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** The fields of an object with the names of others, and each name. */
function namedBy(object: Fields): [field: string, list: 'nodes' | 'services', name: string][] {
  const { node_names: nodes, service_names: services } = targetNames(object);
  const all = (field: string, list: 'nodes' | 'services', names: readonly string[]) =>
    names.map((name): [string, 'nodes' | 'services', string] => [field, list, name]);
  return [
    ...all('node_names', 'nodes', idsIn(object['node_names'])),
    ...all('runs_on_node_name', 'nodes', idsIn(object['runs_on_node_name'])),
    ...all('insights.node_names', 'nodes', nodes),
    ...all('insights.service_names', 'services', services),
  ];
}

/** The key of the pmm_agent of a node. */
export const processKey = (node: string) => keyOf('agents', { agent_type: 'pmm_agent', runs_on_node_name: node });

/** The rows that no import can do: the same object twice, another type, a name that no object has. */
function impossible(steps: readonly Step[], inventory: Inventory): string[] {
  const wrong: string[] = [];
  const lines = new Map<string, string>();
  const added = new Set(steps.map(({ list, object }) => `${list} ${keyOf(list, object)}`));
  const exists = (list: ListName, key: string) => inventory[list].has(key) || added.has(`${list} ${key}`);
  for (const { list, row, old, object } of steps) {
    const refuse = (field: string, message: string) => wrong.push(`${row.placeOf(field)} ${field}: ${message}`);
    const [type, key] = [`${kindIn(list)}_type`, `${list} ${keyOf(list, object)}`];
    const first = lines.get(key);
    if (first === undefined) lines.set(key, row.placeOf(''));
    else refuse(type, `The same object is in ${first}.`);
    if (old !== undefined && old.form[type] !== object[type])
      refuse(type, `It is a ${String(old.form[type])}, and a type cannot change: remove it first.`);
    for (const [field, other, name] of namedBy(object))
      if (!exists(other, name)) refuse(field, `There is no ${kindIn(other)} ${name}.`);
    const [place] = idsIn(object['runs_on_node_name']);
    if (isUnderProcess(object) && place !== undefined && !exists('agents', processKey(place)))
      refuse('runs_on_node_name', `No pmm_agent runs on ${place}.`);
  }
  return wrong;
}

/**
 * The changes that the rows of tables make, in a possible order. An object that exists keeps the values that its row does not give,
 * defaults or not.
 *
 * @throws FileError with the place of each value that the server would refuse, and of each name that no object has.
 */
export function stepsOf(tables: readonly ObjectTable[], inventory: Inventory): Step[] {
  const rows = rowsByList(tables);
  const stepOf = (list: ListName) => (row: ObjectRow) => {
    const old = inventory[list].get(keyOf(list, row.object));
    if (old === undefined) return { list, row, old, object: row.object, change: row.object };
    const object = merged(old.form, row.given);
    return { list, row, old, object, change: changeOf(old.form, object) };
  };
  const byList = {
    nodes: rows.nodes.map(stepOf('nodes')),
    services: rows.services.map(stepOf('services')),
    agents: rows.agents.map(stepOf('agents')),
  };
  const path = tables.map(({ table }) => table.path).join(', ');
  const { wrongIfNew } = checkedState(path, requestOf(byList), placeIn(rows, path), [], desiredObjects);
  const steps = lists.flatMap((list) => byList[list]);
  // Values that an older server has stored may stay.
  const wrong = [...wrongIfNew((list, index) => byList[list][index]?.old?.object), ...impossible(steps, inventory)];
  if (wrong.length > 0) throw new FileError(wrong.join('\n'));
  // Other agents run under a pmm_agent.
  const isProcess = ({ object }: Step) => object['agent_type'] === 'pmm_agent';
  return [
    ...byList.nodes,
    ...byList.services,
    ...byList.agents.filter(isProcess),
    ...byList.agents.filter((step) => !isProcess(step)),
  ];
}
