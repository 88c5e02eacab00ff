import { redact } from '../auth/redact.ts';
import { faultOf } from './errors.ts';

/** One line of the log: plain JSON values, names in snake_case. Never a body, a header or a query string. */
export interface LogEntry {
  level: 'info' | 'error';
  message: string;
  [name: string]: string | number | boolean | undefined;
}

export type Log = (entry: LogEntry) => void;

/** A log of JSON lines. A key that slipped into a text (an error's cause, say) is blotted out. */
export function jsonLog(write: (line: string) => void, least: LogEntry['level'] = 'info'): Log {
  return (entry) => {
    if (least === 'error' && entry.level !== 'error') return;
    write(redact(JSON.stringify({ time: new Date().toISOString(), ...entry })) + '\n');
  };
}

/**
 * The cause of an error, for the log only. A fault that has a name is mended by an operator: neither it nor what the SDK said
 * has a stack.
 */
export function describeError(error: unknown, isOfFault = false): string {
  if (!(error instanceof Error)) return String(error);
  const isNamed = faultOf(error) !== undefined || (isOfFault && '$metadata' in error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeError(error.cause, isNamed)}`;
  return `${isNamed ? String(error) : (error.stack ?? error.message)}${cause}`;
}
