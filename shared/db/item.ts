/** An item as read from the table, not yet parsed. */
export type Item = Record<string, unknown>;

export interface Key {
  pk: string;
  sk: string;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
