import * as z from 'zod/mini';
import type { Table } from '../../../shared/db/table.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';
import { type AttentionReason, type PlaceLabel, placeLabels } from '../../domain/records/summary.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { readSilences, SilencedObjects } from '../entities/silences.ts';
import { allHeartbeats, MAX_KEPT_HEARTBEATS, nodesOf, readHeartbeats } from '../heartbeats/heartbeat.ts';
import { reportedPorts } from '../heartbeats/shown-state.ts';
import { allPages, listByIndex } from '../lists/pages.ts';
import { isRelatedLabel, readRelated, type RelatedObjects, relatedValues } from '../lists/related-values.ts';
import { labelBytesOf } from '../lists/scrape-target.ts';
import { agentOrdersOf } from '../table/keys.ts';
import { countDropped, LargeObjects } from './dropped-labels.ts';
import { PropertyCounter } from './property-counter.ts';
import { propertyCountsSchema, noPropertyCounts } from './property-counts.ts';
import { ListSize, listSizeSchema, newListSize } from './list-size.ts';
import { addNodeStates, newNodeStates, nodeStatesSchema } from './node-states.ts';
import { Counter, tallySchema } from './tally.ts';

export interface CountLimits {
  /** Objects, rounded up to a page of the index. */
  objects: number;
  /** Heartbeats of each of the 16 partitions, which are read as a whole if this suffices. */
  heartbeats: number;
}

/** 20,000 objects: some 2,700 read units with 50,000 heartbeats, and 11,000 where these are read one by one, because they are more. */
export const countLimits: CountLimits = { objects: 20_000, heartbeats: MAX_KEPT_HEARTBEATS };

/** Agents of a finding whose nodes and services one page reads, at most half a unit each. Further ones have no places. */
const MAX_LOCATED_AGENTS = 1000;

/** No page of 1 MB contains more objects. */
const PAGE_SIZE = 10_000;

/** How far a count has come: the kind, and the place in its list. */
export const progressSchema = z.object({
  begunAt: z.number(),
  kind: z.enum(objectKinds),
  after: z.optional(z.tuple([z.string(), z.string()])),
  tally: tallySchema,
  /** Silenced objects on which others can rest. Absent in a count that an earlier version began. */
  silenced: z._default(z.array(z.string()), []),
  /** Objects with many labels on which targets can rest. Absent in a count that an earlier version began. */
  large: z._default(z.array(z.string()), []),
  /** Absent in a count that an earlier version began. */
  list: z.optional(listSizeSchema),
  /** Absent in a count that an earlier version began. */
  nodeStates: z.optional(nodeStatesSchema),
  /** Absent in a count that an earlier version began. */
  propertyCounts: z.optional(propertyCountsSchema),
});

export type Progress = z.output<typeof progressSchema>;

export const newCount = (now: Date): Progress => ({
  begunAt: now.getTime(),
  kind: 'node',
  tally: new Counter().result(),
  silenced: [],
  large: [],
  list: newListSize(),
  nodeStates: newNodeStates(now),
  propertyCounts: noPropertyCounts(),
});

/** An agent under an agent process that pushes its metrics: this service takes none. */
const pushes = ({ kind, object }: Entity): boolean =>
  kind === 'agent' && object.pmm_agent_id !== undefined && 'push_metrics' in object && object['push_metrics'] === true;

/**
 * The nodes with an enabled vm_agent, which takes what the agents there push. Reads all of these.
 *
 * @returns undefined if there are more than a part of a count reads.
 */
async function nodesWithCollector(table: Table): Promise<ReadonlySet<string> | undefined> {
  const nodes = new Set<string>();
  let read = 0;
  for await (const page of allPages(table, 'agent', agentOrdersOf('vm_agent', { index: 0, count: 1 }))) {
    for (const { kind, object } of page)
      if (kind === 'agent' && !object.disabled && object.runs_on_node_id !== undefined)
        nodes.add(object.runs_on_node_id);
    read += page.length;
    if (read > countLimits.objects) return undefined;
  }
  return nodes;
}

interface Symptom {
  reason: AttentionReason;
  entity: Entity;
}

/** The regions and clusters of an object, those of an agent by the objects that it is related to. */
function placesOf(entity: Entity, related: RelatedObjects): (readonly [PlaceLabel, string])[] {
  const valuesOf = (label: PlaceLabel) =>
    isRelatedLabel(entity.kind, label)
      ? relatedValues(entity, label, related, undefined)
      : [labelOf(entity.kind, entity.object, label) ?? ''].filter((value) => value !== '');
  return placeLabels.flatMap((label) => valuesOf(label).map((value) => [label, value] as const));
}

