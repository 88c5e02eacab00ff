/** How long changes and all other audit entries are kept, unless a setting says otherwise. */
export const CHANGE_DAYS = 30;

/** The longest that they can be kept. */
export const MAX_CHANGE_DAYS = 3650;

/** How long a removal can be restored. */
export const RESTORE_DAYS = 7;
