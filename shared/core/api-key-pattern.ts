/** The first characters of every key, by which people and secret scanners recognise it. */
export const brand = 'minv';

/** Between the brand and the secret of an enrolment token, so that a token is never mistaken for a key. */
export const enrolmentMark = 'enrol_';

/** The same of an invitation of a user. */
export const invitationMark = 'invite_';

/** The same of the code of a device. */
export const deviceMark = 'device_';

// 43 x log2(62) = 256 bits cannot be guessed, so a single SHA-256 is enough to protect the stored key.
export const secretLength = 43;

const tail = `[0-9A-Za-z]{${secretLength}}_[0-9a-f]{8}`;

/** Source of the regular expression for keys in other text (RE2 and PCRE accept it). */
export const apiKeyPattern = `${brand}_${tail}`;

export const enrolmentTokenPattern = `${brand}_${enrolmentMark}${tail}`;

export const invitationPattern = `${brand}_${invitationMark}${tail}`;

export const deviceCodePattern = `${brand}_${deviceMark}${tail}`;

/** Matches keys, enrolment tokens, invitations and codes of devices: for secret scanners, and for code that must not store or log them. */
export const secretPattern = `${brand}_(?:${enrolmentMark}|${invitationMark}|${deviceMark})?${tail}`;

/**
 * The part of a key or token that lists and logs may show, `minv_aB3x`, `minv_enrol_aB3x`: enough for its owner to
 * distinguish them, and 232 bits remain unknown. `text` must be a key, token or invitation: of other text this returns
 * the first characters, secret or not.
 */
export function apiKeyPrefix(text: string): string {
  const mark =
    [enrolmentMark, invitationMark, deviceMark].find((candidate) => text.startsWith(`${brand}_${candidate}`)) ?? '';
  return text.slice(0, brand.length + 1 + mark.length + 4);
}
