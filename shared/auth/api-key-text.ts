import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  apiKeyPattern,
  brand,
  deviceCodePattern,
  deviceMark,
  enrolmentMark,
  enrolmentTokenPattern,
  invitationMark,
  invitationPattern,
  secretLength,
} from '../core/api-key-pattern.ts';
import { drawBase62, type RandomBytes } from './base62.ts';

const wholeKey = new RegExp(`^${apiKeyPattern}$`);
const wholeToken = new RegExp(`^${enrolmentTokenPattern}$`);
const wholeInvitation = new RegExp(`^${invitationPattern}$`);

const wholeDeviceCode = new RegExp(`^${deviceCodePattern}$`);

const checksumLength = 8;

/**
 * Generates a new key: `minv_<43 base62 characters>_<CRC-32 of all before the last underscore, 8 lower-case hex
 * digits>`. None of its characters needs escaping in a URL, a header, a shell word or a database key.
 */
export function newApiKeySecret(randomBytes: RandomBytes): string {
  return withChecksum(`${brand}_${drawBase62(secretLength, randomBytes)}`);
}

/** Generates a new enrolment token: `minv_enrol_`, then as a key. */
export function newEnrolmentTokenSecret(randomBytes: RandomBytes): string {
  return withChecksum(`${brand}_${enrolmentMark}${drawBase62(secretLength, randomBytes)}`);
}

/** Generates a new invitation of a user: `minv_invite_`, then as a key. */
export function newInvitationSecret(randomBytes: RandomBytes): string {
  return withChecksum(`${brand}_${invitationMark}${drawBase62(secretLength, randomBytes)}`);
}

/** Generates a new code of a device: `minv_device_`, then as a key. */
export function newDeviceCode(randomBytes: RandomBytes): string {
  return withChecksum(`${brand}_${deviceMark}${drawBase62(secretLength, randomBytes)}`);
}

/**
 * Whether the text has the form of a key, including a valid checksum. The checksum detects typing errors and noise
 * without a read of the table. It provides no security: a valid form does not mean that the key exists.
 */
export function isApiKeySecret(text: string): boolean {
  return wholeKey.test(text) && hasGoodChecksum(text);
}

/** The same for an enrolment token. */
export function isEnrolmentTokenSecret(text: string): boolean {
  return wholeToken.test(text) && hasGoodChecksum(text);
}

/** The same for an invitation. */
export function isInvitationSecret(text: string): boolean {
  return wholeInvitation.test(text) && hasGoodChecksum(text);
}

/** The same for a code of a device. */
export function isDeviceCode(text: string): boolean {
  return wholeDeviceCode.test(text) && hasGoodChecksum(text);
}

/**
 * The form in which a key is stored and looked up: SHA-256 as 64 lower-case hex digits. The prefix distinguishes the
 * digest from other uses of SHA-256 on the same text, and is the version of the scheme.
 */
export function hashApiKeySecret(text: string): string {
  return createHash('sha256').update(`apikey:v1:${text}`).digest('hex');
}

/** The same for an enrolment token, with another prefix. */
export function hashEnrolmentTokenSecret(text: string): string {
  return createHash('sha256').update(`enrolment:v1:${text}`).digest('hex');
}

/** The same for an invitation, with another prefix. */
export function hashInvitationSecret(text: string): string {
  return createHash('sha256').update(`invitation:v1:${text}`).digest('hex');
}

/** The same for a code of a device, with another prefix. */
export function hashDeviceCode(text: string): string {
  return createHash('sha256').update(`device:v1:${text}`).digest('hex');
}

/**
 * The same for a code that a person types. It has 34 bits and ten minutes: the digest hides it from readers of keys and
 * logs, not from somebody who tries all codes. Without a session of a person it grants nothing.
 */
export function hashUserCode(text: string): string {
  return createHash('sha256').update(`user-code:v1:${text}`).digest('hex');
}

function withChecksum(body: string): string {
  return `${body}_${checksum(body)}`;
}

function hasGoodChecksum(text: string): boolean {
  return text.endsWith(checksum(text.slice(0, -checksumLength - 1)));
}

/** CRC-32 as in IEEE 802.3, most significant digit first. */
function checksum(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0');
}
