import type { Log } from '../../shared/core/log.ts';
import { ApiError } from '../../shared/core/errors.ts';

/** Why a provider cannot be used: `unreachable` may pass, an operator repairs the others. */
export type ProviderProblem = 'unreachable' | 'metadata' | 'client' | 'clock';

/** The provider, or its settings, prevent log-ins. People read the message, operators the sentence in the log. */
export class ProviderFailure extends ApiError {
  readonly problem: ProviderProblem;
  /** One sentence for the operator, without a secret. */
  readonly sentence: string;

  constructor(
    { name, displayName = name }: { name: string; displayName?: string | undefined },
    problem: ProviderProblem,
    detail: string,
  ) {
    const sentence = `Identity provider "${name}": ${detail}`;
    super(
      'unavailable',
      `Log-in with ${displayName} does not work at the moment. Try again later, or ask your administrator, who can ` +
        'read the reason in the log, and log in as "admin" unless this account is disabled.',
    );
    this.name = 'ProviderFailure';
    this.problem = problem;
    this.sentence = sentence;
  }
}

/** Tells the operator. */
export function noteFailure({ sentence, problem }: ProviderFailure, log: Log): void {
  log({ level: 'error', message: 'identity provider cannot be used', problem, reason: sentence });
}
