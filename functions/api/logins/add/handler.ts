import { lazily } from '../../../../shared/core/lazily.ts';
import { LogInRefusal } from '../../../contract/refusal.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { limitLogIns } from '../../../store/credentials/log-in.ts';
import type { Attempt, LoggedIn, Proof } from '../attempt.ts';
import { logInByDevice } from '../by-device.ts';
import { logInByPassword } from '../by-password.ts';
import { noteFailure, ProviderFailure } from '../provider-failure.ts';
import { endpoint } from './endpoint.ts';

/** The libraries for tokens and providers: log-ins with a password do without them. Each import would look for its file again. */
const tokens = lazily(() => import('../jwt/by-token.ts'));
const codes = lazily(() => import('../oidc/by-code.ts'));
const renewals = lazily(() => import('../oidc/renew.ts'));

/**
 * Counts refusals of an address only: many people of an office renew every few minutes, many programs of a runner log in, and
 * neither a key nor a signature can be guessed.
 */
async function limitRefusals(attempt: Attempt, { table }: Dependencies, work: () => Promise<LoggedIn>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LogInRefusal) await limitLogIns(table, attempt);
    throw error;
  }
}

async function logIn(proof: Proof, attempt: Attempt, dependencies: Dependencies): Promise<LoggedIn> {
  if (proof.method === 'session') {
    const { renewSession } = await renewals();
    return limitRefusals(attempt, dependencies, () => renewSession(proof, attempt, dependencies));
  }
  if (proof.method === 'jwt') {
    const { logInByToken } = await tokens();
    return limitRefusals(attempt, dependencies, () => logInByToken(proof, attempt, dependencies));
  }
  if (proof.method === 'device') return logInByDevice(proof, attempt, dependencies);
  await limitLogIns(dependencies.table, attempt);
  if (proof.method === 'oidc') return (await codes()).logInByCode(proof, attempt, dependencies);
  return logInByPassword(proof, attempt, dependencies);
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
