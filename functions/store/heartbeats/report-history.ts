import type { Life } from '../../domain/fields/liveness.ts';
import type { Report } from './stored-report.ts';

/** The length of the history of states. */
export const HISTORY_MS = 86_400_000;

/** The most interruptions of a process that are kept: some 20 bytes each, so that a report remains one write unit. */
export const MAX_INTERRUPTIONS = 16;

/** A time in which an agent process was not live, which a report ended. Milliseconds since 1970. */
export interface Interruption {
  staleAt: number;
  /** The end, if it was never offline. */
  offlineAt: number;
  endAt: number;
}

/** The states of an agent process until its last report. */
export interface ReportHistory {
  /** The states from this time on are known, in milliseconds since 1970. */
  since: number;
  /** Its first report was at `since`. */
  isWhole: boolean;
  /** In ascending order, without overlaps. */
  interruptions: readonly Interruption[];
}

/** The time at which a process is stale, unless it reports again. */
export const staleAtOf = ({ at, connected }: Report, { staleAfter }: Life) =>
  connected === false ? at : at + staleAfter * 1000;

export const offlineAtOf = ({ at }: Report, { offlineAfter }: Life) => at + offlineAfter * 1000;

/**
 * The history in a stored report. An empty one: it was live for a day, as most processes are. That of a report of a version
 * without histories begins with this report.
 */
export function historyOf({ at, history }: Report): ReportHistory {
  if (!Array.isArray(history)) return { since: at, isWhole: false, interruptions: [] };
  const [since = at - HISTORY_MS, isWhole, ...numbers] = history.map(Number);
  const interruptions: Interruption[] = [];
  for (let index = 0; index + 2 < numbers.length; index += 3) {
    const [endAt = NaN, staleMs = NaN, offlineMs = NaN] = numbers.slice(index, index + 3);
    interruptions.push({ staleAt: endAt - staleMs, offlineAt: endAt - offlineMs, endAt });
  }
  return { since, isWhole: isWhole === 1, interruptions };
}

/** As it is stored: numbers alone, and lengths instead of times, because DynamoDB stores two digits in a byte. */
function stored({ since, isWhole, interruptions }: ReportHistory, at: number): number[] {
  if (interruptions.length === 0 && since <= at - HISTORY_MS) return [];
  const numbers = interruptions.flatMap(({ staleAt, offlineAt, endAt }) => [endAt, endAt - staleAt, endAt - offlineAt]);
  return [since, isWhole ? 1 : 0, ...numbers];
}

/** The interruption that a report at this time ends; undefined if the process was live until then. */
function endedBy(last: Report, life: Life, endAt: number): Interruption | undefined {
  const staleAt = staleAtOf(last, life);
  return staleAt < endAt ? { staleAt, offlineAt: Math.min(offlineAtOf(last, life), endAt), endAt } : undefined;
}

/**
 * The history to store with a report at this time, which replaces the last one. If the clock was set back, it forgets the
 * interruptions that are later now. With too many interruptions it forgets the oldest, and begins at its end.
 */
export function historyAfter(last: Report | undefined, life: Life, at: number): number[] {
  if (last === undefined) return stored({ since: at, isWhole: true, interruptions: [] }, at);
  const lastHistory = historyOf(last);
  const kept = lastHistory.interruptions.filter(({ endAt }) => endAt > at - HISTORY_MS && endAt <= at);
  const next = endedBy(last, life, at);
  const previous = kept.at(-1);
  if (next !== undefined) {
    // A report of a lost connection does not end it.
    const isContinued = previous?.endAt === next.staleAt && previous.offlineAt === previous.endAt;
    if (isContinued) kept[kept.length - 1] = { ...next, staleAt: previous.staleAt };
    else kept.push(next);
  }
  const forgotten = kept.length > MAX_INTERRUPTIONS ? kept.shift() : undefined;
  const since = Math.min(forgotten?.endAt ?? lastHistory.since, at);
  return stored({ since, isWhole: lastHistory.isWhole && forgotten === undefined, interruptions: kept }, at);
}
