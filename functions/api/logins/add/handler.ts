import { faultOf } from '../../../../shared/core/errors.ts';
import { lazily } from '../../../../shared/core/lazily.ts';
import { describeError } from '../../../../shared/core/log.ts';
import { LogInRefusal } from '../../../contract/refusal.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { type AnonymousAttempt, forgiveAttempt, limitAttempts } from '../../../store/credentials/log-in.ts';
import type { Attempt, LoggedIn, Proof } from '../../../identity/attempt.ts';
import { logInByDevice } from '../../../identity/by-device.ts';
import { logInByPassword } from '../../../identity/by-password.ts';
import { noteFailure, ProviderFailure } from '../../../identity/provider-failure.ts';
import { endpoint } from './endpoint.ts';

/** The libraries for tokens and providers: log-ins with a password do without them. Each import would look for its file again. */
const tokens = lazily(() => import('../../../identity/jwt/by-token.ts'));
const codes = lazily(() => import('../../../identity/oidc/by-code.ts'));
const renewals = lazily(() => import('../../../identity/oidc/renew.ts'));

/** An attempt as it is counted. */
type CountedAttempt = Attempt & AnonymousAttempt;

/**
 * Counts refusals alone: many people of an office renew every few minutes, many programs of a runner log in, and
 * neither a key nor a signature can be guessed.
 */
async function countingRefusals(attempt: CountedAttempt, { table }: Dependencies, work: () => Promise<LoggedIn>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LogInRefusal) await limitAttempts(table, attempt);
    throw error;
  }
}

/**
 * Counts before the work, and takes that back after a success: passwords can be guessed at the same time, and a code
 * costs a request to its provider.
 */
async function countingFirst(attempt: CountedAttempt, { table, log }: Dependencies, work: () => Promise<LoggedIn>) {
  await limitAttempts(table, attempt);
  const loggedIn = await work();
  // The person has a session, which this reply alone can show.
  await forgiveAttempt(table, attempt).catch((error: unknown) =>
    log({ level: 'error', message: 'a log-in was counted', fault: faultOf(error), cause: describeError(error) }),
  );
  return loggedIn;
}

async function logIn(proof: Proof, attempt: Attempt, dependencies: Dependencies): Promise<LoggedIn> {
  const counted = { ...attempt, call: `log-in ${proof.method}` as const };
  if (proof.method === 'session') {
    const { renewSession } = await renewals();
    return countingRefusals(counted, dependencies, () => renewSession(proof, attempt, dependencies));
  }
  if (proof.method === 'jwt') {
    const { logInByToken } = await tokens();
    return countingRefusals(counted, dependencies, () => logInByToken(proof, attempt, dependencies));
  }
  if (proof.method === 'device') return logInByDevice(proof, attempt, dependencies);
  if (proof.method === 'oidc') {
    const { logInByCode } = await codes();
    return countingFirst(counted, dependencies, () => logInByCode(proof, attempt, dependencies));
  }
  return countingFirst(counted, dependencies, () => logInByPassword(proof, attempt, dependencies));
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { body, requestId, sourceIp } = request;
  try {
    return { body: await logIn(body, { requestId, sourceIp, now: dependencies.clock() }, dependencies) };
  } catch (error) {
    if (error instanceof ProviderFailure) noteFailure(error, dependencies.log);
    throw error;
  }
});
