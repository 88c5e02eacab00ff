import type { Generation } from './enums.ts';

/** The version of PMM whose API each generation of clients finds: they compare its first number. */
export const PMM_VERSION: Readonly<Record<Generation, string>> = { 2: '2.44.0', 3: '3.0.0' };
