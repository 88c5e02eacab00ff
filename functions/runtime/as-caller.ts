import { parseAuthorization } from '../../shared/auth/authorization-header.ts';
import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { toApiError } from '../../shared/http/pipeline.ts';
import { admitCaller } from '../contract/admission.ts';
import type { Caller } from '../contract/caller.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { causeOf } from '../contract/refusal-count.ts';
import { recordRefusal } from '../store/audit/refusals.ts';
import { authenticateKey } from './authenticate-key.ts';
import type { Dependencies } from './dependencies.ts';
import { admissionDependencies, refusalOf } from './endpoint-function.ts';
import { noteRefusedCredential, type RefusedCredential } from './refused-credential.ts';

/** Enough for a successful write; the refusal does not wait longer to be recorded. */
const NOTE_REFUSAL_MS = 500;

/** A credential that a relay presents for somebody else. */
export interface PresentedCredential {
  /** The value of the Authorization header. */
  authorization: string;
  /** The address that the relay received it from. */
  sourceIp: string;
  /** Of the request of the relay. */
  requestId: string;
}

/** Identifies the holder of an API key. Passwords and sessions are of people. @throws ApiError `unauthenticated`. */
async function identify(presented: PresentedCredential, dependencies: Dependencies): Promise<Caller> {
  const { authorization, sourceIp } = presented;
  const credential = parseAuthorization([authorization]);
  const { kind } = credential;
  const refused: RefusedCredential = { refusal: kind === 'missing' || kind === 'token' ? kind : 'invalid' };
  const outcome =
    kind === 'key'
      ? await authenticateKey({ text: credential.text, sourceIp }, dependencies, () => Promise.resolve(false))
      : refused;
  if ('caller' in outcome) return outcome.caller;
  await noteRefusedCredential(outcome, presented, dependencies);
  throw new ApiError('unauthenticated', refusalMessages[outcome.refusal]);
}

/**
 * Does a part of a request with the rights of the holder of another API key: as if the holder had called the endpoint.
 * Refusals are logged and counted as those of single requests.
 *
 * @throws ApiError as the endpoint.
 */
export async function asCaller<T>(
  endpoint: Endpoint,
  presented: PresentedCredential,
  dependencies: Dependencies,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = await identify(presented, dependencies);
  try {
    await admitCaller(endpoint, { caller, cost: () => 1 }, admissionDependencies(dependencies));
    return await work(caller);
  } catch (error) {
    const cause = causeOf(endpoint, toApiError(error));
    const { sourceIp, requestId } = presented;
    if (cause !== undefined)
      await recordRefusal(dependencies, refusalOf({ endpoint, caller, cause, sourceIp, requestId }), NOTE_REFUSAL_MS);
    throw error;
  }
}
