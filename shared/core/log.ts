import { redact } from './redact.ts';
import { DependencyError, faultOf } from './errors.ts';
import { timeOfDay } from './time-of-day.ts';

/** From the least important one on. */
export const levels = ['debug', 'info', 'error'] as const;

export type LogLevel = (typeof levels)[number];

/** One line of the log: flat JSON, names in snake_case. Must not contain a body, a header or a query string. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  [name: string]: string | number | boolean | undefined;
}

export type Log = (entry: LogEntry) => void;

/** A log of JSON lines. Keys in a text (in the cause of an error, for example) are redacted. */
export function jsonLog(write: (line: string) => void, least: LogLevel = 'info', clock = timeOfDay): Log {
  return (entry) => {
    if (levels.indexOf(entry.level) < levels.indexOf(least)) return;
    write(redact(JSON.stringify({ time: clock().toISOString(), ...entry })) + '\n');
  };
}

/**
 * The cause of an error, for the log only. Without a stack for a named fault and for errors of the database beneath it: an
 * operator repairs those.
 */
export function describeError(error: unknown, isOfFault = false): string {
  if (!(error instanceof Error)) return String(error);
  const isNamed = faultOf(error) !== undefined || (isOfFault && error instanceof DependencyError);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeError(error.cause, isNamed)}`;
  return `${isNamed ? String(error) : (error.stack ?? error.message)}${cause}`;
}
