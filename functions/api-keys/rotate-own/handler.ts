import { lambda } from '../../lambda.ts';
import { rotated } from '../rotated.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, ({ body, caller }, services) =>
  rotated(services, caller().keyId, { overlapSeconds: body.overlap, renews: false }),
);
