import { hashUserCode } from '../../../../shared/auth/api-key-text.ts';
import { isRank, roleAllows } from '../../../../shared/auth/roles.ts';
import { endAfter, timeText } from '../../../../shared/core/seconds.ts';
import { ApiError, invalidRequest } from '../../../../shared/core/errors.ts';
import type { Caller } from '../../../contract/caller.ts';
import { userCodeIn } from '../../../domain/access/device-authorization.ts';
import { ROLE_WITH_OWNERS } from '../../../domain/access/user.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { sessionSecondsOf } from '../../../runtime/identity-providers.ts';
import { answerDevice, type Approver, type Device, findDeviceOfUserCode } from '../../../store/credentials/devices.ts';
import { limitUserCodes } from '../../../store/credentials/log-in.ts';
import { findUser } from '../../../store/credentials/users.ts';
import { writeContextOf } from '../../../store/entities/write-context.ts';
import { endpoint } from './endpoint.ts';

/** Not `notFound`: a client of a newer version takes that for a server without this endpoint. */
const notWaiting = () =>
  invalidRequest([
    {
      field: 'user_code',
      reason: 'not_found',
      message: 'No program waits with this code. Codes expire after 10 minutes, and are answered once.',
    },
  ]);

const shown = ({ client_name, source_ip, requested_at, expires_at, state }: Device) => ({
  ...{ client_name, source_ip, requested_at, state },
  expires_at: timeText(expires_at),
});

/** The end of the session of a device: that of the caller's, unless a provider renews that every few minutes. */
async function endOf({ userId, expiresAt = 0 }: Caller, dependencies: Dependencies) {
  const { provider = 'local' } = (userId === undefined ? undefined : await findUser(dependencies.table, userId)) ?? {};
  if (provider === 'local') return { ends_at: expiresAt };
  return { provider, ends_at: endAfter(dependencies.clock(), sessionSecondsOf(provider, dependencies)) };
}

/** The caller, as the owner of the session of a device. */
async function approverOf(caller: Caller, given: string | undefined, dependencies: Dependencies): Promise<Approver> {
  const { name, userId, owners, accountVersion, restsOn } = caller;
  const role = given ?? caller.role;
  if (!isRank(role) || !roleAllows(caller.role, role))
    throw new ApiError('permissionDenied', `Access denied: a device has at most your role, ${caller.role}.`);
  if (accountVersion === undefined) throw new ApiError('unauthenticated', 'This session cannot approve a device.');
  return {
    ...{ name, role, account_version: accountVersion },
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(restsOn === undefined ? {} : { rests_on: restsOn }),
    ...(owners !== undefined && role === ROLE_WITH_OWNERS ? { owners } : {}),
    ...(await endOf(caller, dependencies)),
  };
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { table, clock } = dependencies;
  const { user_code: typed, answer, role } = request.body;
  const caller = request.caller();
  await limitUserCodes(table, { user: caller.userId ?? caller.name, now: clock() });
  const device = await findDeviceOfUserCode(table, hashUserCode(userCodeIn(typed) ?? ''), clock());
  if (device?.state !== 'pending') throw notWaiting();
  if (answer === undefined) return { body: shown(device) };
  const approver = answer === 'approve' ? await approverOf(caller, role, dependencies) : undefined;
  const cause = writeContextOf(request, dependencies);
  return { body: shown(await answerDevice(table, { device, approver, onAnswered: notWaiting }, cause)) };
});
