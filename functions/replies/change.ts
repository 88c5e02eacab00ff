import { internalFields } from '../domain/fields/internal-fields.ts';
import type { RecordKind } from '../domain/records/change.ts';
import type { Change } from '../store/history/change-record.ts';

/** The fields of a record that replies contain. */
export function shownFields(fields: Record<string, unknown> | undefined) {
  if (fields === undefined) return undefined;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !internalFields.includes(name)));
}

/** The reply for a change. An add with a previous change, which is its removal, is a restoration. */
export function toChangeReply<Kind extends RecordKind>({ previous, before, after, ...change }: Change<Kind>) {
  const isReturn = change.action === 'added' && previous !== undefined;
  return {
    ...change,
    ...(isReturn ? { restored: true as const } : {}),
    before: shownFields(before),
    after: shownFields(after),
  };
}
