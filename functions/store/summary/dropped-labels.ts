import type { Table } from '../../../shared/db/table.ts';
import { MAX_OBJECT_BYTES } from '../../domain/discovery/target-labels.ts';
import { referencesOf } from '../entities/derived-items.ts';
import { type Agent, type Entity, idOf } from '../entities/entity.ts';
import { type Heartbeats, reportedPorts } from '../heartbeats/heartbeat.ts';
import { readReferencesOf } from '../lists/agents-with-targets.ts';
import { labelBytesOf, targetOf } from '../lists/scrape-target.ts';

/** The ids that are kept between two parts of a count, some 20 bytes each when compressed. */
const MAX_KEPT = 2000;

/** Agents of one page of the count whose nodes and services are read. Targets of further ones are not counted. */
const MAX_READ_AGENTS = 500;

function groundsOf({ kind, object }: Entity): readonly string[] {
  if (kind === 'node') return [];
  if (kind === 'service') return object.node_ids;
  const { nodeIds, serviceIds } = referencesOf(object);
  return [...nodeIds, ...serviceIds];
}

/** Which objects have many labels, asked in the order of their kinds: an object rests on those that were asked before. */
export class LargeObjects {
  private readonly ids: Set<string>;

  /** @param known what `kept` returned in a former part of the same count. */
  constructor(known: readonly string[] = []) {
    this.ids = new Set(known);
  }

  /** Whether a target can exceed its maximum because of the object, or of one that it rests on. */
  isLarge(entity: Entity): boolean {
    const isLarge = labelBytesOf(entity) > MAX_OBJECT_BYTES || groundsOf(entity).some((id) => this.ids.has(id));
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
  if (all.length === 0) return 0;
  const agents = all.slice(0, MAX_READ_AGENTS);
  const known = await readReferencesOf(table, agents);
  const context = { agents, ...known, reportedPorts: reportedPorts(heartbeats.values()) };
  return agents.filter((agent) => (targetOf(agent, context)?.dropped ?? 0) > 0).length;
}
