/** Compares texts. Numbers within a text count as numbers: 10.0.0.9 is before 10.0.0.10. */
export const { compare: byNumbers } = new Intl.Collator('en', { numeric: true });
