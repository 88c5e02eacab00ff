import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CONNECTED_TWICE } from '../../domain/agent/connected-twice.ts';
import { severity, type State, states } from '../../domain/fields/liveness.ts';
import {
  type AttentionReason,
  MAX_COUNTED_CLUSTERS,
  MAX_COUNTED_ZONES,
  MAX_EXAMPLES,
  MAX_PLACES,
  type PlaceLabel,
  placeLabels,
  UNSEEN_MINUTES,
} from '../../domain/records/summary.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { type Finding, findingSchema, type LabelCount, type Zone, zoneSchema } from './tally-parts.ts';
import { clusterFindings, LifelessClusters, lifelessSchema } from './lifeless-clusters.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import { stateOf, statusOf } from '../heartbeats/shown-state.ts';
import { largestValues, OTHER, Rows, rowSchema, withOther } from './rows.ts';

/** Bytes of the places of a finding while it is counted: all that is counted is stored in one item. */
const MAX_PLACE_BYTES = 10_000;

const bytesOf = (places: readonly (readonly [PlaceLabel, string, ...unknown[]])[]) =>
  places.reduce((sum, [label, value]) => sum + Buffer.byteLength(label + value) + 12, 0);

/** The values of each label with the most objects. */
const largest = (places: readonly LabelCount[]): LabelCount[] =>
  placeLabels.flatMap((label) =>
    places
      .filter((place) => place[0] === label)
      .toSorted((left, right) => right[2] - left[2] || (left[1] < right[1] ? -1 : 1))
      .slice(0, MAX_PLACES),
  );

/** By a digest of the name: the worst state and the types of its services. */
const clustersSchema = z.record(z.string(), z.tuple([z.enum(states), z.array(z.string())]));

/** A summary that an earlier version has stored contains no zones and no silenced objects. */
const zonesSchema = z._default(z.array(zoneSchema), []);
const silencedSchema = z._default(z.array(rowSchema), []);

/** Targets without some of their custom labels. Not in a count of an earlier version. */
const droppedSchema = z._default(z.int(), 0);

export const tallySchema = z.object({
  rows: z.array(rowSchema),
  /** The part of them that is silenced. */
  silenced: silencedSchema,
  clusters: clustersSchema,
  lifeless: lifelessSchema,
  zones: zonesSchema,
  /** Whether a limit left clusters uncounted. */
  isCut: z.boolean(),
  findings: z.array(findingSchema),
  dropped: droppedSchema,
});

export type Tally = z.output<typeof tallySchema>;

/** The result of a count. */
export const resultSchema = z.object({
  rows: z.array(rowSchema),
  silenced: silencedSchema,
  /** Numbers of clusters by the state and by the types of their services. */
  clusters: z.object({
    total: z.int(),
    by_state: z.partialRecord(z.enum(states), z.int()),
    by_type: z.record(z.string(), z.int()),
    without_live_member: z._default(z.int(), 0),
  }),
  zones: zonesSchema,
  isCut: z.boolean(),
  findings: z.array(findingSchema),
  dropped: droppedSchema,
});

export type CountResult = z.output<typeof resultSchema>;

/** How often each word occurs. */
function countsOf(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
}

export function resultOf(counted: Tally): CountResult {
  const { rows, silenced, clusters, lifeless, zones, isCut, findings, dropped } = counted;
  const all = Object.values(clusters);
  const named = largestValues(rows);
  return {
    rows: withOther(rows, named),
    silenced: withOther(silenced, named),
    clusters: {
      total: all.length,
      by_state: countsOf(all.map(([state]) => state)),
      by_type: countsOf(all.flatMap(([, types]) => types)),
      without_live_member: Object.keys(lifeless).length,
    },
    zones,
    isCut,
    findings: [
      ...clusterFindings(lifeless),
      ...findings.map((finding) => ({ ...finding, places: largest(finding.places) })),
    ],
    dropped,
  };
}

