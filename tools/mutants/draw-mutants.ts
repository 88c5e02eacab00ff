import type { Random } from '../../tests/consistency/random.ts';
import type { EquivalentMutant } from './equivalent-mutants.ts';
import { type Mutant, mutantsIn } from './mutants-in.ts';

export interface DrawnMutant extends Mutant {
  /** From the root. */
  path: string;
}

/** The texts of the files of an area by their paths. */
export type Area = ReadonlyMap<string, string>;

/**
 * Draws mutants: the areas by turns, and of an area first the kind, as otherwise most mutants were comparisons. A file has one
 * mutant at most. The same sources and the same seed have the same mutants.
 */
export function drawMutants(
  areas: readonly Area[],
  count: number,
  random: Random,
  equivalents: readonly EquivalentMutant[] = [],
): DrawnMutant[] {
  const isEquivalent = (mutant: DrawnMutant) =>
    equivalents.some(
      ({ path, before, replacement }) =>
        path === mutant.path && before === mutant.before && replacement === mutant.replacement,
    );
  const pools = areas.map((area) =>
    [...area].flatMap(([path, text]) =>
      mutantsIn(text, path)
        .map((mutant) => ({ path, ...mutant }))
        .filter((mutant) => !isEquivalent(mutant)),
    ),
  );
  const drawn: DrawnMutant[] = [];
  while (drawn.length < count && pools.some((pool) => pool.length > 0)) {
    for (const [index, pool] of pools.entries()) {
      if (pool.length === 0 || drawn.length === count) continue;
      const kind = random.pick([...new Set(pool.map((mutant) => mutant.kind))]);
      const mutant = random.pick(pool.filter((candidate) => candidate.kind === kind));
      drawn.push(mutant);
      pools[index] = pool.filter(({ path }) => path !== mutant.path);
    }
  }
  return drawn;
}
