import { ApiError, type ErrorKind } from '../../shared/core/errors.ts';

/**
 * Why a request is refused because of its caller: the key has expired (`expired`), the credential has ended although
 * the gateway still accepted it (`credential`) or was superseded and may not rotate (`superseded`), the role or kind
 * may not call the endpoint (`role`) or not for this object (`object`), too many requests (`rate`), or an unknown
 * enrolment token (`token`).
 */
export type RefusalCause = 'expired' | 'credential' | 'superseded' | 'role' | 'object' | 'rate' | 'token';

/** The error of a refused caller where its kind does not say the cause. */
export class Refusal extends ApiError {
  readonly refusal: RefusalCause;

  constructor(refusal: RefusalCause, kind: ErrorKind, message: string, headers: Record<string, string> = {}) {
    super(kind, message, { headers });
    this.name = 'Refusal';
    this.refusal = refusal;
  }
}

/** A superseded secret tried to change credentials. It may be stolen, so the audit counts this refusal separately. */
export class SupersededSecret extends Refusal {
  constructor() {
    super(
      'superseded',
      'permissionDenied',
      'Access denied: this secret of the API key was superseded. Use the newest secret, or let an Admin rotate the key.',
    );
    this.name = 'SupersededSecret';
  }
}
