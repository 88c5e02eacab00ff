/**
 * The use of the account `admin`: as that of any user, in emergencies only (sessions of an hour, each with an alarm), or
 * none: it cannot log in.
 */
export const adminAccountUses = ['enabled', 'emergency', 'disabled'] as const;

export type AdminAccountUse = (typeof adminAccountUses)[number];

export const ADMIN_ACCOUNT_WANTED = adminAccountUses.join(' or ');

/** How long a session of the account lasts when it is for emergencies. */
export const EMERGENCY_SESSION_HOURS = 1;

/** The message of the log for each such log-in. The alarm counts it. */
export const EMERGENCY_LOG_IN = 'emergency log-in';
