/** Fields that only the store reads and writes. The result of a transition does not contain them. */
export const storeFields = ['last_change', 'removing', 'owner_label'] as const;

/** Fields that transitions keep, although no reply contains them. */
export const markFields = ['registered'] as const;

/** Fields that no reply contains, but for `removing` in gets and lists. */
export const internalFields: readonly string[] = [...storeFields, ...markFields];
