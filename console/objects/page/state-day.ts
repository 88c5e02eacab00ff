import type { ShownStatus } from '../../../functions/domain/agent/types.ts';
import type { State } from '../../../functions/domain/fields/liveness.ts';
import { stateWords, statusLook } from '../../model/health.ts';
import { plural } from '../../ui/words.ts';

const DAY_MS = 86_400_000;

/** A begin that is later than a day ago by less than this needs no mention. */
const SLACK_MS = 60_000;

export interface StateInterval {
  state: State;
  /** Of an agent that has one. */
  status?: ShownStatus | undefined;
  begin: string;
  end: string;
}

/** How an interval looks and is called: by the status of an agent while its host is live. */
export function meaningOf({ state, status }: Pick<StateInterval, 'state' | 'status'>) {
  return state === 'live' && status !== undefined ? statusLook(status) : stateWords[state];
}

const isGood = (interval: StateInterval) => meaningOf(interval).look === 'success';

/** The state whose colour and height an interval has. */
export function drawnAs(interval: StateInterval): State {
  const { look } = meaningOf(interval);
  if (look === 'success') return 'live';
  if (look === 'error') return 'offline';
  return look === 'warning' || look === 'in-progress' ? 'stale' : 'never_seen';
}

/** Whether these are the statuses of an agent. */
export const hasStatuses = ({ intervals }: Pick<StateDay, 'intervals'>): boolean =>
  intervals.some(({ status }) => status !== undefined);

/** The states of a node, a cluster or an agent in the last day, as the API replies them. */
export interface StateDay {
  begin: string;
  end: string;
  intervals: readonly StateInterval[];
  availability?: number | undefined;
  /** Only of a cluster. */
  all_live?: number | undefined;
}

/** `98.61 %`, rounded down: only 100 % means all the time. */
export function percentText(share: number): string {
  // The product can be a little less than the number that the share stands for.
  const hundredths = Math.floor(share * 10_000 + 1e-6);
  return `${(hundredths / 100).toLocaleString('en')} %`;
}

/** The availability in words; undefined if no state is known. @param beginText the begin, if it is later than a day ago. */
export function availabilityText(day: StateDay, beginText: string): string | undefined {
  const { begin, end, availability, all_live: allLive } = day;
  if (availability === undefined) return undefined;
  const isWhole = Date.parse(end) - Date.parse(begin) > DAY_MS - SLACK_MS;
  const time = isWhole ? 'of the last 24 hours' : `of the time since ${beginText}`;
  if (allLive === undefined) return `${hasStatuses(day) ? 'Running' : 'Live'} ${percentText(availability)} ${time}`;
  return `All services live ${percentText(allLive)} ${time}, at least one ${percentText(availability)}`;
}

/** The times in which it was not live, or an agent not running, the latest first. */
export const silentIntervalsOf = ({ intervals }: StateDay): StateInterval[] =>
  intervals.filter((interval) => !isGood(interval)).toReversed();

/** `2 interruptions`: an offline time after a stale one is the same interruption. */
export function interruptionsText({ intervals }: StateDay): string {
  const isGoodAt = (index: number) => {
    const interval = intervals[index];
    return interval === undefined || isGood(interval);
  };
  const count = intervals.filter((_, index) => !isGoodAt(index) && isGoodAt(index - 1)).length;
  return count === 0 ? 'No interruption' : plural(count, 'interruption');
}

/** Where an interval is in the day, from 0 to 1. */
export function placeInDay({ begin, end }: StateInterval, day: StateDay): { from: number; length: number } {
  const start = Date.parse(day.end) - DAY_MS;
  const from = (Date.parse(begin) - start) / DAY_MS;
  return { from, length: (Date.parse(end) - start) / DAY_MS - from };
}
