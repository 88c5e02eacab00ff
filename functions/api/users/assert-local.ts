import { ApiError } from '../../../shared/core/errors.ts';
import { LOCAL_PROVIDER } from '../../domain/access/user.ts';

/** @throws ApiError `failedPrecondition` for a user of an identity provider. */
export function assertLocal(provider: string, advice: string): void {
  if (provider !== LOCAL_PROVIDER)
    throw new ApiError('failedPrecondition', `The user logs in with the identity provider "${provider}". ${advice}`);
}
