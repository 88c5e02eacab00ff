/** Common parts of Grafana's calls on keys and on service accounts. */
import * as z from 'zod/mini';
import { isRank, type Rank } from '../../../shared/auth/roles.ts';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { violations } from '../../../shared/core/violations.ts';
import { apiKeyAddition } from '../../domain/access/api-key.ts';
import type { ApiKey } from '../../store/credentials/api-keys.ts';
import { makeApiKey } from '../../store/credentials/make-api-key.ts';
import { removeApiKey } from '../../store/credentials/remove-api-key.ts';
import { numberOf, type ServiceAccount } from '../../store/credentials/service-accounts.ts';
import { writeContextOf } from '../../store/entities/write-context.ts';
import type { WireCall } from '../wire/call.ts';
import { given, textIn } from '../wire/input.ts';

const refused = (message: string) => invalidRequest([{ field: '', reason: 'invalid_value', message }]);

/** The role in a request. */
export function rankIn({ input }: WireCall): Rank {
  const role = textIn(input, 'role');
  if (!isRank(role)) throw refused('Invalid role specified. It must be Viewer, Editor or Admin.');
  return role;
}

/** The integer of an account or a key in a path. */
export function numberInPath({ input }: WireCall, name: string, what: string): number {
  const text = textIn(input, name);
  if (!/^[0-9]{1,15}$/.test(text)) throw refused(`${what} ID is invalid`);
  return Number(text);
}

/** Our addition for a name, a role and `secondsToLive`; 0 or absent: without an end. */
export function additionIn({ input }: WireCall, role: Rank): z.output<typeof apiKeyAddition> {
  const seconds = given(input, 'secondsToLive') ?? 0;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0)
    throw refused('invalid SecondsToLive value');
  const addition = {
    name: given(input, 'name') ?? '',
    role,
    ...(seconds === 0 ? {} : { time_to_live: `${seconds}s` }),
  };
  const parsed = z.safeParse(apiKeyAddition, addition);
  if (parsed.success) return parsed.data;
  const [first] = violations(parsed.error.issues, addition);
  throw refused(`${first?.field}: ${first?.message}`);
}

/** Adds a key. @returns the message with its secret, which is shown only here. */
export async function addedKey(call: WireCall, addition: z.output<typeof apiKeyAddition>, account?: ServiceAccount) {
  const { apiKey, secret } = await makeApiKey(call, call.dependencies, addition, account);
  return { id: numberOf(apiKey.key_id), name: apiKey.name, key: secret };
}

/**
 * Removes the key with this integer.
 *
 * @throws ApiError `notFound`; `failedPrecondition` if two keys have it, which our own API distinguishes.
 */
export async function removeByNumber(call: WireCall, keys: readonly ApiKey[], number: number): Promise<void> {
  const [key, another] = keys.filter(({ key_id: id }) => numberOf(id) === number);
  if (key === undefined) throw new ApiError('notFound', `API key with ID ${number} not found.`);
  if (another !== undefined)
    throw new ApiError(
      'failedPrecondition',
      `Two API keys have the ID ${number}. Remove one with DELETE /v1/api-keys.`,
    );
  await removeApiKey(call.dependencies.table, key.key_id, writeContextOf(call, call.dependencies));
}
