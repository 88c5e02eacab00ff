import type * as z from 'zod/mini';
import type { apiKeySchema } from '../../functions/domain/access/api-key.ts';

type ApiKey = z.output<typeof apiKeySchema>;

type KeyUse = Partial<
  Pick<ApiKey, 'last_used_at' | 'last_used_from' | 'rotated_at' | 'former_last_used_at' | 'former_last_used_from'>
>;

const from = (address: string | undefined) => (address === undefined ? '' : ` from ${address}`);

/**
 * The last use of a key in a sentence, after a rotation in two.
 *
 * @param distance the text of a past time relative to now.
 */
export function lastUseText(key: KeyUse, distance: (time: string) => string): string {
  const { last_used_at: used, rotated_at: rotated, former_last_used_at: former } = key;
  const use = used === undefined ? undefined : `last used ${distance(used)}${from(key.last_used_from)}`;
  if (rotated === undefined) return use === undefined ? 'The key was never used.' : `It was ${use}.`;
  const ofFormer =
    former === undefined
      ? 'No use of a former secret is known.'
      : `A former secret was last used ${distance(former)}${from(key.former_last_used_from)}.`;
  return `Its new secret was ${use ?? 'never used'}. ${ofFormer}`;
}
