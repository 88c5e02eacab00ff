import { LogInRefusal } from '../../../contract/refusal.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { limitLogIns } from '../../../store/credentials/log-in.ts';
import type { Attempt, LoggedIn, Proof, ProofOf } from '../attempt.ts';
import { logInByDevice } from '../by-device.ts';
import { logInByPassword } from '../by-password.ts';
import { noteFailure, ProviderFailure } from '../provider-failure.ts';
import { endpoint } from './endpoint.ts';

/** The libraries for tokens and providers: log-ins with a password do without them. */
const tokens = () => import('../jwt/by-token.ts');
const codes = () => import('../oidc/by-code.ts');
const renewals = () => import('../oidc/renew.ts');

/** Renewals with a valid key do not count: many people share the address of an office, and renew every few minutes. */
async function renew(proof: ProofOf<'session'>, attempt: Attempt, dependencies: Dependencies) {
  const { renewSession } = await renewals();
  try {
    return await renewSession(proof, attempt, dependencies);
  } catch (error) {
    if (error instanceof LogInRefusal) await limitLogIns(dependencies.table, attempt);
    throw error;
  }
}

async function logIn(proof: Proof, attempt: Attempt, dependencies: Dependencies): Promise<LoggedIn> {
  if (proof.method === 'session') return renew(proof, attempt, dependencies);
  if (proof.method === 'device') return logInByDevice(proof, attempt, dependencies);
  await limitLogIns(dependencies.table, attempt);
  if (proof.method === 'jwt') return (await tokens()).logInByToken(proof, attempt, dependencies);
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
