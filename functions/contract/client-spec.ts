import { takesBody } from '../../shared/http/http-contract.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * The parts of a contract that the TypeScript client needs for a request of JSON: its `Spec`, without the format of the reply
 * and the first version with the operation. The generator of the client prints them, and the console, which is as new as its
 * server, passes them to the client.
 */
export function clientSpec(endpoint: Endpoint) {
  const { id, method, path, idempotent, idempotentWith, repeatable } = endpoint;
  return {
    id,
    method,
    path,
    ...(idempotent === true ? { key: idempotentWith ?? (true as const) } : {}),
    ...(repeatable === true ? { repeatable } : {}),
    ...(method.startsWith('P') && !takesBody(endpoint) ? { bare: true as const } : {}),
  };
}
