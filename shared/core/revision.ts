/** The digits of the highest revision, which is a safe integer. */
export const REVISION_DIGITS = 15;

export const MAX_REVISION = 10 ** REVISION_DIGITS - 1;
