import {
  BatchGetCommand,
  DeleteCommand,
  type GetCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../shared/db/table.ts';
import { withSend } from '../support/table.ts';

/** A command of the document client; which one it is shows in its class. */
export type Command = object;
export type Send = (command: Command) => Promise<any>;

/** Does something to a call, or lets it through to `next`. */
export type Disturbance = (command: Command, next: Send) => Promise<any>;

/** The table with disturbances in front of it; the first one sees a call first. The table itself stays as it is. */
export function disturbed(table: Table, disturbances: readonly Disturbance[]): Table {
  const send = disturbances.reduceRight<Send>(
    (next, disturbance) => (command) => disturbance(command, next),
    (command) => table.client.send(command as GetCommand),
  );
  return withSend(table, (command) => send(command));
}

export const isWrite = (command: Command) =>
  command instanceof TransactWriteCommand || command instanceof PutCommand || command instanceof DeleteCommand;

/** Simulates the end of the process: after this many writes, all calls fail. */
export function cutOff(): { disturbance: Disturbance; after: (writes: number) => void; never: () => void } {
  let left = Infinity;
  return {
    disturbance: async (command, next) => {
      if (left <= 0) throw new Error('cut off');
      if (isWrite(command)) left -= 1;
      return next(command);
    },
    after: (writes) => (left = writes),
    never: () => (left = Infinity),
  };
}

/** Does something of its own right before the first call that fits, once: races that go one way, always. */
export function once(fits: (command: Command) => boolean, act: () => Promise<unknown>): Disturbance {
  let done = false;
  return async (command, next) => {
    if (!done && fits(command)) {
      done = true;
      await act();
    }
    return next(command);
  };
}

export const isBatchGet = (command: Command) => command instanceof BatchGetCommand;
export const isTransaction = (command: Command) => command instanceof TransactWriteCommand;
