import * as z from 'zod/mini';
import { secondsOf } from '../../../shared/core/seconds.ts';
import type { Table } from '../../../shared/db/table.ts';
import { matchesSelector } from '../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { labelOf } from '../../domain/fields/filterable-labels.ts';
import { groundsOf } from '../../domain/records/silence-grounds.ts';
import { SILENCES_PARTITION } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import { type Entity, idOf } from './entity.ts';

const silenceSchema = z.object({
  silence_id: z.string(),
  selector: z.string(),
  reason: z.string(),
  created_at: z.string(),
  created_by: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  /** Seconds since 1970. */
  expires_at: z.int(),
});

export type Silence = z.output<typeof silenceSchema>;

/** The silences that have not ended, by id: one strongly consistent query of few items. */
export async function readSilences(table: Table, now: Date): Promise<Silence[]> {
  const items = await readCollection(table, SILENCES_PARTITION);
  return items.map((item) => z.parse(silenceSchema, item)).filter(({ expires_at: end }) => end > secondsOf(now));
}

/** The ids that are kept between two parts of a count, some 20 bytes each when compressed. */
const MAX_KEPT = 5000;

const areAll = (ids: readonly string[], silenced: ReadonlySet<string>) =>
  ids.length > 0 && ids.every((id) => silenced.has(id));

/** Which objects are silenced, asked in the order of their kinds: an object can rest on those that were asked before. */
export class SilencedObjects {
  private readonly selectors: readonly ReturnType<typeof parseSelector>[];
  private readonly ids: Set<string>;

  /** @param silencedIds what `kept` returned in a former part of the same count. */
  constructor(silences: readonly Silence[], silencedIds: readonly string[] = []) {
    this.selectors = silences.map(({ selector }) => parseSelector(selector));
    this.ids = new Set(silencedIds);
  }

  /**
   * Whether a silence matches the object, or everything that it rests on is silenced: all nodes of a service; the node of
   * an agent, or all of its targets.
   */
  has(entity: Entity): boolean {
    const { kind, object } = entity;
    const isSilenced =
      this.selectors.some((selector) => matchesSelector(selector, (label) => labelOf(kind, object, label))) ||
      groundsOf(object).some((ground) => areAll([...ground.node_ids, ...ground.service_ids], this.ids));
    if (isSilenced && kind !== 'agent') this.ids.add(idOf(entity));
    return isSilenced;
  }

  /** The ids for the next part. With more than 5,000, what rests on further ones is not silenced with them. */
  kept(): string[] {
    return [...this.ids].slice(0, MAX_KEPT);
  }
}
