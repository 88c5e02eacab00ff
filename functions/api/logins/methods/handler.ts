import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(endpoint, () =>
  Promise.resolve({ body: { methods: [{ method: 'password' as const, title: 'Password' }] } }),
);
