import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { type Life, lifeOf, lifetimes, presentDefaults, states } from '../../domain/fields/liveness.ts';
import { heartbeatKey, heartbeatPartitions, processIn } from '../table/keys.ts';
import { queryUpTo, readFrom, readItems } from '../table/read.ts';
import type { Entity, Node } from '../entities/entity.ts';
import { type GroupPointer, pointerIn, withGroupTimes } from './group-times.ts';
import { KEY_USE } from '../entities/key-use.ts';
import { type Report, toReport } from './stored-report.ts';

const publishedSchema = z.object({
  state: openEnum(states),
  /** The time of the change, in milliseconds since 1970. */
  at: z.number(),
});

/** The state of a node that was published last. */
export type PublishedState = z.output<typeof publishedSchema>;

const heartbeatSchema = z.object({
  sk: z.string(),
  node_name: z.string(),
  added_at: z.number(),
  lifetime: openEnum(lifetimes),
  stale_after: z.number(),
  offline_after: z.number(),
  remove_after: z.number(),
  /** Absent in heartbeats that versions before this attribute wrote. */
  defaults: z.optional(z.string()),
  published: z.optional(publishedSchema),
});

/** The lifetime settings of a node and the last reports of its agent processes. */
export interface Heartbeat {
  nodeId: string;
  nodeName: string;
  /** Milliseconds since 1970. */
  addedAt: number;
  life: Life;
  /** The timers were computed with other defaults than the present ones, by an older version. */
  isOutdated: boolean;
  /** The last report of each agent process by its id; undefined before the first report. */
  processes: ReadonlyMap<string, Report | undefined>;
  /** Undefined before the first change of its state was published. */
  published?: PublishedState | undefined;
  /** The attribute with the last use of the key of the host, as it is stored (entities/key-use.ts). */
  keyUse?: unknown;
  /** The group that contains the time of the last report of one of the processes, and the time in the heartbeat itself. */
  group?: GroupPointer & { heartbeatAt: number };
}

export const publishedIn = (item: Item | undefined): PublishedState | undefined =>
  z.safeParse(publishedSchema, item?.['published']).data;

/** The lifetime settings of a node, copied into its heartbeat, so that its state follows from one item. */
export function lifeAttributes(node: Node): Item {
  const { lifetime, staleAfter, offlineAfter, removeAfter } = lifeOf(node);
  const timers = { stale_after: staleAfter, offline_after: offlineAfter, remove_after: removeAfter };
  return { lifetime, ...timers, defaults: presentDefaults };
}

/** The heartbeat of a new node, without reports. */
export function newHeartbeat(node: Node, now: Date): Item & Key {
  const { node_id: id, node_name: name } = node;
  return { ...heartbeatKey(id), node_name: name, added_at: now.getTime(), ...lifeAttributes(node) };
}

/** The heartbeat in an item, without the time of its group. */
export function toHeartbeat(item: Item): Heartbeat {
  const fields = z.parse(heartbeatSchema, item);
  const processes = Object.entries(item).flatMap(([name, value]): [string, Report | undefined][] => {
    const id = processIn(name);
    return id === undefined ? [] : [[id, toReport(value)]];
  });
  const pointer = pointerIn(item);
  const heartbeatAt = processes.find(([id]) => id === pointer?.process)?.[1]?.at;
  return {
    nodeId: fields.sk,
    nodeName: fields.node_name,
    addedAt: fields.added_at,
    life: {
      lifetime: fields.lifetime,
      staleAfter: fields.stale_after,
      offlineAfter: fields.offline_after,
      removeAfter: fields.remove_after,
    },
    isOutdated: fields.defaults !== presentDefaults,
    processes: new Map(processes),
    published: fields.published,
    keyUse: item[KEY_USE],
    ...(pointer === undefined || heartbeatAt === undefined ? {} : { group: { ...pointer, heartbeatAt } }),
  };
}

/** The heartbeats in items, with the times of their groups. A round of batch reads if one of them is in a group. */
export async function toHeartbeats(table: Table, items: readonly Item[], isConsistent = true): Promise<Heartbeat[]> {
  return withGroupTimes(table, items.map(toHeartbeat), toHeartbeat, isConsistent);
}

export type Heartbeats = ReadonlyMap<string, Heartbeat>;

