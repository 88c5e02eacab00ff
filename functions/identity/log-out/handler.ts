import * as z from 'zod/mini';
import { endAfter } from '../../../shared/core/seconds.ts';
import { defineEndpoint } from '../../contract/endpoint.ts';
import { LogInRefusal, LogOutRefusal } from '../../contract/refusal.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { createFunction } from '../../runtime/endpoint-function.ts';
import { limitAttempts } from '../../store/credentials/log-in.ts';
import { endProviderSessions } from '../../store/credentials/provider-sessions.ts';
import { isProofUsed, useProofOnce } from '../../store/credentials/used-proofs.ts';
import { noteFailure, ProviderFailure } from '../provider-failure.ts';
import { type LogOutRequest, logOutCodec } from './codec.ts';
import { BACK_CHANNEL_LOGOUT_PATH, facade } from './contract.ts';
import { verifyLogOutToken } from './log-out-token.ts';

/** How long the id of a token is kept: longer than the token is valid. */
const TOKEN_KEPT_SECONDS = 3600;

const { paths: _, method = 'POST', ...common } = facade;

const contract = defineEndpoint({
  ...{ ...common, method, path: BACK_CHANNEL_LOGOUT_PATH, tag: 'Users', limit: 'unaffected' },
  maxBodyBytes: 32 * 1024,
  reply: { status: 200, schema: z.unknown() },
  errors: ['unsupportedMediaType'],
});

/**
 * The token is used up after its effect: a provider repeats one whose log-out failed. Simultaneous log-outs by one token
 * have the effect of one.
 */
async function logOut({ token, requestId, sourceIp }: LogOutRequest, dependencies: Dependencies): Promise<void> {
  const { table } = dependencies;
  const now = dependencies.clock();
  const { provider, jti, of } = await verifyLogOutToken(token, dependencies);
  const proof = ['log-out', provider.name, jti];
  if (await isProofUsed(table, proof)) throw new LogInRefusal('used_identity');
  const actor = { kind: 'system' as const, id: provider.name, name: provider.name };
  await endProviderSessions(table, of, { actor, requestId, sourceIp, now });
  await useProofOnce(table, proof, endAfter(now, TOKEN_KEPT_SECONDS));
}

export const { handler, handlerWith } = createFunction({
  callOf: () => ({ contract }),
  codec: logOutCodec,
  handle: async (request: LogOutRequest, dependencies: Dependencies): Promise<undefined> => {
    try {
      await logOut(request, dependencies);
    } catch (error) {
      if (error instanceof ProviderFailure) noteFailure(error, dependencies.log);
      if (!(error instanceof LogInRefusal)) throw error;
      // Valid tokens do not count: a provider sends those of many people from one address.
      const { sourceIp } = request;
      await limitAttempts(dependencies.table, { call: 'log-out', sourceIp, now: dependencies.clock() });
      throw new LogOutRefusal(error.reason);
    }
  },
});
