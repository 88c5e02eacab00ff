import type { Position } from '../../../shared/db/page-token.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type ObjectKind, objectKinds } from '../../domain/fields/object-kind.ts';
import type { Entity } from '../entities/entity.ts';
import type { Heartbeats } from '../heartbeats/heartbeat.ts';
import { stateOf } from '../heartbeats/shown-state.ts';
import { allPages } from '../lists/pages.ts';
import { PropertyCounts, Owners, type StoredPropertyCounts } from './property-counts.ts';

/** Objects of a kind whose values a part of a count reads again, for the objects that have these through them. */
export const MAX_OWNERS = 100_000;

/** One part of a count by the values of properties and labels. */
export class PropertyCounter {
  readonly #propertyCounts: PropertyCounts;
  readonly #owners = new Owners();
  /** Where the part begins. */
  readonly #begin: { kind: ObjectKind; after?: Position | undefined };
  readonly #maxOwners: number;

  constructor(
    stored: StoredPropertyCounts,
    begin: { kind: ObjectKind; after?: Position | undefined },
    maxOwners = MAX_OWNERS,
  ) {
    this.#propertyCounts = new PropertyCounts(stored);
    this.#begin = begin;
    this.#maxOwners = maxOwners;
  }

  /** Counts a page of the objects of a kind. */
  async add(
    table: Table,
    kind: ObjectKind,
    objects: readonly Entity[],
    facts: { heartbeats: Heartbeats; now: Date },
  ): Promise<void> {
    await this.#readOwners(table, kind);
    for (const entity of objects) {
      this.#owners.add(entity);
      this.#propertyCounts.add(entity, stateOf(entity, facts.heartbeats, facts.now), {
        ...facts,
        owners: this.#owners,
      });
    }
  }

  /**
   * All objects of the kind were counted. What an earlier part has read of it is not in memory. After the last kind nodes are counted by
   * cluster: all services were read for the clusters of agents, and the states of the nodes follow from their heartbeats alone.
   *
   * @param facts.heartbeats undefined if they are too many.
   */
  ended(kind: ObjectKind, { heartbeats, now }: { heartbeats: Heartbeats | undefined; now: Date }): void {
    if (this.#begin.after === undefined || this.#begin.kind !== kind) this.#owners.ended(kind, true);
    if (kind === objectKinds.at(-1)) this.#propertyCounts.addNodesByCluster(heartbeats, this.#owners, now);
  }

  result(): StoredPropertyCounts {
    return this.#propertyCounts.result();
  }

  /**
   * Reads the objects through which those of a kind have values, unless this part has read all of them: 10 units for 1,000. Each kind once;
   * with too many they stay unknown, and further parts do not read them again.
   */
  async #readOwners(table: Table, kind: ObjectKind): Promise<void> {
    for (const owner of objectKinds.slice(0, objectKinds.indexOf(kind))) {
      if (this.#owners.wasRead(owner) || !this.#propertyCounts.needs(owner)) continue;
      let read = 0;
      for await (const page of allPages(table, owner)) {
        for (const entity of page) this.#owners.add(entity);
        read += page.length;
        if (read > this.#maxOwners) break;
      }
      this.#owners.ended(owner, read <= this.#maxOwners);
      if (read > this.#maxOwners) this.#propertyCounts.dropThrough(owner);
    }
  }
}
