import * as z from 'zod/mini';
import { stateShape } from './liveness.ts';
import type { ObjectKind } from './object-kind.ts';
import { outcomeShape } from './outcome.ts';
import { typedUnion } from './typed-union.ts';

interface EntitySchemaOptions<Type extends string> {
  kind: ObjectKind;
  types: readonly [Type, ...Type[]];
  /** The name of the schema of a type in documents. */
  nameOf: (type: Type) => string;
  descriptionOf: (type: Type) => string;
}

/** The schemas that all kinds of objects have, as typed unions with the same names in documents. */
export function entitySchemas<Type extends string>({ kind, types, nameOf, descriptionOf }: EntitySchemaOptions<Type>) {
  const union = <Schema extends z.core.$ZodType & z.core.$ZodTypeDiscriminable>(
    prefix: string,
    schemaOf: (type: Type) => Schema,
    meta: { id: string; description: string },
  ) => {
    const named = (type: Type) => {
      const schema = schemaOf(type);
      z.globalRegistry.add(schema, { id: prefix + nameOf(type), description: descriptionOf(type) });
      return schema;
    };
    return typedUnion(`${kind}_type`, types, named, meta);
  };
  return {
    /** A body of a request. */
    input: <Schema extends z.core.$ZodType & z.core.$ZodTypeDiscriminable>(
      verb: 'Add' | 'Declare' | 'Desired' | 'Import',
      schemaOf: (type: Type) => Schema,
      description: string,
    ) => union(`${verb}_`, schemaOf, { id: `${verb}_${kind}`, description }),
    reply: <Shape extends z.core.$ZodShape>(
      fieldsOf: (type: Type) => z.ZodMiniObject<Shape>,
      meta: { id: string; description: string },
    ) => union('', (type) => z.extend(fieldsOf(type), stateShape()), meta),
    upserted: <Shape extends z.core.$ZodShape>(fieldsOf: (type: Type) => z.ZodMiniObject<Shape>) =>
      union('Upserted_', (type) => z.extend(z.extend(fieldsOf(type), stateShape()), outcomeShape), {
        id: `Upserted_${kind}`,
        description: `The current ${kind} and the outcome.`,
      }),
  };
}
