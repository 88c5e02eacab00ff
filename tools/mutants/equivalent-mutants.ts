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
  {
    path: 'functions/identity/by-device.ts',
    before: '60',
    replacement: '61',
    reason: 'A fraction of a poll is not allowed: 12.2 polls in a minute are 12.',
  },
  {
    path: 'functions/identity/check-providers.ts',
    before: '43',
    replacement: '44',
    reason: 'The code is refused before its verifier matters, which has 43 to 128 characters (RFC 7636).',
  },
  ...['console/reconcile/reconcile-page.tsx', 'console/role-bindings/preview-dialog.tsx'].map((path) => ({
    ...{ path, before: "'invalid_format'", replacement: "'mutant'" },
    reason: 'The console shows the message beside the field, and no reason.',
  })),
  {
    path: 'gateway/relay/reporter.ts',
    before: '>=',
    replacement: '>',
    reason: 'A flush at the same time as the scheduled one takes its place.',
  },
];
