import { lambda } from '../../lambda.ts';
import { rotated } from '../rotated.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = lambda(endpoint, ({ params, body }, services) =>
  rotated(services, params.key_id, { overlapSeconds: body.overlap, renews: true }),
);
