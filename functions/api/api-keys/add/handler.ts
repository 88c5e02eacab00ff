import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toApiKeyReply } from '../../../replies/api-key.ts';
import { makeApiKey } from '../../../store/credentials/make-api-key.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { apiKey, secret } = await makeApiKey(request, dependencies, request.body);
  return { body: { ...toApiKeyReply(apiKey), key: secret } };
});
