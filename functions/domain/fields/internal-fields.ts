/** Fields that only the store reads and writes. Transitions do not receive them; changes of them are no changes of the object. */
export const storeFields = ['last_change', 'removing'] as const;

/** Fields that are in no reply. `registered` is kept by transitions, and a change can end it. */
export const internalFields: readonly string[] = [...storeFields, 'registered'];
