import { objectJson } from './object-json.ts';
import type { VisibleObject } from '../store/entities/key-scope.ts';
import type { Outcome } from '../domain/fields/outcome.ts';

/** The reply to an upsert: 201 with the path of an added object, otherwise 200. */
export function toUpsertReply<Fields extends VisibleObject>(
  { stored: { object }, outcome }: { stored: { object: Fields }; outcome: Outcome },
  pathOf: (object: Fields) => string,
) {
  const body = objectJson(object, { outcome });
  return outcome === 'added'
    ? { status: 201 as const, body, location: pathOf(object) }
    : { status: 200 as const, body };
}
