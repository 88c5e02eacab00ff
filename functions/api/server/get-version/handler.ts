import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, (_request, { build: { version, ...build } }) =>
  Promise.resolve({ body: { version, build, api: 'v1' } }),
);
