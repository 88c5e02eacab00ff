type Fields = Readonly<Record<string, unknown>>;

/** The fields of a change of an object, as in its record. */
export interface FieldChange {
  before?: Fields | undefined;
  after?: Fields | undefined;
}

/**
 * Each field that changes of one object contain, before the first and after the last of these changes. A field without
 * a value is undefined, also the fields of an object before its add.
 *
 * @param changes in their order.
 */
export function netFieldsOf(changes: Iterable<FieldChange>) {
  const [before, after] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const { before: was = {}, after: is = {} } of changes)
    for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (!before.has(field)) before.set(field, was[field]);
      after.set(field, is[field]);
    }
  return { before, after };
}

/** An object as it was before some changes of it. @param changes in their order; the object is that after the last one. */
export function fieldsBefore(object: Fields, changes: Iterable<FieldChange>): Record<string, unknown> {
  const fields = new Map([...Object.entries(object), ...netFieldsOf(changes).before]);
  return Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
}
