import { storedPreference } from './preference.ts';

export const refreshIntervals = ['30s', '10s', 'off'] as const;

export type RefreshInterval = (typeof refreshIntervals)[number];

/** The interval at which the page refreshes itself. */
export const refreshInterval = storedPreference('auto-refresh', refreshIntervals);

/** States follow from the time since the last report, so they change without a change of an object. */
export const STATES_MS = 30_000;

/** The states of objects that take one request each. */
export const COSTLY_STATES_MS = 120_000;
