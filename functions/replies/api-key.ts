import { timeOf } from '../domain/fields/time.ts';
import { sumOfUses } from '../store/credentials/use-counts.ts';
import type { ApiKey } from '../store/credentials/api-keys.ts';

/** The reply for a key: of its secret only the first characters. */
export function toApiKeyReply(apiKey: ApiKey) {
  const {
    key_id,
    name,
    role,
    prefix,
    created_at,
    created_by,
    node_id,
    allowed_addresses,
    rate_limit_per_minute,
    owners,
    rotated_at,
    last_used_from,
    former_last_used_from,
    disabled,
  } = apiKey;
  const uses = Object.entries(sumOfUses(apiKey.uses, apiKey.former_uses));
  return {
    key_id,
    name,
    role,
    prefix,
    created_at,
    created_by,
    node_id,
    allowed_addresses,
    rate_limit_per_minute,
    owners,
    rotated_at,
    ...timeOf('expires_at', apiKey.expires_at),
    ...timeOf('last_used_at', apiKey.last_used_at),
    last_used_from,
    ...timeOf('former_last_used_at', apiKey.former_last_used_at),
    former_last_used_from,
    uses_by_day: uses.length === 0 ? undefined : uses.map(([date, count]) => ({ date, uses: count })),
    disabled,
    ...timeOf('previous_expires_at', apiKey.previous_expires_at),
  };
}