/** The reason that an agent process last reported of itself; undefined for any other object. */
function reasonOfProcess(entity: Entity, heartbeats: Heartbeats): string | undefined {
  if (entity.kind !== 'agent' || entity.object.agent_type !== 'pmm_agent') return undefined;
  const { agent_id: id, runs_on_node_id: nodeId = '' } = entity.object;
  return heartbeats.get(nodeId)?.processes.get(id)?.reasons?.[id];
}

/** Whether a node has not reported for long since it was added. */
const isUnseen = ({ object }: Entity, state: State, now: Date): boolean =>
  state === 'never_seen' && now.getTime() - Date.parse(object.created_at) >= UNSEEN_MINUTES * 60_000;

/** Eight bytes: names have up to 1,000, and the clusters that were counted are stored between two parts of a count. */
const digestOf = (name: string) => createHash('sha256').update(name).digest().subarray(0, 8).toString('base64url');

const emptyTally: Tally = {
  rows: [],
  silenced: [],
  clusters: {},
  lifeless: {},
  zones: [],
  isCut: false,
  findings: [],
  dropped: 0,
};

/** Counts objects one after the other; a count can be stored and continued. */
export class Counter {
  private readonly rows: Rows;
  private readonly clusters: Map<string, { state: State; types: Set<string> }>;
  private readonly lifeless: LifelessClusters;
  private readonly zones: Map<string, Zone>;
  private readonly findings: Map<string, Finding>;
  private isCut: boolean;
  private dropped: number;

  constructor({ rows, silenced, clusters, lifeless, zones, isCut, findings, dropped }: Tally = emptyTally) {
    this.rows = new Rows(rows, silenced);
    this.clusters = new Map(
      Object.entries(clusters).map(([name, [state, types]]) => [name, { state, types: new Set(types) }]),
    );
    this.lifeless = new LifelessClusters(lifeless);
    this.zones = new Map(zones.map((zone) => [JSON.stringify(zone.slice(0, 2)), zone]));
    this.findings = new Map(findings.map((symptom) => [`${symptom.reason} ${symptom.kind}`, symptom]));
    this.isCut = isCut;
    this.dropped = dropped;
  }

  /**
   * @param isCollected of an agent that pushes its metrics: whether somebody takes them.
   * @returns the reason for which the object needs attention: none for a silenced one.
   */
  add(
    entity: Entity,
    heartbeats: Heartbeats,
    now: Date,
    isSilenced = false,
    isCollected = true,
  ): AttentionReason | undefined {
    const state = stateOf(entity, heartbeats, now);
    switch (entity.kind) {
      case 'node': {
        const { node_type: type, node_name: name, region = '' } = entity.object;
        this.rows.count('node', type, state, region, isSilenced);
        if (region !== '') this.addToZone(region, labelOf('node', entity.object, 'az') ?? '', state);
        if (isSilenced) return undefined;
        return isUnseen(entity, state, now)
          ? this.find('never_seen', entity, name)
          : this.findSilent(entity, name, state);
      }
      case 'service': {
        const { service_type: type, service_name: name } = entity.object;
        this.rows.count('service', type, state, labelOf('service', entity.object, 'environment') ?? '', isSilenced);
        this.addToCluster(entity, state, isSilenced);
        return isSilenced ? undefined : this.findSilent(entity, name, state);
      }
      case 'agent': {
        const status = statusOf(entity, heartbeats, now) ?? '';
        this.rows.count('agent', entity.object.agent_type, state, status, isSilenced);
        if (isSilenced) return undefined;
        const isSilent = state === 'offline' || state === 'never_seen';
        return !isSilent && reasonOfProcess(entity, heartbeats) === CONNECTED_TWICE
          ? this.find('connected_twice', entity, entity.object.agent_type)
          : this.findIdle(entity, state, status, isCollected);
      }
    }
  }

  /** Names an example by what it is related to. */
  nameExample(reason: AttentionReason, entity: Entity, name: string): void {
    const finding = this.findings.get(`${reason} ${entity.kind}`);
    const example = finding?.examples.find(({ id }) => id === idOf(entity));
    if (example !== undefined) example.name = name;
  }

