import type { Violation } from './generated/types.ts';

/** The parts of an `InventoryError`. */
export interface Failure {
  /** The HTTP status; 0 if no complete reply arrived. */
  http: number;
  /**
   * `NOT_FOUND`, `ALREADY_EXISTS` ...; `DEADLINE_EXCEEDED` after a time-out, `UNKNOWN` if a proxy answered. With `http` 0,
   * `FAILED_PRECONDITION` means a wrong setting, such as the address or the certificate.
   */
  status: string;
  /** The number of the status, as in gRPC. */
  code: number;
  message: string;
  /** The fields that violate a rule. */
  details?: readonly Violation[];
  /** Id of the request in the logs of the server. */
  requestId?: string | undefined;
  /** `addNode` ...; of a wrong setting it can be `createClient`. */
  operation: string;
  /** True if the same call may be repeated: it had no effect, or a repetition has no second effect. */
  retryable: boolean;
  /** The time in `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The parts of an error about a wrong setting, which no repetition heals. */
const wrongSetting = {
  http: 0,
  status: 'FAILED_PRECONDITION',
  code: 9,
  details: [],
  operation: 'createClient',
  retryable: false,
};

/** A call that did not succeed. The only error of this package, with its subclass ServerLacks. */
export class InventoryError extends Error implements Failure {
  declare readonly http: number;
  declare readonly status: string;
  declare readonly code: number;
  declare readonly details: readonly Violation[];
  declare readonly requestId: string | undefined;
  declare readonly operation: string;
  declare readonly retryable: boolean;
  declare readonly retryAfter: number | undefined;

  /**
   * Absent fields are those of a wrong setting. `cause` is the error of the network. If an earlier attempt of the same call
   * had no reply, `cause` is the error of that attempt: a 409 or 412 can then be the result of the call itself.
   */
  constructor({ message, cause, ...fields }: Partial<Failure> & Pick<Failure, 'message'>) {
    super(message, { cause });
    Object.assign(this, wrongSetting, fields);
    this.name = 'InventoryError';
  }
}

/** The server is too old for the operation. */
export class ServerLacks extends InventoryError {
  /** The first version with the operation. */
  readonly needs: string;
  /** The version of the server. */
  readonly has: string;

  constructor(failure: Failure, needs: string, has: string) {
    super({ ...failure, message: `${failure.operation} needs server ${needs}, this is ${has}.` });
    this.name = 'ServerLacks';
    this.needs = needs;
    this.has = has;
  }
}
