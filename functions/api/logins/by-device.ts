import { apiKeyPrefix } from '../../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, hashDeviceCode, isDeviceCode, newApiKeySecret } from '../../../shared/auth/api-key-text.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { secondsOf, timeText } from '../../../shared/core/seconds.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import { type DeviceError, deviceErrors, POLL_SECONDS } from '../../domain/access/device-authorization.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { type Approver, consumeDeviceSteps, type Device, findDevice } from '../../store/credentials/devices.ts';
import { limitLogIns, limitPolls } from '../../store/credentials/log-in.ts';
import { addSession, type Session } from '../../store/credentials/sessions.ts';
import type { Attempt, LoggedIn, ProofOf } from './attempt.ts';

/** An answer to a poll that is no session. `reason` is the error code of RFC 8628. */
const notYet = (reason: DeviceError) =>
  new ApiError('failedPrecondition', deviceErrors[reason], {
    details: [{ field: 'device_code', reason, message: deviceErrors[reason] }],
  });

const subjectOf = ({ user_id, name }: Approver) => ({ kind: 'user', id: user_id ?? name, name });

/** The device, once it is approved. @throws ApiError `failedPrecondition` before; LogInRefusal for an unknown code. */
async function approvedDevice(
  code: string,
  attempt: Attempt,
  { table }: Dependencies,
): Promise<{ device: Device; approver: Approver }> {
  const hash = hashDeviceCode(code);
  const device = isDeviceCode(code) ? await findDevice(table, hash) : undefined;
  if (device === undefined) {
    // Polls with a valid code do not count: devices of one office share an address.
    await limitLogIns(table, attempt);
    throw new LogInRefusal('invalid_device');
  }
  const { approver, state, expires_at: end } = device;
  if (end <= secondsOf(attempt.now)) throw notYet('expired_token');
  if (await limitPolls(table, { hash, now: attempt.now, perMinute: 60 / POLL_SECONDS })) throw notYet('slow_down');
  if (state === 'denied') throw notYet('access_denied');
  if (approver === undefined) throw notYet('authorization_pending');
  return { device, approver };
}

/** The session of the person for the device. */
const sessionOf = (
  device: Device,
  approver: Approver,
  key: string,
  id: string,
  { now, sourceIp }: Attempt,
): Session => {
  const { name, user_id, role, owners, account_version, provider, ends_at: expires_at } = approver;
  return {
    ...{ key_id: id, kind: 'session', name, role, account_version, expires_at },
    ...{ prefix: apiKeyPrefix(key), created_at: now.toISOString(), source_ip: sourceIp },
    created_by: subjectOf(approver),
    ...(user_id === undefined ? {} : { user_id }),
    ...(owners === undefined ? {} : { owners }),
    ...(provider === undefined ? {} : { provider }),
    ...{ method: 'device', device: device.client_name },
  };
};

/**
 * Gives a device the session that a person has approved. The code works once.
 *
 * @throws ApiError `failedPrecondition` with an error code of RFC 8628 in `details`; LogInRefusal.
 */
export async function logInByDevice(
  { device_code: code }: ProofOf<'device'>,
  attempt: Attempt,
  dependencies: Dependencies,
): Promise<LoggedIn> {
  const { table, newId, randomBytes } = dependencies;
  const { device, approver } = await approvedDevice(code, attempt, dependencies);
  const { name, user_id: id, account_version: version, role, owners, ends_at } = approver;
  if (ends_at <= secondsOf(attempt.now)) throw notYet('expired_token');
  const key = newApiKeySecret(randomBytes);
  const session = sessionOf(device, approver, key, newId(), attempt);
  const actor = { kind: 'user' as const, id: id ?? name, name };
  const credential = id === undefined ? { account: { name, version } } : { user: { id, version } };
  const consumed = () => new LogInRefusal('invalid_device', subjectOf(approver));
  try {
    const consumption = consumeDeviceSteps(device, consumed);
    await addSession(table, session, hashApiKeySecret(key), { ...attempt, actor, credential }, consumption);
  } catch (error) {
    // The person was disabled, or has another password or role, since the approval.
    if (error instanceof ApiError && error.kind === 'unauthenticated') throw consumed();
    throw error;
  }
  return {
    ...{ session_id: session.key_id, user_id: id ?? name, name, role, owners, key },
    expires_at: timeText(ends_at),
  };
}
