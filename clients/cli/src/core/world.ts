import type { HttpFetch } from '../../../typescript/src/options.ts';
import type { Clock } from './clock.ts';

/** The parts of a process that a command uses, so that tests run commands in their own. */
export interface World {
  env: Readonly<Record<string, string | undefined>>;
  /** Results. */
  out: (text: string) => void;
  /** Everything else. */
  err: (text: string) => void;
  /** The whole standard input. */
  readInput: () => Promise<string>;
  /** Asks the person at the terminal; undefined without one. */
  readonly ask: ((question: string, isSecret?: boolean) => Promise<string>) | undefined;
  /** Aborts with the reason of the end: Ctrl-C, SIGTERM. */
  signal: AbortSignal;
  /** Aborts when the process ends although the command has not: at a second signal, or when the first one takes too long. */
  leaving: AbortSignal;
  clock: Clock;
  /** Instead of the one of Node. */
  fetch?: HttpFetch;
}
