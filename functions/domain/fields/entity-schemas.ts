import * as z from 'zod/mini';
import { labelChangesSchema } from './common-fields.ts';
import { stateShape } from './liveness.ts';
import type { ObjectKind } from './object-kind.ts';
import { type Options, optionsToChange } from './options.ts';
import { outcomeShape } from './outcome.ts';
import { orStored } from './stored-values.ts';
import { typedUnion } from './typed-union.ts';

interface EntitySchemaOptions<Type extends string> {
  kind: ObjectKind;
  types: readonly [Type, ...Type[]];
  /** The name of the schema of a type in documents. */
  nameOf: (type: Type) => string;
  descriptionOf: (type: Type) => string;
}

/** The bodies that contain whole objects, with their descriptions. */
const inputs = {
  Add: (kind: ObjectKind) => `${kind === 'agent' ? 'An' : 'A'} ${kind} to add, of one of the types.`,
  Declare: (kind: ObjectKind) => `A desired ${kind}, of one of the types.`,
  Desired: (kind: ObjectKind) =>
    `A desired ${kind}, of one of the types; refers to nodes ${kind === 'agent' ? 'and services ' : ''}by name.`,
  Import: (kind: ObjectKind) => `${kind === 'agent' ? 'An' : 'A'} ${kind} to import, of one of the types.`,
};

/** The schemas that all kinds of objects have, as typed unions with the same names in documents. */
export function entitySchemas<Type extends string>({ kind, types, nameOf, descriptionOf }: EntitySchemaOptions<Type>) {
  const union = <Schema extends z.core.$ZodType & z.core.$ZodTypeDiscriminable>(
    prefix: string,
    schemaOf: (type: Type) => Schema,
    meta: { id: string; description: string },
    options?: { isOpen: boolean },
  ) => {
    const named = (type: Type) => {
      const schema = schemaOf(type);
      z.globalRegistry.add(schema, { id: prefix + nameOf(type), description: descriptionOf(type) });
      return schema;
    };
    return typedUnion(`${kind}_type`, types, named, meta, options);
  };
  const input = <Schema extends z.core.$ZodType & z.core.$ZodTypeDiscriminable>(
    verb: keyof typeof inputs,
    schemaOf: (type: Type) => Schema,
  ) => union(`${verb}_`, schemaOf, { id: `${verb}_${kind}`, description: inputs[verb](kind) });
  return {
    input,
    /** A body that can be that of an object that exists. */
    inputOrStored: <Schema extends z.core.$ZodType & z.core.$ZodTypeDiscriminable>(
      verb: keyof typeof inputs,
      schemaOf: (type: Type) => Schema,
    ) => orStored(input(verb, schemaOf)),
    reply: <Shape extends z.core.$ZodShape>(
      fieldsOf: (type: Type) => z.ZodMiniObject<Shape>,
      meta: { id: string; description: string },
    ) => union('', (type) => z.extend(fieldsOf(type), stateShape()), meta, { isOpen: true }),
    upserted: <Shape extends z.core.$ZodShape>(fieldsOf: (type: Type) => z.ZodMiniObject<Shape>) =>
      union('Upserted_', (type) => z.extend(z.extend(fieldsOf(type), stateShape()), outcomeShape), {
        id: `Upserted_${kind}`,
        description: `The current ${kind} and the outcome.`,
      }),
    /** Body of a change: the fields of all types; the type of the stored object determines which are permitted. */
    change: <Shape extends z.core.$ZodShape>(shape: () => Shape, options: () => Options) =>
      z.lazy(() =>
        z
          .extend(
            z.strictObject({ ...shape(), custom_labels: z.optional(z.nullable(labelChangesSchema)) }),
            optionsToChange(options()),
          )
          .register(z.globalRegistry, {
            id: `Change_${kind}`,
            description: `Fields of ${kind === 'agent' ? 'an' : 'a'} ${kind} to change; null clears a field.`,
          }),
      ),
  };
}