/** The nodes from whose heartbeats the state of an object follows. */
export function nodesOf({ kind, object }: Entity): readonly string[] {
  if (kind === 'node') return [object.node_id];
  if (kind === 'service') return object.node_ids;
  return object.runs_on_node_id === undefined ? [] : [object.runs_on_node_id];
}

/**
 * The heartbeats of the nodes of these objects. One round of batch reads, strongly consistent by default, and one of the
 * groups of those that a relay reports; none if no object is on a node.
 */
export async function readHeartbeats(
  table: Table,
  objects: readonly Entity[],
  isConsistent = true,
): Promise<Heartbeats> {
  const ids = [...new Set(objects.flatMap(nodesOf))];
  const items = ids.length === 0 ? [] : await readItems(table, ids.map(heartbeatKey), isConsistent);
  const heartbeats = await toHeartbeats(table, items, isConsistent);
  return new Map(heartbeats.map((heartbeat) => [heartbeat.nodeId, heartbeat]));
}

/** The heartbeat of a node, strongly consistent; undefined when the node does not exist. */
export async function readHeartbeat(table: Table, nodeId: string): Promise<Heartbeat | undefined> {
  const item = await readFrom(table)(heartbeatKey(nodeId));
  return item === undefined ? undefined : (await toHeartbeats(table, [item])).at(0);
}

export interface HeartbeatRange {
  /** Sorted by node id. */
  heartbeats: Heartbeat[];
  /** The node id up to which they are complete; undefined: no heartbeat follows. */
  reach: string | undefined;
}

/**
 * The heartbeats after a node id, in the order of node ids, which are random: `perPartition` of each partition at most.
 * One query of each partition, in parallel, and one round of batch reads of the groups in which some of them are.
 * Eventually consistent, at half the price.
 *
 * All partitions are read from the same id on, so one id says how far the nodes were read. Those that one partition has
 * after the end of another are read again: with 100 of each, about a fifth.
 */
export async function readHeartbeatRange(
  table: Table,
  after: string | undefined,
  perPartition: number,
): Promise<HeartbeatRange> {
  const parts = await Promise.all(
    heartbeatPartitions.map(async (partition) => {
      const { items, more } = await queryUpTo(table, {
        partition,
        ExclusiveStartKey: after === undefined ? undefined : { pk: partition, sk: after },
        size: perPartition,
      });
      return { items, reach: more ? String(items.at(-1)?.['sk']) : undefined };
    }),
  );
  // Sorting puts undefined last.
  const reach = parts
    .map((part) => part.reach)
    .sort()
    .at(0);
  const items = parts
    .flatMap((part) => part.items.filter(({ sk }) => reach === undefined || String(sk) <= reach))
    .sort((left, right) => (String(left['sk']) < String(right['sk']) ? -1 : 1));
  return { heartbeats: await toHeartbeats(table, items, false), reach };
}

/**
 * Heartbeats of each partition that a request keeps at most: those of 50,000 nodes. One takes 1.3 KB of memory with two exporters, and as
 * much again while it is read, so all of them some 130 MB of the 512 of a function, and 40 us of a processor.
 */
export const MAX_KEPT_HEARTBEATS = 3125;

/** Heartbeats of each partition that are read first. They are those of random nodes, and say how many there are. */
const FIRST_HEARTBEATS = 100;

/** The number of all heartbeats, from those up to a node id; infinite for an id that is not random. */
function estimated({ heartbeats, reach = '' }: HeartbeatRange): number {
  const share = Number.parseInt(reach.slice(0, 8), 16) / 2 ** 32;
  return share > 0 ? heartbeats.length / share : Infinity;
}

/**
 * The heartbeats of all nodes if they are few, of which 26 take one unit, and two of a batch do; undefined otherwise, mostly after
 * 60 units.
 */
export async function allHeartbeats(table: Table, perPartition: number): Promise<Heartbeats | undefined> {
  const first = await readHeartbeatRange(table, undefined, Math.min(FIRST_HEARTBEATS, perPartition));
  const parts = [first];
  if (first.reach !== undefined) {
    if (estimated(first) > perPartition * heartbeatPartitions.length) return undefined;
    const rest = await readHeartbeatRange(table, first.reach, perPartition);
    if (rest.reach !== undefined) return undefined;
    parts.push(rest);
  }
  return new Map(parts.flatMap(({ heartbeats }) => heartbeats.map((heartbeat) => [heartbeat.nodeId, heartbeat])));
}
