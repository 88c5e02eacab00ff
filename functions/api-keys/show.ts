import { timeOf } from '../catalogue/time.ts';
import type { ApiKey } from '../table/api-keys.ts';

/** A key as it is shown: nothing of it but its first characters. */
export function shown({ key_id, name, role, prefix, created_at, created_by, expires_at, last_used_at }: ApiKey) {
  return {
    key_id,
    name,
    role,
    prefix,
    created_at,
    created_by,
    ...timeOf('expires_at', expires_at),
    ...timeOf('last_used_at', last_used_at),
  };
}
