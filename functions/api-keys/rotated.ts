import { apiKeyPrefix } from '../../shared/auth/api-key-pattern.ts';
import { hashApiKeyText, newApiKeyText } from '../../shared/auth/api-key-text.ts';
import type { Services } from '../services.ts';
import { shownApiKey } from '../shown-api-key.ts';
import { type Rotation, rotateApiKey } from '../table/api-keys.ts';

interface Asked {
  /** Undefined is what no parsed body has. */
  overlapSeconds: number | undefined;
  renews: boolean;
}

/** The reply to a rotation: the key with its new text. */
export async function rotated({ table, clock, randomBytes }: Services, keyId: string, asked: Asked) {
  const { overlapSeconds = 0, renews } = asked;
  const text = newApiKeyText(randomBytes);
  const rotation: Rotation = {
    hash: hashApiKeyText(text),
    prefix: apiKeyPrefix(text),
    overlapSeconds,
    now: clock(),
    renews,
  };
  const key = await rotateApiKey(table, keyId, rotation);
  return { body: { ...shownApiKey(key), key: text } };
}
