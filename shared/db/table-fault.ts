import { ApiError } from '../core/errors.ts';

/** A fault lasts until an operator repairs it: clients that retry every second would only fill the log. */
const RETRY_AFTER_SECONDS = '10';

/**
 * A fault that an operator must repair before the table can be used. Callers see both sentences, so they contain no
 * path and no name.
 */
export interface Fault {
  /** The name for the log. */
  name: string;
  /** The problem, for callers. */
  problem: string;
  /** The remedy, for operators. */
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
