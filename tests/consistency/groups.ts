import { inflateRawSync } from 'node:zlib';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../shared/db/table.ts';

export const HEARTBEAT_GROUP = /^HEARTBEAT_GROUP#(.+)$/s;

const unpacked = (value: unknown): any => JSON.parse(inflateRawSync(value as Uint8Array).toString());

/** The slots of the times of a group. */
const slotsIn = (times: Item): number[] =>
  unpacked(times['runs']).flatMap(([first, count]: [number, number]) =>
    Array.from({ length: count }, (_, index) => first + index),
  );

const timersOf = ({ lifetime, stale_after, offline_after, remove_after }: Item) => ({
  ...{ lifetime, staleAfter: stale_after, offlineAfter: offline_after, removeAfter: remove_after },
});

/**
 * Every violation: a heartbeat that names a group without its slot, a slot that no heartbeat names, a member that its
 * heartbeat contradicts.
 */
export function groupViolations(items: readonly Item[], heartbeats: readonly Item[]): string[] {
  const violations: string[] = [];
  const slots = new Map<string, Item>();
  for (const item of heartbeats) {
    const { id, slot, process } = (item['group'] ?? {}) as { id?: string; slot?: number; process?: string };
    if (id === undefined) continue;
    slots.set(`${id} ${slot}`, item);
    if (!(`process#${process}` in item))
      violations.push(`${String(item['sk'])} has no process ${process}, which its group has.`);
  }
  const groups = Map.groupBy(
    items.filter(({ pk }) => HEARTBEAT_GROUP.test(String(pk))),
    ({ pk }) => HEARTBEAT_GROUP.exec(String(pk))?.[1],
  );
  for (const [id, parts] of groups) {
    const times = parts.find(({ sk }) => sk === 'TIMES');
    const members = parts.find(({ sk }) => sk === 'MEMBERS');
    if (times === undefined || members === undefined || times['members_version'] !== members['version']) {
      violations.push(`Group ${id} lacks an item, or its items do not belong together.`);
      continue;
    }
    const columns = unpacked(members['members']);
    for (const slot of slotsIn(times)) {
      const name = `${id} ${slot}`;
      const heartbeat = slots.get(name);
      slots.delete(name);
      const index = columns.slots.indexOf(slot);
      const [process, node] = [columns.processes[index], columns.nodes[index]];
      const life = columns.lives[columns.life[index]];
      const report = heartbeat?.[`process#${process}`] as { at?: number } | undefined;
      const stored = { node: heartbeat?.['sk'], at: report?.at, life: timersOf(heartbeat ?? {}) };
      if (!isDeepStrictEqual(stored, { node, at: columns.heartbeats[index], life }))
        violations.push(`Slot ${name} is of node ${node}, whose heartbeat contradicts: ${JSON.stringify(stored)}.`);
    }
  }
  for (const name of slots.keys()) violations.push(`The group has no slot ${name}.`);
  return violations;
}
