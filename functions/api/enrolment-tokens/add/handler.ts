import { apiKeyPrefix } from '../../../../shared/core/api-key-pattern.ts';
import { hashEnrolmentTokenSecret, newEnrolmentTokenSecret } from '../../../../shared/auth/api-key-text.ts';
import { endAfter } from '../../../../shared/core/seconds.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { inheritedBindings } from '../../../store/entities/binding-versions.ts';
import { addEnrolmentToken, type EnrolmentToken } from '../../../store/credentials/enrolment-tokens.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { toEnrolmentTokenReply } from '../../../replies/enrolment-token.ts';
import { endpoint } from './endpoint.ts';

const USUAL_LIFE_SECONDS = 3600;

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { table, newId, randomBytes } = dependencies;
  const { body, caller } = request;
  const { name, time_to_live: seconds = USUAL_LIFE_SECONDS, node_name: nodeName } = body;
  const { key_time_to_live: keyLife, key_rate_limit_per_minute: keyRate } = body;
  const { allowed_addresses: addresses = [], owner } = body;
  const text = newEnrolmentTokenSecret(randomBytes);
  const writeContext = writeContextOf(request, dependencies);
  const { now } = writeContext;
  const { kind, keyId: id, name: callerName } = caller();
  const token: EnrolmentToken = {
    token_id: newId(),
    name,
    prefix: apiKeyPrefix(text),
    created_at: now.toISOString(),
    created_by: { kind, id, name: callerName },
    expires_at: endAfter(now, seconds),
    ...(addresses.length === 0 ? {} : { allowed_addresses: addresses }),
    ...(nodeName === undefined ? {} : { node_name: nodeName }),
    ...(keyLife === undefined ? {} : { key_seconds: keyLife }),
    ...(owner === undefined ? {} : { owner }),
    ...(keyRate === undefined ? {} : { key_rate_limit_per_minute: keyRate }),
    ...inheritedBindings(writeContext),
  };
  await addEnrolmentToken(table, token, hashEnrolmentTokenSecret(text), writeContext);
  return { body: { ...toEnrolmentTokenReply(token), token: text } };
});
