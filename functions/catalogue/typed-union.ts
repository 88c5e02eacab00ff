import * as z from 'zod/mini';

/** One schema per type, chosen by the field that names the type. */
export function typedUnion<Type extends string, Schema extends z.core.$ZodTypeDiscriminable>(
  discriminator: string,
  types: readonly [Type, ...Type[]],
  schemaOf: (type: Type) => Schema,
) {
  const [first, ...rest] = types;
  return z.discriminatedUnion(discriminator, [schemaOf(first), ...rest.map(schemaOf)]);
}
