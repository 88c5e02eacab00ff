import type * as z from 'zod/mini';
import type { apiKeySchema } from '../../functions/domain/access/api-key.ts';

type ApiKey = z.output<typeof apiKeySchema>;

type KeyUse = Partial<
  Pick<ApiKey, 'last_used_at' | 'last_used_from' | 'rotated_at' | 'former_last_used_at' | 'former_last_used_from'>
>;

export type UsesOfDay = NonNullable<ApiKey['uses_by_day']>[number];

const DAY_MS = 86_400_000;

/** The authorizations of the last seven days in UTC, the oldest first; 0 for a day without any. */
export function weekOf(uses: readonly UsesOfDay[], now: Date): UsesOfDay[] {
  const counts = new Map(uses.map(({ date, uses: count }) => [date, count]));
  return Array.from({ length: 7 }, (_, index) => {
    const date = new Date(now.getTime() - (6 - index) * DAY_MS).toISOString().slice(0, 10);
    return { date, uses: counts.get(date) ?? 0 };
  });
}

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
