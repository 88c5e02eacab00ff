import { apiKeyPrefix } from '../../../../shared/core/api-key-pattern.ts';
import {
  hashApiKeySecret,
  hashEnrolmentTokenSecret,
  isApiKeySecret,
  isEnrolmentTokenSecret,
  newApiKeySecret,
} from '../../../../shared/auth/api-key-text.ts';
import { endOf } from '../../../domain/fields/duration.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { toApiKeyReply } from '../../../replies/api-key.ts';
import type { ApiKey } from '../../../store/credentials/api-keys.ts';
import { enrol, registrarName } from '../../../store/credentials/enrol-node.ts';
import { type EnrolmentToken, keyAsToken, refusedToken } from '../../../store/credentials/enrolment-tokens.ts';
import { newRecord } from '../../../domain/fields/record.ts';
import { endpoint } from './endpoint.ts';

export const { handler, handlerWith } = createEndpointFunction(
  endpoint,
  async ({ body, requestId, sourceIp }, dependencies) => {
    const { table, clock, newId, randomBytes, ownerLabel } = dependencies;
    // Before the table is read: guessing costs nothing but this check.
    if (!isEnrolmentTokenSecret(body.token)) throw isApiKeySecret(body.token) ? keyAsToken() : refusedToken();
    const now = clock();
    const text = newApiKeySecret(randomBytes);
    const keyId = newId();
    const keyFor = (token: EnrolmentToken, nodeId: string): { key: ApiKey; hash: string } => ({
      key: {
        key_id: keyId,
        kind: 'api_key',
        name: registrarName(body.node.node_name),
        role: 'Registrar',
        prefix: apiKeyPrefix(text),
        created_at: now.toISOString(),
        created_by: { kind: 'enrolment_token', id: token.token_id, name: token.name },
        node_id: nodeId,
        ...(token.allowed_addresses === undefined ? {} : { allowed_addresses: token.allowed_addresses }),
        ...(token.owner === undefined ? {} : { owners: [token.owner] }),
        ...endOf(token.key_seconds, now),
        ...(token.key_rate_limit_per_minute === undefined
          ? {}
          : { rate_limit_per_minute: token.key_rate_limit_per_minute }),
      },
      hash: hashApiKeySecret(text),
    });
    const { node, key } = await enrol(table, {
      requestId,
      sourceIp,
      clock,
      ownerLabel,
      tokenHash: hashEnrolmentTokenSecret(body.token),
      now,
      node: { node_id: newId(), ...body.node, ...newRecord(now) },
      keyFor,
    });
    return { body: { node, api_key: { ...toApiKeyReply(key), key: text } } };
  },
);
