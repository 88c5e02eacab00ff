import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { ApiError, type ErrorKind } from '../../shared/core/errors.ts';

/**
 * Why a request is refused because of its caller: the key has expired (`expired`), the credential has ended although
 * the gateway still accepted it (`credential`) or was superseded and may not rotate (`superseded`), the role or kind
 * may not call the endpoint (`role`) or not for this object (`object`), too many requests (`rate`), or an unknown
 * enrolment token (`token`), a log-in (`log_in`), or a log-out token (`log_out`).
 */
export type RefusalCause =
  | 'expired'
  | 'credential'
  | 'superseded'
  | 'role'
  | 'object'
  | 'rate'
  | 'token'
  | 'log_in'
  | 'log_out';

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

/** Why a log-in is refused. The caller cannot distinguish them; the audit contains the reason. */
export type LogInRefusalReason =
  | 'wrong_password'
  | 'unknown_user'
  | 'disabled_user'
  | 'invalid_invitation'
  | 'rate_limit'
  | 'unknown_provider'
  | 'invalid_identity'
  | 'expired_identity'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'unknown_key'
  | 'used_identity'
  | 'unbound_identity'
  | 'too_many_owners'
  | 'invalid_code'
  | 'too_many_groups'
  | 'invalid_session'
  | 'invalid_device';

/** Refusals of people whose identity is proven: they read what to do. All others have the same text. */
const explained: Partial<Record<LogInRefusalReason, string>> = {
  unbound_identity:
    'Access denied: no role binding of this inventory matches your account at the identity provider. Ask an administrator ' +
    'of the inventory for a role binding for one of your groups, then log in again.',
  too_many_groups:
    'Access denied: your account has too many groups: the identity provider did not send them. Ask its administrator ' +
    'to send only the groups that are assigned to this application.',
};

/** The error of a refused log-in. */
export class LogInRefusal extends Refusal {
  readonly reason: LogInRefusalReason;
  /** The existing user that the caller claimed to be. */
  readonly subject: { kind: string; id: string; name: string } | undefined;

  /** @param retryAfter seconds until the next attempt, of too many attempts. */
  constructor(reason: LogInRefusalReason, subject?: LogInRefusal['subject'], retryAfter?: number) {
    const explanation = subject?.kind === 'user' ? explained[reason] : undefined;
    if (explanation !== undefined) super('log_in', 'permissionDenied', explanation);
    else if (retryAfter === undefined) super('log_in', 'unauthenticated', refusalMessages.logIn);
    else super('log_in', 'resourceExhausted', 'Too many log-ins.', { 'Retry-After': String(retryAfter) });
    this.name = 'LogInRefusal';
    this.reason = reason;
    this.subject = subject;
  }
}

/** The error of a refused log-out token: its sender cannot distinguish the reasons. */
export class LogOutRefusal extends Refusal {
  readonly reason: LogInRefusalReason;
  readonly subject: undefined;

  constructor(reason: LogInRefusalReason) {
    super('log_out', 'invalidArgument', 'The log-out token is not valid.');
    this.name = 'LogOutRefusal';
    this.reason = reason;
  }
}
