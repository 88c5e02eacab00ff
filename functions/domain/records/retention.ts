/** How long changes and all other audit entries are kept. */
export const CHANGE_DAYS = 30;

/** How long a removal can be restored. */
export const RESTORE_DAYS = 7;
