import type { Table } from '../../../shared/db/table.ts';
import { MAX_OBJECT_BYTES } from '../../domain/discovery/target-labels.ts';
import { referencesOf } from '../entities/derived-items.ts';
import { type Agent, type Entity, idOf } from '../entities/entity.ts';
import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import { reportedPorts } from '../heartbeats/shown-state.ts';
import { readReferencesOf } from '../lists/agents-with-targets.ts';
import { MemoryLimitError } from '../lists/held-objects.ts';
import { targetOf } from '../lists/scrape-target.ts';

/** The ids that are kept between two parts of a count, some 20 bytes each when compressed. */
const MAX_KEPT = 2000;

/** Agents of one page of the count whose nodes and services are read. Targets of further ones are not counted. */
const MAX_READ_AGENTS = 500;

/** Those of them whose nodes and services are in memory at once. */
const AGENTS_AT_ONCE = 250;

function unlessTooMany(error: unknown): undefined {
  if (!(error instanceof MemoryLimitError)) throw error;
}

function groundsOf({ kind, object }: Entity): readonly string[] {
  if (kind === 'node') return [];
  if (kind === 'service') return object.node_ids;
  const { nodeIds, serviceIds } = referencesOf(object);
  return [...nodeIds, ...serviceIds];
}

/** Which objects have many labels, asked in the order of their kinds: an object rests on those that were asked before. */
export class LargeObjects {
  private readonly ids: Set<string>;

  /** @param countedIds what `kept` returned in a former part of the same count. */
  constructor(countedIds: readonly string[] = []) {
    this.ids = new Set(countedIds);
  }

  /**
   * Whether a target can exceed its maximum because of the object, or of one that it rests on.
   *
   * @param bytes that the object adds to a target (`labelBytesOf`).
   */
  isLarge(entity: Entity, bytes: number): boolean {
    const isLarge = bytes > MAX_OBJECT_BYTES || groundsOf(entity).some((id) => this.ids.has(id));
    if (isLarge && entity.kind !== 'agent') this.ids.add(idOf(entity));
    return isLarge;
  }

  /** The ids for the next part. With more than 2,000, targets that rest on further ones are not counted. */
  kept(): string[] {
    return [...this.ids].slice(0, MAX_KEPT);
  }
}

/** How many of the agents are targets that lack custom labels. Reads their nodes and services, and nothing without agents. */
export async function countDropped(table: Table, all: readonly Agent[], heartbeats: Heartbeats): Promise<number> {
  const reported = reportedPorts(heartbeats.values());
  let dropped = 0;
  for (let start = 0; start < Math.min(all.length, MAX_READ_AGENTS); start += AGENTS_AT_ONCE) {
    const agents = all.slice(start, Math.min(start + AGENTS_AT_ONCE, MAX_READ_AGENTS));
    const references = await readReferencesOf(table, agents).catch(unlessTooMany);
    if (references === undefined) return dropped;
    const context = { agents, ...references, reportedPorts: reported };
    dropped += agents.filter((agent) => (targetOf(agent, context)?.dropped ?? 0) > 0).length;
  }
  return dropped;
}
