import { apiKeyPrefix } from '../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, hashDeviceCode, isDeviceCode, newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { endAfter, secondsOf, timeText } from '../../shared/core/seconds.ts';
import { LogInRefusal } from '../contract/refusal.ts';
import { type DeviceError, deviceErrors, POLL_SECONDS } from '../domain/access/device-authorization.ts';
import { EMERGENCY_SESSION_HOURS } from '../domain/access/admin-account.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import { type Approver, consumeDeviceSteps, type Device, findDevice } from '../store/credentials/devices.ts';
import { noteEmergency } from '../runtime/note-emergency.ts';
import { limitAttempts, limitPolls } from '../store/credentials/log-in.ts';
import { addSession, type Session } from '../store/credentials/sessions.ts';
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
    await limitAttempts(table, { ...attempt, call: 'log-in device' });
    throw new LogInRefusal('invalid_device');
  }
  const { approver, state, expires_at: end } = device;
  if (end <= secondsOf(attempt.now)) throw notYet('expired_token');
  if (await limitPolls(table, { hash, now: attempt.now, perMinute: 60 / POLL_SECONDS })) throw notYet('slow_down');
  if (state === 'denied') throw notYet('access_denied');
  if (approver === undefined) throw notYet('authorization_pending');
  return { device, approver };
}

/** A person of a device, with the rules for the account `admin` at the time of the log-in. */
interface Owner {
  approver: Approver;
  /** When the session ends, in seconds since 1970. */
  end: number;
  /** The account `admin` is for emergencies: so is its session for a device. */
  isEmergency: boolean;
}

function ownerOf(approver: Approver, { now }: Attempt, { adminAccount }: Dependencies): Owner {
  const { user_id: id, ends_at: end } = approver;
  const isEmergency = id === undefined && adminAccount === 'emergency';
  return {
    approver,
    isEmergency,
    end: isEmergency ? Math.min(end, endAfter(now, EMERGENCY_SESSION_HOURS * 3600)) : end,
  };
}

const sessionOf = (
  device: Device,
  { approver, end: expires_at, isEmergency }: Owner,
  key: string,
  id: string,
  { now, sourceIp }: Attempt,
): Session => {
  const { name, user_id, role, owners, account_version, provider, rests_on } = approver;
  return {
    ...{ key_id: id, kind: 'session', name, role, account_version, expires_at },
    ...(isEmergency ? { emergency: true } : {}),
    ...{ prefix: apiKeyPrefix(key), created_at: now.toISOString(), source_ip: sourceIp },
    created_by: subjectOf(approver),
    ...(user_id === undefined ? {} : { user_id }),
    ...(owners === undefined ? {} : { owners }),
    ...(provider === undefined ? {} : { provider }),
    ...(rests_on === undefined ? {} : { rests_on }),
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
  const { name, user_id: id, account_version: version, role, owners } = approver;
  const owner = ownerOf(approver, attempt, dependencies);
  if (owner.end <= secondsOf(attempt.now)) throw notYet('expired_token');
  const key = newApiKeySecret(randomBytes);
  const session = sessionOf(device, owner, key, newId(), attempt);
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
  if (owner.isEmergency) noteEmergency(session, attempt, dependencies);
  return {
    ...{ session_id: session.key_id, user_id: id ?? name, name, role, owners, key },
    expires_at: timeText(owner.end),
  };
}
