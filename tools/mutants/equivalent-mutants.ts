/** A mutant that no test can notice, because the program does the same. */
export interface EquivalentMutant {
  path: string;
  before: string;
  replacement: string;
  reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    path: 'functions/store/summary/count.ts',
    before: "nodeStates !== undefined && kind === 'node'",
    replacement: 'nodeStates !== undefined',
    reason: 'Heartbeats are found by the id of a node: services and agents have none.',
  },
  {
    path: 'functions/store/inventory/restore.ts',
    before: 'before ?? {}',
    replacement: 'before',
    reason: 'Every removal contains the object before it; without it both are an internal error.',
  },
  {
    path: 'functions/identity/provider-clock.ts',
    before: "''",
    replacement: "'mutant'",
    reason: 'Neither text is a time.',
  },
];