/** The name of an agent for people; undefined if its node was not read. */
function nameOfAgent({ kind, object }: Entity, related: RelatedObjects): string | undefined {
  const host =
    kind === 'agent' && object.runs_on_node_id !== undefined ? related.get(object.runs_on_node_id) : undefined;
  return kind === 'agent' && host?.kind === 'node' ? `${object.agent_type} on ${host.object.node_name}` : undefined;
}

/**
 * Counts where the objects that need attention are, and names the agents among the examples. Reads what agents are related
 * to, and nothing without such agents.
 */
async function locate(table: Table, counter: Counter, symptoms: readonly Symptom[]): Promise<void> {
  const agents = symptoms.filter(({ entity }) => entity.kind === 'agent');
  const isWithin = agents.length <= MAX_LOCATED_AGENTS;
  const related = isWithin
    ? await readRelated(
        table,
        agents.map(({ entity }) => entity),
        placeLabels,
      )
    : new Map<string, Entity>();
  for (const { reason, entity } of symptoms) {
    if (isWithin || entity.kind !== 'agent') counter.locate(reason, entity, placesOf(entity, related));
    const name = nameOfAgent(entity, related);
    if (name !== undefined) counter.nameExample(reason, entity, name);
  }
}

/**
 * Continues a count of all objects until it ends or reaches a limit. Eventually consistent. Objects that are added,
 * removed or renamed between two parts may be counted twice or not at all.
 */
export async function countPart(
  table: Table,
  { begunAt, tally, silenced, large, list, nodeStates, propertyCounts, ...place }: Progress,
  now: Date,
  limits: CountLimits = countLimits,
): Promise<{ progress: Progress; isDone: boolean }> {
  const counter = new Counter(tally);
  const [all, silences] = await Promise.all([allHeartbeats(table, limits.heartbeats), readSilences(table, now)]);
  const allPorts = all && reportedPorts(all.values());
  const silencedObjects = new SilencedObjects(silences, silenced);
  const largeObjects = new LargeObjects(large);
  const listSize = new ListSize(list ?? newListSize());
  let { kind, after } = place;
  const propertyCounter = propertyCounts && new PropertyCounter(propertyCounts, place);
  let collectors: { nodes: ReadonlySet<string> | undefined } | undefined;
  for (let read = 0; read < limits.objects;) {
    const listing = { kind, type: undefined, range: '', filter: () => true };
    const { objects, next } = await listByIndex(table, listing, { size: PAGE_SIZE, after });
    const heartbeats = all ?? (await readHeartbeats(table, objects, false));
    if (nodeStates !== undefined && kind === 'node')
      for (const entity of objects) {
        const heartbeat = heartbeats.get(idOf(entity));
        if (heartbeat !== undefined) addNodeStates(nodeStates, heartbeat);
      }
    await propertyCounter?.add(table, kind, objects, { heartbeats, now });
    if (collectors === undefined && objects.some(pushes)) collectors = { nodes: await nodesWithCollector(table) };
    const isCollected = (entity: Entity) =>
      !pushes(entity) || nodesOf(entity).every((id) => collectors?.nodes?.has(id) !== false);
    const symptoms = objects.flatMap((entity): Symptom[] => {
      const reason = counter.add(entity, heartbeats, now, silencedObjects.has(entity), isCollected(entity));
      return reason === undefined ? [] : [{ reason, entity }];
    });
    await locate(table, counter, symptoms);
    const ports = allPorts ?? reportedPorts(heartbeats.values());
    const agents = objects.flatMap((entity) => {
      const bytes = labelBytesOf(entity);
      listSize.add(entity, bytes, ports);
      return largeObjects.isLarge(entity, bytes) && entity.kind === 'agent' ? entity.object : [];
    });
    counter.addDropped(await countDropped(table, agents, heartbeats));
    read += objects.length;
    after = next;
    if (next !== undefined) continue;
    propertyCounter?.ended(kind, { heartbeats: all, now });
    const following = objectKinds[objectKinds.indexOf(kind) + 1];
    if (following === undefined)
      return {
        progress: {
          ...{ begunAt, kind, tally: counter.result(), silenced: [], large: [], list: listSize.state, nodeStates },
          propertyCounts: propertyCounter?.result(),
        },
        isDone: true,
      };
    kind = following;
  }
  const kept = { silenced: silencedObjects.kept(), large: largeObjects.kept(), list: listSize.state };
  const progress = {
    begunAt,
    kind,
    after,
    tally: counter.result(),
    ...kept,
    nodeStates,
    propertyCounts: propertyCounter?.result(),
  };
  return { progress, isDone: false };
}
