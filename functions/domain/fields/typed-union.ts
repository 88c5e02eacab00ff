import * as z from 'zod/mini';

/**
 * One schema per type, chosen by the field that names the type; `meta` is its name and description in documents, if it is in one.
 * Calls are marked pure, so that a function's bundle leaves out the schemas that it does not use: the twenty types of
 * agents take longer to set up than the rest of a cold start.
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

/** The names of the fields that objects of any of the types have. */
export function fieldsOf({ _zod: { def } }: TypedUnion): Set<string> {
  return new Set(def.options.flatMap((option) => (option instanceof z.ZodMiniObject ? Object.keys(option.shape) : [])));
}
