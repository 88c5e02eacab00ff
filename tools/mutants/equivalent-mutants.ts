/** A mutant that no test can notice, because the program does the same. */
export interface EquivalentMutant {
  path: string;
  before: string;
  replacement: string;
  reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [];
