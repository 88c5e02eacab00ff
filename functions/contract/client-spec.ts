import { takesBody } from '../../shared/http/http-contract.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * The parts of a contract that the TypeScript client needs for a request: its `Spec`, without the format of the reply. The
 * generator of the client prints them, and the console passes them to the client.
 */
export function clientSpec(endpoint: Endpoint) {
  const { id, method, path, since, idempotent, idempotentWith, repeatable, bodyFormat } = endpoint;
  return {
    id,
    method,
    path,
    ...(since === undefined ? {} : { since }),
    ...(idempotent === true ? { key: idempotentWith ?? (true as const) } : {}),
    ...(repeatable === true ? { repeatable } : {}),
    ...(method.startsWith('P') && !takesBody(endpoint) ? { bare: true as const } : {}),
    ...(bodyFormat === 'ndjson' ? { lines: true as const } : {}),
  };
}
