import { ApiError } from '../http/errors.ts';

/** It lasts until somebody mends it: a client that asks every second would only fill the log. */
const RETRY_AFTER_SECONDS = '10';

/** Something that an operator has to mend before the table can be used. Both sentences are shown to callers: no path, no name. */
export interface Fault {
  /** For the log. */
  name: string;
  /** What is wrong. */
  problem: string;
  /** What to do about it. */
  remedy: string;
}

/** The table cannot be used, and repeating the request does not help. */
export class TableFault extends ApiError {
  constructor({ name, problem, remedy }: Fault, cause?: unknown) {
    super('unavailable', `${problem} ${remedy}`, {
      cause,
      fault: name,
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
    this.name = 'TableFault';
  }
}
