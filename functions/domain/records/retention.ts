/** How long changes are kept, and whatever else is in the audit. */
export const CHANGE_DAYS = 30;

/** How long what was removed can be restored. */
export const RESTORE_DAYS = 7;
