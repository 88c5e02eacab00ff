/** Canonical RPC status names and their numbers, as in every error body. */
const rpcCodes = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

type RpcStatus = keyof typeof rpcCodes;

/** Retry-After for temporary refusals, in seconds. */
const RETRY_AFTER_SECONDS = '1';

interface ErrorKindEntry {
  status: RpcStatus;
  http: number;
  /** The meaning for the caller, for the documentation. */
  meaning: string;
  headers?: Record<string, string>;
}

/** The closed list of errors: every reply that is not a success is one of these. */
export const errorKinds = {
  invalidArgument: { status: 'INVALID_ARGUMENT', http: 400, meaning: 'The request is malformed; see details.' },
  unsupportedMediaType: {
    status: 'INVALID_ARGUMENT',
    http: 415,
    meaning: 'The body has an unsupported media type or charset, or is compressed.',
  },
  failedPrecondition: {
    status: 'FAILED_PRECONDITION',
    http: 400,
    meaning: 'The request is well-formed, but the state of the inventory does not allow it.',
  },
  revisionMismatch: {
    status: 'FAILED_PRECONDITION',
    http: 412,
    meaning: 'If-Match or If-None-Match does not match the current revision, or the plan is out of date.',
  },
  idempotencyKeyReused: {
    status: 'FAILED_PRECONDITION',
    http: 422,
    meaning: 'The Idempotency-Key was used before with a different request.',
  },
  notFound: { status: 'NOT_FOUND', http: 404, meaning: 'The object or a referenced object does not exist.' },
  gone: {
    status: 'OUT_OF_RANGE',
    http: 410,
    meaning: 'The cursor is too old; read the inventory again.',
  },
  methodNotAllowed: { status: 'UNIMPLEMENTED', http: 405, meaning: 'The path exists, but not with this method.' },
  alreadyExists: { status: 'ALREADY_EXISTS', http: 409, meaning: 'A unique value is taken.' },
  permissionDenied: {
    status: 'PERMISSION_DENIED',
    http: 403,
    meaning: 'The role or kind of the caller does not permit it.',
  },
  bodyTooLarge: {
    status: 'RESOURCE_EXHAUSTED',
    http: 413,
    meaning: 'The body of the request or reply exceeds the maximum size.',
  },
  resourceExhausted: {
    status: 'RESOURCE_EXHAUSTED',
    http: 429,
    meaning: 'A rate limit or quota is exceeded.',
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  },
  unauthenticated: {
    status: 'UNAUTHENTICATED',
    http: 401,
    meaning: 'Missing, invalid or expired credentials.',
    // No Basic challenge: browsers would show their own dialog and cache the password.
    headers: { 'WWW-Authenticate': 'Bearer realm="inventory"' },
  },
  internal: { status: 'INTERNAL', http: 500, meaning: 'An error of the server.' },
  unavailable: {
    status: 'UNAVAILABLE',
    http: 503,
    meaning: 'The service is busy or was interrupted; repeat the request. The message says if an operator has to act.',
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  },
} as const satisfies Record<string, ErrorKindEntry>;

export type ErrorKind = keyof typeof errorKinds;

/** One violated rule of a request: the field, a reason for programs, a message for people. */
export interface Violation {
  field: string;
  reason: string;
  message: string;
}

/** A failure of a program that the service uses, such as the database. Its message says enough for an operator. */
export abstract class DependencyError extends Error {}

/** An error that is reported to the caller. Any other error becomes `internal` without details. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly details: readonly Violation[];
  readonly headers: Record<string, string>;
  /**
   * The name of a fault that prevents the service from working, for the log. Undefined for temporary errors, such as
   * contention.
   */
  readonly fault: string | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    more: {
      details?: readonly Violation[];
      headers?: Record<string, string>;
      cause?: unknown;
      fault?: string | undefined;
    } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ApiError';
    this.kind = kind;
    this.details = more.details ?? [];
    const entry: ErrorKindEntry = errorKinds[kind];
    this.headers = { ...entry.headers, ...more.headers };
    this.fault = more.fault;
  }

  get httpStatus(): number {
    return errorKinds[this.kind].http;
  }
}

/** The name of a fault that prevents the service from working, for the log; undefined for other errors. */
export function faultOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.fault : undefined;
}

export interface ErrorBody {
  code: number;
  status: RpcStatus;
  /** The same as `message`: older clients read this field. */
  error: string;
  message: string;
  details: readonly Violation[];
  request_id: string;
}

/** The body of every reply that is not a success, including those of the gateway itself. */
export function errorBody(
  kind: ErrorKind,
  message: string,
  requestId: string,
  details: readonly Violation[] = [],
): ErrorBody {
  const { status } = errorKinds[kind];
  return { code: rpcCodes[status], status, error: message, message, details, request_id: requestId };
}

/** The most violations in one error: a large body may have more than a reply can contain. */
export const MAX_VIOLATIONS = 1000;

/** Combines several violations into one error, which lists them up to MAX_VIOLATIONS. */
export function invalidRequest(violations: readonly Violation[]): ApiError {
  const named = violations.slice(0, MAX_VIOLATIONS);
  const said = named.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  const more = violations.length - named.length;
  const all = more === 0 ? said : [...said, `And ${more} more.`];
  return new ApiError('invalidArgument', all.join(' '), { details: named });
}
