import * as z from 'zod/mini';
import { openEnum } from '../../domain/fields/open-enum.ts';
import { ranks } from '../../../shared/auth/roles.ts';
import { equals } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { secondsOf, timeText } from '../../../shared/core/seconds.ts';
import { deviceStates } from '../../domain/access/device-authorization.ts';
import { type AccessContext, accessStep } from '../audit/access-events.ts';
import { deviceKey, TTL_ATTRIBUTE, userCodeKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { changeCredentials } from './change-credentials.ts';

/** The person who approved a device, and the rights of the session of the device. */
const approverSchema = z.object({
  name: z.string(),
  /** Undefined for `admin`. */
  user_id: z.optional(z.string()),
  /** Of the user, or of the password of `admin`: the session of the device is valid for this version only. */
  account_version: z.string(),
  role: openEnum(ranks),
  owners: z.optional(z.array(z.string())),
  provider: z.optional(z.string()),
  /** The role bindings on which the session of the person rests, and so that of the device. */
  rests_on: z.optional(z.record(z.string(), z.string())),
  /** When the session of the device ends, in seconds since 1970. */
  ends_at: z.int(),
});

export type Approver = z.output<typeof approverSchema>;

const deviceSchema = z.object({
  /** The digests of both codes. */
  code_hash: z.string(),
  user_code_hash: z.string(),
  client_name: z.string(),
  source_ip: z.string(),
  requested_at: z.string(),
  /** Seconds since 1970. */
  expires_at: z.int(),
  state: openEnum(deviceStates),
  approver: z.optional(approverSchema),
});

/** A program that asks a person for a session. */
export type Device = z.output<typeof deviceSchema>;

/** The stored item. */
export const deviceItem = (device: Device) => ({
  ...deviceKey(device.code_hash),
  ...device,
  [TTL_ATTRIBUTE]: device.expires_at,
});

/** The device with this code, also an expired one. One strongly consistent read. */
export async function findDevice(table: Table, codeHash: string): Promise<Device | undefined> {
  const item = await readItem(table, deviceKey(codeHash));
  return item === undefined ? undefined : z.parse(deviceSchema, item);
}

/** The device with this user code, unless it has expired. Two strongly consistent reads. */
export async function findDeviceOfUserCode(table: Table, userCodeHash: string, now: Date): Promise<Device | undefined> {
  const { code_hash: codeHash } = (await readItem(table, userCodeKey(userCodeHash))) ?? {};
  if (typeof codeHash !== 'string') return undefined;
  const device = await findDevice(table, codeHash);
  return device !== undefined && device.expires_at > secondsOf(now) ? device : undefined;
}

interface Answer {
  device: Device;
  /** Undefined: the person denies. */
  approver: Approver | undefined;
  /** The error if somebody else has answered. */
  onAnswered: () => Error;
}

/**
 * Stores the answer of a person, once. One transaction.
 *
 * @throws ApiError `unauthenticated` when the session of the person has ended.
 */
export async function answerDevice(
  table: Table,
  { device, approver, onAnswered }: Answer,
  cause: AccessContext,
): Promise<Device> {
  const { client_name: name, source_ip, code_hash } = device;
  const answered: Device = {
    ...device,
    ...(approver === undefined ? { state: 'denied' } : { state: 'approved', approver }),
  };
  const { role, owners, ends_at } = approver ?? {};
  const rights = ends_at === undefined ? {} : { role, owners, expires_at: timeText(ends_at) };
  const steps: TransactItem[] = [
    { put: deviceItem(answered), condition: equals('state', 'pending'), onConditionFailed: onAnswered },
    accessStep(
      {
        event: approver === undefined ? 'device.denied' : 'device.approved',
        subject: { id: deviceId(code_hash), name },
        after: { device_ip: source_ip, ...rights },
      },
      cause,
    ),
  ];
  await retryOnContention(table, () => changeCredentials(table, steps, cause));
  return answered;
}

/** The name of a device in the audit: the beginning of the digest of its code, which grants nothing. */
const deviceId = (codeHash: string) => codeHash.slice(0, 16);

/** The steps that consume an approved device, so that its code works once. */
export const consumeDeviceSteps = ({ code_hash, user_code_hash }: Device, onConsumed: () => Error): TransactItem[] => [
  { delete: deviceKey(code_hash), condition: equals('state', 'approved'), onConditionFailed: onConsumed },
  { delete: userCodeKey(user_code_hash) },
];
