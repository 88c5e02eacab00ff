import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { toApiKeyReply } from '../../replies/api-key.ts';
import { writeContextOf } from '../../store/entities/write-context.ts';
import { type Rotation, rotateApiKey } from '../../store/credentials/rotate-api-key.ts';

type KeyRotationRequest = Parameters<typeof writeContextOf>[0] & {
  /** Undefined only in the type: parsed bodies contain a value. */
  body: { overlap: number | undefined };
};

/** The reply to a rotation: the key with its new secret. */
export async function rotated(
  request: KeyRotationRequest,
  dependencies: Dependencies,
  { keyId, rotatedBy }: { keyId: string } & Pick<Rotation, 'rotatedBy'>,
) {
  const { table, randomBytes } = dependencies;
  const text = newApiKeySecret(randomBytes);
  const rotation: Rotation = {
    hash: hashApiKeySecret(text),
    prefix: apiKeyPrefix(text),
    overlapSeconds: request.body.overlap ?? 0,
    cause: writeContextOf(request, dependencies),
    rotatedBy,
  };
  const key = await rotateApiKey(table, keyId, rotation);
  return { body: { ...toApiKeyReply(key), key: text } };
}
