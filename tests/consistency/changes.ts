import { isDeepStrictEqual } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import type { Item } from '../../shared/db/table.ts';

/*
 * What the changes in a table must be. Like the rest of the check, it spells out once more what it reads.
 */

type Fields = Record<string, any>;

export const CHANGE = /^CHANGE#[0-9a-z]$/;

/** A copy of an object, made of nothing but its changes. */
interface Copy {
  kind: string;
  fields: Fields;
  revision: number;
  last: string;
}

const idOf = ({ pk, sk }: Item) => `${String(pk).slice('CHANGE#'.length)}${String(sk)}`;

const timeOf = ({ sk }: Item) => Number.parseInt(String(sk).slice(0, 9), 36);

function fieldsIn(item: Fields): Fields {
  try {
    return JSON.parse(inflateRawSync(item['fields']).toString()) as Fields;
  } catch {
    return { before: { unreadable: true }, after: { unreadable: true } };
  }
}

/** What an object refers to, by id. */
function references({ fields }: Copy): string[] {
  const { node_ids: nodeIds = [], runs_on_node_id: nodeId, pmm_agent_id: parentId, insights } = fields;
  return [
    ...nodeIds,
    ...(nodeId === undefined ? [] : [nodeId]),
    ...(parentId === undefined ? [] : [parentId]),
    ...(insights?.node_ids ?? []),
    ...(insights?.service_ids ?? []),
  ];
}

/** A follower of the changes from the first one, in the order of their times. */
class Follower {
  readonly copies = new Map<string, Copy>();
  /** What went last of each id, which is what comes back before what comes back. */
  readonly #gone = new Map<string, Fields>();
  readonly #say: (violation: string) => void;

  constructor(say: (violation: string) => void) {
    this.#say = say;
  }

  follow(item: Fields): void {
    const changeId = idOf(item);
    const name = `${item['kind']} ${item['id']}`;
    const { before, after } = fieldsIn(item);
    const old = this.copies.get(item['id']);
    const gone = this.#gone.get(item['id']);
    const isReturn = old === undefined && gone !== undefined && item['previous'] === idOf(gone);
    if (item['previous'] !== old?.last && !isReturn)
      this.#say(`change ${changeId} of ${name} comes after ${item['previous']} instead of ${old?.last}.`);
    if (isReturn && item['revision'] !== Number(gone['revision']) + 1)
      this.#say(`${name} left at revision ${gone['revision']} and came back at ${item['revision']}.`);
    if (!['added', 'changed', 'removed'].includes(item['action'])) this.#say(`${changeId} is no change.`);
    if (old !== undefined && old.kind !== item['kind']) this.#say(`${changeId} is of another kind than ${name}.`);
    if (item['action'] === 'added') {
      if (old !== undefined || before !== undefined) this.#say(`${name} is added twice.`);
      this.#keep(item, changeId, after);
      return;
    }
    if (old === undefined) {
      this.#say(`change ${changeId} is of ${name}, which is not there.`);
      return;
    }
    for (const [field, value] of Object.entries(before))
      if (field !== 'revision' && !isDeepStrictEqual(value, old.fields[field]))
        this.#say(`change ${changeId} of ${name}: ${field} was not ${JSON.stringify(value)}.`);
    if (item['action'] === 'removed') {
      if (item['revision'] !== old.revision || before['revision'] !== old.revision)
        this.#say(`${name} is removed at revision ${item['revision']}.`);
      this.copies.delete(item['id']);
      this.#gone.set(item['id'], item);
      for (const [id, copy] of this.copies)
        if (references(copy).includes(item['id'])) this.#say(`${name} is removed while ${id} refers to it.`);
      return;
    }
    if (item['revision'] !== old.revision + 1)
      this.#say(`change ${changeId} of ${name} leads from revision ${old.revision} to ${item['revision']}.`);
    const kept = Object.entries(old.fields).filter(([field]) => !Object.hasOwn(before, field));
    this.#keep(item, changeId, { ...Object.fromEntries(kept), ...after });
  }

  #keep(item: Fields, changeId: string, fields: Fields): void {
    const copy = { kind: item['kind'], fields, revision: item['revision'], last: changeId };
    this.copies.set(item['id'], copy);
    for (const id of references(copy))
      if (!this.copies.has(id)) this.#say(`${item['kind']} ${item['id']} refers to ${id} before that is there.`);
  }
}

/** The attributes of an object that are no fields of it. */
const TABLE = ['owner_label', 'pk', 'sk', 'list_pk', 'list_sk', 'type_pk', 'last_change', 'removing', 'revision'];

/** Every violation: a change that is none, an effect before its cause, an object that is not what its changes made of it. */
export function changeViolations(changes: readonly Item[], objects: readonly Fields[]): string[] {
  const violations: string[] = [];
  const say = (violation: string) => violations.push(violation);
  for (const item of changes) {
    if (!/^[0-9a-z]{17}$/.test(String(item['sk']))) say(`${idOf(item)} is no id of a change.`);
    if (item['ttl'] !== Math.ceil(timeOf(item) / 1000) + 30 * 86_400)
      say(`change ${idOf(item)} is kept until ${String(item['ttl'])}.`);
    for (const field of ['actor_kind', 'actor_id', 'actor_name', 'request_id'])
      if (typeof item[field] !== 'string' || item[field] === '') say(`change ${idOf(item)} has no ${field}.`);
  }
  const follower = new Follower(say);
  const order = ({ pk, sk }: Item) => `${String(sk)} ${String(pk)}`;
  for (const item of [...changes].sort((left, right) => (order(left) < order(right) ? -1 : 1))) follower.follow(item);
  const copies = new Map(follower.copies);
  for (const object of objects) {
    const kind = String(object['sk']).toLowerCase();
    const id = String(object[`${kind}_id`]);
    const copy = copies.get(id);
    copies.delete(id);
    const fields = Object.fromEntries(Object.entries(object).filter(([name]) => !TABLE.includes(name)));
    const followed = Object.fromEntries(Object.entries(copy?.fields ?? {}).filter(([name]) => !TABLE.includes(name)));
    const state = [kind, object['revision'], object['last_change'], fields];
    if (!isDeepStrictEqual(state, [copy?.kind, copy?.revision, copy?.last, followed]))
      say(`${id} is ${JSON.stringify(state)}, and by its changes ${JSON.stringify(copy)}.`);
  }
  for (const [id, copy] of copies) say(`by its changes there is a ${copy.kind} ${id}.`);
  return violations;
}
