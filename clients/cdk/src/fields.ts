export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object whose type has no index. */
export const fieldsOf = (object: object): Fields => ({ ...object });

/** The texts of a list; none if it is absent. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** A value of a selector. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
