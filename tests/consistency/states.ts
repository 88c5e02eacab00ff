import { inflateRawSync } from 'node:zlib';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../shared/db/table.ts';

/*
 * What the published changes of states in a table must be. Like the rest of the check, it spells out once more what it
 * reads.
 */

type Fields = Record<string, any>;

export const STATE_CHANGE = /^STATE_CHANGES$/;

const timeOf = ({ sk }: Item) => Number.parseInt(String(sk).slice(0, 9), 36);

const fieldsIn = (item: Fields): Fields => JSON.parse(inflateRawSync(item['fields']).toString()) as Fields;

const bySortKey = (left: Item, right: Item) => (String(left['sk']) < String(right['sk']) ? -1 : 1);

/**
 * Every violation: a change that is none, a gap between two changes of a node, a heartbeat that holds another state than
 * the last change.
 *
 * @param changes the records of changes of objects: a node that is added again begins anew.
 */
export function stateViolations(
  records: readonly Item[],
  heartbeats: readonly Fields[],
  changes: readonly Item[],
): string[] {
  const violations: string[] = [];
  const last = new Map<string, { state: string; at: number }>();
  const added = new Map<string, number[]>();
  for (const change of changes)
    if (change['kind'] === 'node' && change['action'] === 'added')
      added.set(String(change['id']), [...(added.get(String(change['id'])) ?? []), timeOf(change)]);
  for (const item of records.toSorted(bySortKey)) {
    const name = `${String(item['sk'])} of ${String(item['id'])}`;
    const { before, after } = fieldsIn(item);
    const at = timeOf(item);
    const previous = last.get(String(item['id']));
    const adds = (added.get(String(item['id'])) ?? []).filter((time) => time < at);
    if (adds.length === 0) violations.push(`${name} comes before its node.`);
    const isAnew = previous === undefined || adds.some((time) => time > previous.at);
    const expected = isAnew ? 'live' : previous.state;
    if (before?.state !== expected) violations.push(`${name} leads from ${before?.state} instead of ${expected}.`);
    if (!['live', 'stale', 'offline'].includes(after?.state) || after.state === before?.state)
      violations.push(`${name} leads to ${after?.state}.`);
    if (item['kind'] !== 'state' || item['action'] !== 'changed' || !Number.isInteger(item['revision']))
      violations.push(`${name} is no change of a state.`);
    if (item['ttl'] !== Math.ceil(at / 1000) + 30 * 86_400)
      violations.push(`${name} is kept until ${String(item['ttl'])}.`);
    last.set(String(item['id']), { state: after?.state, at });
  }
  for (const { sk: id, published } of heartbeats) {
    if (published === undefined) continue;
    if (!isDeepStrictEqual(published, last.get(String(id))))
      violations.push(
        `${id} was published as ${JSON.stringify(published)}, by its changes ${JSON.stringify(last.get(id))}.`,
      );
  }
  return violations;
}
