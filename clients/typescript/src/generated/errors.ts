// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

/** HTTP status, status and code of every error. */
export const errors = {
  invalidArgument: { http: 400, status: 'INVALID_ARGUMENT', code: 3 },
  unsupportedMediaType: { http: 415, status: 'INVALID_ARGUMENT', code: 3 },
  failedPrecondition: { http: 400, status: 'FAILED_PRECONDITION', code: 9 },
  revisionMismatch: { http: 412, status: 'FAILED_PRECONDITION', code: 9 },
  idempotencyKeyReused: { http: 422, status: 'FAILED_PRECONDITION', code: 9 },
  notFound: { http: 404, status: 'NOT_FOUND', code: 5 },
  gone: { http: 410, status: 'OUT_OF_RANGE', code: 11 },
  methodNotAllowed: { http: 405, status: 'UNIMPLEMENTED', code: 12 },
  alreadyExists: { http: 409, status: 'ALREADY_EXISTS', code: 6 },
  permissionDenied: { http: 403, status: 'PERMISSION_DENIED', code: 7 },
  bodyTooLarge: { http: 413, status: 'RESOURCE_EXHAUSTED', code: 8 },
  resourceExhausted: { http: 429, status: 'RESOURCE_EXHAUSTED', code: 8 },
  unauthenticated: { http: 401, status: 'UNAUTHENTICATED', code: 16 },
  internal: { http: 500, status: 'INTERNAL', code: 13 },
  unavailable: { http: 503, status: 'UNAVAILABLE', code: 14 },
} as const;
