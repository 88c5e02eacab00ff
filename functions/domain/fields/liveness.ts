import * as z from 'zod/mini';
import { lazily } from '../../../shared/core/lazily.ts';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { durationText } from './duration.ts';
import type { Option } from './options.ts';
import { whenObject } from './common-fields.ts';

/** The state of an object, according to the last report of the agent process of its node. */
export const states = ['live', 'stale', 'offline', 'never_seen'] as const;

export type State = (typeof states)[number];

/** From the best to the worst. */
export const severity: readonly State[] = ['live', 'never_seen', 'stale', 'offline'];

export const lifetimes = ['permanent', 'ephemeral'] as const;

export type Lifetime = (typeof lifetimes)[number];

/** The defaults of a node's timers. */
export const standardTimers = { stale_after: '10m', offline_after: '30m', remove_after: '1d' } as const;

export type Timer = keyof typeof standardTimers;

/** The present defaults as one value. Timers that are stored with another value were computed with other defaults. */
export const presentDefaults = Object.values(standardTimers).join(' ');

/** The minimum keeps a slightly late report from counting as a failure; the maximum keeps sums of times small. */
const LEAST_SECONDS = 10;
const MOST_SECONDS = 365 * 86_400;

/** @returns undefined for text that is no valid duration of a timer. */
function timerSeconds(text: unknown): number | undefined {
  const seconds = typeof text === 'string' ? parseTimeToLive(text) : undefined;
  return seconds !== undefined && seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS ? seconds : undefined;
}

/** Stays text: replies contain it as it was given. */
const duration = durationText(timerSeconds, { least: '10s', most: '365d' });

const timer = (description: string, name: Timer): Option => ({
  schema: duration,
  description: `${description}, such as 90s or 5m. Default: ${standardTimers[name]}.`,
});

/** The options of every node type that concern its lifetime. */
export const lifeOptions = lazily(
  () =>
    ({
      lifetime: {
        schema: z.enum(lifetimes),
        description: 'ephemeral: removed after remove_after without a report. Default: permanent.',
      },
      stale_after: timer('Time without a report after which it is stale', 'stale_after'),
      offline_after: timer('Time without a report after which it is offline', 'offline_after'),
      remove_after: timer('Time without a report after which an ephemeral node may be removed', 'remove_after'),
    }) as const satisfies Record<string, Option>,
);

export const lifeOptionNames = ['lifetime', 'stale_after', 'offline_after', 'remove_after'] as const;

interface LifeFields {
  lifetime?: unknown;
  stale_after?: unknown;
  offline_after?: unknown;
  remove_after?: unknown;
}

/** The lifetime settings of a node, in seconds. */
export interface Life {
  lifetime: Lifetime;
  staleAfter: number;
  offlineAfter: number;
  removeAfter: number;
}

const standardSeconds = lazily((): Readonly<Record<Timer, number>> => {
  const of = (name: Timer) => timerSeconds(standardTimers[name]) ?? NaN;
  return { stale_after: of('stale_after'), offline_after: of('offline_after'), remove_after: of('remove_after') };
});

const secondsOf = (fields: LifeFields, name: Timer) => timerSeconds(fields[name]) ?? standardSeconds()[name];

/** Whether two nodes state the same lifetime settings; an absent one differs from its default, which another version may change. */
export function haveSameLife(left: object, right: object): boolean {
  const [before, after]: [LifeFields, LifeFields] = [{ ...left }, { ...right }];
  return lifeOptionNames.every((name) => before[name] === after[name]);
}

export function lifeOf(given: object): Life {
  const node: LifeFields = { ...given };
  return {
    lifetime: node.lifetime === 'ephemeral' ? 'ephemeral' : 'permanent',
    staleAfter: secondsOf(node, 'stale_after'),
    offlineAfter: secondsOf(node, 'offline_after'),
    removeAfter: secondsOf(node, 'remove_after'),
  };
}

/** The timers of a node, including defaults, must be in ascending order. */
export function timersAreInOrder<T extends object>() {
  return z.check<T>(({ value: fields, issues }) => {
    const value: LifeFields = { ...fields };
    const refuse = (field: Timer, reason: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message, params: { reason } });
    const { lifetime, staleAfter, offlineAfter, removeAfter } = lifeOf(value);
    if (offlineAfter <= staleAfter) {
      const field = value.offline_after === undefined ? 'stale_after' : 'offline_after';
      refuse(field, 'out_of_range', 'offline_after must be longer than stale_after.');
    }
    if (value.remove_after !== undefined && lifetime === 'permanent')
      refuse('remove_after', 'not_allowed', 'Allowed only for an ephemeral node.');
    else if (lifetime === 'ephemeral' && removeAfter < offlineAfter) {
      const field = value.remove_after === undefined ? 'offline_after' : 'remove_after';
      refuse(field, 'out_of_range', 'remove_after must be at least offline_after.');
    }
  }, whenObject);
}

/** @param silentMs time since the last report; undefined without a report. */
export function stateAfter(silentMs: number | undefined, { staleAfter, offlineAfter }: Life): State {
  if (silentMs === undefined) return 'never_seen';
  if (silentMs < staleAfter * 1000) return 'live';
  return silentMs < offlineAfter * 1000 ? 'stale' : 'offline';
}

/** An agent process reports after this share of stale_after, so that one report may be lost. */
export const REPORT_SHARE = 0.4;

/** The time until the next report varies by this share, so that hosts that were started together do not report together. */
const REPORT_JITTER = 0.1;

/** A stored report younger than this share of stale_after lasts until the next report. */
export const STORED_SHARE = 0.5;

/** Seconds until an agent process reports again. @param random from 0 to 1. */
export function reportAfterSeconds({ staleAfter }: Life, random: number): number {
  return Math.max(1, Math.round(staleAfter * REPORT_SHARE * (1 + REPORT_JITTER * (2 * random - 1))));
}

/** Whether a report that says nothing new need not be stored. @param ageMs age of the stored report. */
export function lastsUntilNextReport(ageMs: number, { staleAfter }: Life): boolean {
  return ageMs >= 0 && ageMs < staleAfter * 1000 * STORED_SHARE;
}

/** The state of an object with several nodes, such as a cluster: the best state of them. */
export function bestOf(several: readonly State[]): State {
  return states.find((state) => several.includes(state)) ?? 'never_seen';
}

/** The names of the fields of a reply that say whether an object is alive. */
export const stateFields = ['state', 'reported_at', 'removing'] as const;

/** The schemas of these fields: most functions need only the names. */
export const stateShape = lazily(() => ({
  state: z.optional(
    z.enum(states).check(
      z.meta({
        description:
          'Computed from the last report of the agent process of its node; of several nodes, the best. Only in replies of ' +
          'get, and of list with `include=state`; not part of the revision.',
      }),
    ),
  ),
  reported_at: z.optional(
    z.iso.datetime().check(
      z.meta({
        description:
          'Last report of the agent process of its node; of several nodes, the latest. Absent before the first report. ' +
          'Only in replies of get, and of list with `include=state`.',
      }),
    ),
  ),
  removing: z.optional(
    z.literal(true).check(
      z.meta({
        description: 'A forced removal has begun, and the service finishes it. New references are refused.',
      }),
    ),
  ),
}));
