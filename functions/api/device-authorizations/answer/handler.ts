import { hashUserCode } from '../../../../shared/auth/api-key-text.ts';
import { refusalMessages } from '../../../../shared/auth/refusal-messages.ts';
import { isRank, roleAllows } from '../../../../shared/auth/roles.ts';
import { endAfter, timeText } from '../../../../shared/core/seconds.ts';
import { ApiError, invalidRequest } from '../../../../shared/core/errors.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { userCodeIn } from '../../../domain/access/device-authorization.ts';
import { ROLE_WITH_OWNERS } from '../../../domain/access/user.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import { sessionSecondsOf } from '../../../runtime/identity-providers.ts';
import { answerDevice, type Approver, type Device, findDeviceOfUserCode } from '../../../store/credentials/devices.ts';
import { limitUserCodes } from '../../../store/credentials/log-in.ts';
import { endOfLogIn, findSessionOfSecret } from '../../../store/credentials/renew-session.ts';
import type { Session } from '../../../store/credentials/sessions.ts';
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

/** A chain of devices would outlive the log-in, without a question to the identity provider. */
const deviceApproves = () =>
  new Refusal(
    'role',
    'permissionDenied',
    'Access denied: the session of a device answers no other device. Log in by yourself.',
  );

/** The session of the caller, which the person has opened by an own log-in. */
async function ownSession({ secretDigest = '' }: Caller, { table }: Dependencies): Promise<Session> {
  const session = await findSessionOfSecret(table, secretDigest);
  if (session === undefined) throw new ApiError('unauthenticated', refusalMessages.expired);
  if (session.method === 'device') throw deviceApproves();
  return session;
}

/** The end of the session of a device: with that of the log-in; of a person of a provider earlier, as nothing renews it. */
async function endOf(session: Session, dependencies: Dependencies) {
  const { table, clock } = dependencies;
  const logInEnd = await endOfLogIn(table, session);
  const { provider } = session;
  if (provider === undefined) return { ends_at: logInEnd };
  return { provider, ends_at: Math.min(endAfter(clock(), sessionSecondsOf(provider, dependencies)), logInEnd) };
}

/** The caller, as the owner of the session of a device. */
async function approverOf(
  caller: Caller,
  session: Session,
  given: string | undefined,
  dependencies: Dependencies,
): Promise<Approver> {
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
    ...(await endOf(session, dependencies)),
  };
}

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { table, clock } = dependencies;
  const { user_code: typed, answer, role } = request.body;
  const caller = request.caller();
  const session = await ownSession(caller, dependencies);
  await limitUserCodes(table, { user: caller.userId ?? caller.name, now: clock() });
  const code = userCodeIn(typed);
  const device = code === undefined ? undefined : await findDeviceOfUserCode(table, hashUserCode(code), clock());
  if (device?.state !== 'pending') throw notWaiting();
  if (answer === undefined) return { body: shown(device) };
  const approver = answer === 'approve' ? await approverOf(caller, session, role, dependencies) : undefined;
  const cause = writeContextOf(request, dependencies);
  return { body: shown(await answerDevice(table, { device, approver, onAnswered: notWaiting }, cause)) };
});
