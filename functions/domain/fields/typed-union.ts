import * as z from 'zod/mini';

/**
 * One schema per type, selected by the field with the type; `meta` is its name and description in documents. Calls are
 * marked pure, so that the bundle of a function omits unused schemas: setting up the twenty types of agents takes
 * longer than the rest of a cold start.
 */
export function typedUnion<Type extends string, Schema extends z.core.$ZodTypeDiscriminable>(
  discriminator: string,
  types: readonly [Type, ...Type[]],
  schemaOf: (type: Type) => Schema,
  meta?: { id: string; description: string },
) {
  const [first, ...rest] = types;
  const union = z.discriminatedUnion(discriminator, [schemaOf(first), ...rest.map(schemaOf)]);
  if (meta !== undefined) z.globalRegistry.add(union, meta);
  return union;
}

export type TypedUnion = z.core.$ZodUnion;

/** The names of the fields of all types. */
export function fieldsOf({ _zod: { def } }: TypedUnion): Set<string> {
  return new Set(def.options.flatMap((option) => (option instanceof z.ZodMiniObject ? Object.keys(option.shape) : [])));
}