  /** Counts the places of an object that needs attention. With too many, the object is not located. */
  locate(reason: AttentionReason, { kind }: Entity, places: readonly (readonly [PlaceLabel, string])[]): void {
    const finding = this.findings.get(`${reason} ${kind}`);
    if (finding === undefined) return;
    const placeOf = ([label, value]: readonly [PlaceLabel, string]) =>
      finding.places.find((placeCount) => placeCount[0] === label && placeCount[1] === value);
    const added = places.filter((labelPlace) => placeOf(labelPlace) === undefined);
    if (added.length > 0 && bytesOf([...finding.places, ...added]) > MAX_PLACE_BYTES) return;
    finding.places.push(...added.map(([label, value]): LabelCount => [label, value, 0]));
    for (const labelPlace of places) {
      const place = placeOf(labelPlace);
      if (place !== undefined) place[2] += 1;
    }
    finding.located += 1;
  }

  /** Counts targets without some of their custom labels. */
  addDropped(targets: number): void {
    this.dropped += targets;
  }

  result(): Tally {
    return {
      ...this.rows.result(),
      clusters: Object.fromEntries([...this.clusters].map(([name, { state, types }]) => [name, [state, [...types]]])),
      lifeless: this.lifeless.result(),
      zones: [...this.zones.values()],
      isCut: this.isCut,
      findings: [...this.findings.values()],
      dropped: this.dropped,
    };
  }

  private find(reason: AttentionReason, entity: Entity, name: string): AttentionReason {
    const key = `${reason} ${entity.kind}`;
    const symptom = this.findings.get(key) ?? {
      reason,
      kind: entity.kind,
      count: 0,
      places: [],
      located: 0,
      examples: [],
    };
    symptom.count += 1;
    if (symptom.examples.length < MAX_EXAMPLES) symptom.examples.push({ id: idOf(entity), name });
    this.findings.set(key, symptom);
    return reason;
  }

  private findSilent(entity: Entity, name: string, state: State): AttentionReason | undefined {
    return state === 'offline' || state === 'stale' ? this.find(state, entity, name) : undefined;
  }

  /** An agent of a silent process is no finding of its own: its node is one. */
  private findIdle(
    entity: EntityOf<'agent'>,
    state: State,
    status: string,
    isCollected: boolean,
  ): AttentionReason | undefined {
    const { agent_type: type, disabled } = entity.object;
    if (disabled || state === 'offline' || state === 'never_seen') return undefined;
    if (status === 'waiting') return this.find('waiting', entity, type);
    if (['starting', 'stopping', 'done'].includes(status)) return this.find('not_running', entity, type);
    return status === 'running' && !isCollected ? this.find('not_collected', entity, type) : undefined;
  }

  private addToZone(region: string, az: string, state: State): void {
    const zoneKey = JSON.stringify([region, az]);
    const isCounted = this.zones.has(zoneKey) || this.zones.size < MAX_COUNTED_ZONES;
    const [key, zone]: [string, Zone] = isCounted
      ? [zoneKey, [region, az, {}]]
      : [JSON.stringify([OTHER, '']), [OTHER, '', {}]];
    const [, , counts] = this.zones.get(key) ?? zone;
    counts[state] = (counts[state] ?? 0) + 1;
    this.zones.set(key, [zone[0], zone[1], counts]);
  }

  private addToCluster({ object }: EntityOf<'service'>, state: State, isSilenced: boolean): void {
    const name = labelOf('service', object, 'cluster');
    if (name === undefined) return;
    const digest = digestOf(name);
    const cluster = this.clusters.get(digest);
    if (cluster !== undefined) {
      cluster.types.add(object.service_type);
      if (severity.indexOf(state) > severity.indexOf(cluster.state)) cluster.state = state;
    } else if (this.clusters.size < MAX_COUNTED_CLUSTERS)
      this.clusters.set(digest, { state, types: new Set([object.service_type]) });
    else {
      this.isCut = true;
      return;
    }
    this.lifeless.add({ digest, name }, { state, isSilenced, isFirst: cluster === undefined });
  }
}
