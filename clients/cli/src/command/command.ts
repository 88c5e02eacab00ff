import type { Client } from '../../../typescript/src/operation.ts';
import type { Exit } from '../core/exit-codes.ts';
import type { Format, Output } from '../output/output.ts';
import type { Settings } from '../connection/settings.ts';
import type { Options } from '../core/options.ts';
import type { World } from '../core/world.ts';

/** An option of a command. */
export interface OptionSpec {
  /** `-l, --selector <selector>`, as commander reads it. */
  flags: string;
  description: string;
  /** All values that it takes. */
  words?: readonly string[];
  /** May be given several times. */
  many?: true;
  /** Another name of an option: help, completion and manual pages leave it out. */
  isHidden?: true;
}

/** The arguments of an action. */
export interface CommandCall {
  /** The words of the command: `key add`. */
  name: string;
  /** The arguments in their order; the last one can have several. */
  args: readonly string[];
  options: Options;
  world: World;
  /** The table of commands. */
  commands: readonly CommandSpec[];
  output: Output;
  settings: () => Promise<Settings>;
  connect: () => Promise<Client>;
}

/** The module of a command, loaded when it is called. */
export interface Action {
  options?: readonly OptionSpec[];
  /** Ends in order when the signal aborts: it cancels, removes or tells what was done. Others end at once. */
  isOrderly?: boolean;
  /** The formats of its result, which is no list. Default: all. Another one is refused before anything is done. */
  formats?: readonly Format[];
  /** `--timeout` limits the whole command and not a request. */
  isWaiting?: boolean;
  /** A sentence for its help and its manual page. */
  note?: string;
  run: (call: CommandCall) => Promise<Exit | undefined>;
}

/** A command in the table. */
export interface CommandSpec {
  /** `get`, or `context list`. */
  name: string;
  /** `<kind> [name...]`, as commander reads it. */
  args?: string;
  summary: string;
  examples?: readonly string[];
  /** Not for people. */
  isHidden?: true;
  load: () => Promise<Action>;
}
