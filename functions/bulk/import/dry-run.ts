import { isDeepStrictEqual } from 'node:util';
import type { Item, Key, Table } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import type { AgentPlace } from '../../domain/agent/lifecycle.ts';
import type { ObjectLine } from '../../domain/bulk/inventory-line.ts';
import { dependentsKey, nameOfKey } from '../../store/table/keys.ts';
import {
  idOf,
  notFound,
  placeUnder,
  type Entity,
  toEntity,
  entityWithoutInternalFields,
} from '../../store/entities/entity.ts';
import {
  type Dependency,
  type DerivedItem,
  derivedItemChanges,
  derivedItemsOf,
} from '../../store/entities/derived-items.ts';
import { newDependentsCounter, refusalOf } from '../../store/inventory/dependents-counter.ts';
import { readItems } from '../../store/table/read.ts';
import type { LineWithObject } from './import-line.ts';
import { addedByImport, changedByImport, parentOf } from './merge-line.ts';

export interface Refusal {
  error: ApiError;
  /** The missing dependencies, if they are the only reason for the refusal. */
  missing: { kind: Dependency['kind']; id: string }[];
}

type DryRunEffect = 'added' | 'changed' | 'unchanged';

const counterKeyOf = ({ kind, id }: Dependency) => dependentsKey(kind, id);

/** The keys of the items that determine whether these derived items can be written: claims, and dependents counters. */
function decidingKeys(items: readonly DerivedItem[]): Key[] {
  return items.flatMap(({ key, taken, dependency }) => [
    ...(taken === undefined ? [] : [key]),
    ...(dependency === undefined ? [] : [counterKeyOf(dependency)]),
  ]);
}

/** The claims and dependents counters, as stored and as changed by the simulated writes. */
class SimulatedItems {
  readonly #present: Map<string, Item>;

  constructor(items: readonly Item[]) {
    this.#present = new Map(items.map((item) => [nameOfKey(item), item]));
  }

  /** @returns why the write would be refused. Undefined: it would succeed, and later writes take it into account. */
  write(old: Entity | undefined, next: Entity): Refusal | undefined {
    const { toDelete, toPut } =
      old === undefined ? { toDelete: [], toPut: derivedItemsOf(next) } : derivedItemChanges(old, next);
    const refusal = this.#refusal(toPut);
    if (refusal !== undefined) return refusal;
    for (const { taken, name } of toDelete) if (taken !== undefined) this.#present.delete(name);
    for (const { taken, name, attributes } of toPut) if (taken !== undefined) this.#present.set(name, attributes);
    const counter = old === undefined ? newDependentsCounter(next) : undefined;
    if (counter !== undefined) this.#present.set(nameOfKey(counter), counter);
    return undefined;
  }

  #refusal(toPut: readonly DerivedItem[]): Refusal | undefined {
    const taken = toPut.find((item) => item.taken !== undefined && this.#present.has(item.name))?.taken;
    if (taken !== undefined) return { error: taken(), missing: [] };
    const refused = toPut.flatMap(({ dependency }) => {
      if (dependency === undefined) return [];
      const counter = this.#present.get(nameOfKey(counterKeyOf(dependency)));
      const error = refusalOf(dependency, counter);
      return error instanceof ApiError ? [{ error, dependency, isMissing: counter === undefined }] : [];
    });
    const [first] = refused;
    if (first === undefined) return undefined;
    const isAll = refused.every(({ isMissing }) => isMissing);
    return {
      error: first.error,
      missing: isAll ? refused.map(({ dependency: { kind, id } }) => ({ kind, id })) : [],
    };
  }
}

const pmmAgents = (objects: readonly Entity[]) =>
  new Map(objects.flatMap((entity) => (entity.kind === 'agent' ? [[idOf(entity), entity] as const] : [])));

/** The object that a line adds or changes, or the reason why it is refused before a write. */
function wantedBy({ line, seen }: LineWithObject, parents: ReadonlyMap<string, Entity>, now: Date): Entity | Refusal {
  try {
    if (seen !== undefined) return toEntity(line.kind, changedByImport(seen, line, now));
    const parentId = parentOf(line);
    const parent = parentId === undefined ? undefined : parents.get(parentId);
    if (parentId !== undefined && parent === undefined)
      return { error: notFound('agent', parentId), missing: [{ kind: 'agent', id: parentId }] };
    const place: AgentPlace = parent === undefined ? {} : placeUnder(parent);
    return toEntity(line.kind, addedByImport(line, place, now));
  } catch (error) {
    if (error instanceof ApiError) return { error, missing: [] };
    throw error;
  }
}

const isRefusal = (wanted: Entity | Refusal): wanted is Refusal => 'error' in wanted;

/** The pmm_agents that lines may add. */
function inLines(lines: readonly ObjectLine[], now: Date): Entity[] {
  return lines.flatMap((line) =>
    line.kind === 'agent' && line.object.agent_type === 'pmm_agent'
      ? [toEntity('agent', addedByImport(line, {}, now))]
      : [],
  );
}

/**
 * The outcome of an import, line by line, without writing anything. Each line takes the earlier lines into account. Two
 * rounds of strongly consistent batch reads; the caller makes the first.
 *
 * @param stored the stored objects of the lines and of their pmm_agents.
 */
export async function dryRun(
  table: Table,
  planned: readonly LineWithObject[],
  stored: readonly Entity[],
  now: Date,
): Promise<(DryRunEffect | Refusal)[]> {
  const lines = planned.map(({ line }) => line);
  const parents = pmmAgents([...inLines(lines, now), ...stored]);
  const wanted = planned.map((line) => wantedBy(line, parents, now));
  const items = wanted.flatMap((entity) => (isRefusal(entity) ? [] : derivedItemsOf(entity)));
  const keys = new Map(decidingKeys(items).map((key) => [nameOfKey(key), key]));
  const simulated = new SimulatedItems(await readItems(table, [...keys.values()]));
  return wanted.map((next, index): DryRunEffect | Refusal => {
    if (isRefusal(next)) return next;
    const seen = planned[index]?.seen;
    if (seen !== undefined && isDeepStrictEqual(entityWithoutInternalFields(seen), entityWithoutInternalFields(next)))
      return 'unchanged';
    return simulated.write(seen, next) ?? (seen === undefined ? 'added' : 'changed');
  });
}
