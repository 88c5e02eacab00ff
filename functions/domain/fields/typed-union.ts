import * as z from 'zod/mini';
import { isRecord } from '../../../shared/db/item.ts';

/**
 * One schema per type, selected by the field with the type; `meta` is its name and description in documents. The schema
 * of a type is created when a value of this type is parsed, and all of them for documents and for a value of no type:
 * creating those of the twenty types of agents takes longer than loading a function.
 *
 * @param isOpen it accepts objects of other types as they are: those that a newer version has stored (open-enum.ts).
 */
export function typedUnion<Type extends string, Schema extends z.core.$ZodTypeDiscriminable>(
  discriminator: string,
  types: readonly [Type, ...Type[]],
  schemaOf: (type: Type) => Schema,
  meta?: { id: string; description: string },
  { isOpen = false }: { isOpen?: boolean } = {},
) {
  const made = new Map<Type, Schema>();
  const schemaFor = (type: Type): Schema => {
    const schema = made.get(type) ?? schemaOf(type);
    made.set(type, schema);
    return schema;
  };
  const union = z.lazy(() => {
    const [first, ...rest] = types;
    const all = z.discriminatedUnion(discriminator, [schemaFor(first), ...rest.map(schemaFor)]);
    if (meta !== undefined) z.globalRegistry.add(all, meta);
    return all;
  });
  const parseAny = union._zod.parse.bind(union._zod);
  // The union would create all schemas to find the right one.
  const parse = (payload: z.core.ParsePayload, context: z.core.ParseContextInternal) => {
    const value: unknown = payload.value;
    const type = isRecord(value) ? types.find((candidate) => candidate === value[discriminator]) : undefined;
    if (type !== undefined) return schemaFor(type)._zod.run(payload, context);
    return isOpen && isRecord(value) && typeof value[discriminator] === 'string' ? payload : parseAny(payload, context);
  };
  // Without checks, the two are the same.
  union._zod.parse = parse;
  union._zod.run = parse;
  return union;
}

/** A union of `typedUnion`. */
export type TypedUnion = z.core.$ZodLazy<z.core.$ZodUnion>;

/** The names of the fields of all types. */
export function fieldsOf({ _zod: { innerType } }: TypedUnion): Set<string> {
  const { options } = innerType._zod.def;
  return new Set(options.flatMap((option) => (option instanceof z.ZodMiniObject ? Object.keys(option.shape) : [])));
}
