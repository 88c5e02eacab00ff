import { apiKeyPrefix } from '../../../shared/auth/api-key-pattern.ts';
import { hashApiKeyText, newApiKeyText } from '../../../shared/auth/api-key-text.ts';
import type { Services } from '../../runtime/dependencies.ts';
import { shownApiKey } from '../../replies/api-key.ts';
import { originOf } from '../../store/entities/change-origin.ts';
import { type Rotation, rotateApiKey } from '../../store/credentials/rotate-api-key.ts';

type Asked = Parameters<typeof originOf>[0] & {
  /** An overlap of undefined is what no parsed body has. */
  body: { overlap: number | undefined };
};

/** The reply to a rotation: the key with its new text. */
export async function rotated(
  request: Asked,
  services: Services,
  { keyId, rotatedBy }: { keyId: string } & Pick<Rotation, 'rotatedBy'>,
) {
  const { table, clock, randomBytes } = services;
  const text = newApiKeyText(randomBytes);
  const now = clock();
  const rotation: Rotation = {
    hash: hashApiKeyText(text),
    prefix: apiKeyPrefix(text),
    overlapSeconds: request.body.overlap ?? 0,
    now,
    cause: originOf(request, { clock: () => now }),
    rotatedBy,
  };
  const key = await rotateApiKey(table, keyId, rotation);
  return { body: { ...shownApiKey(key), key: text } };
}
