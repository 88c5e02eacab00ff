import { type JsonSchema, type NamedSchemas, resolve } from './schemas.ts';

/** The schemas of a union by the type that selects them; another schema has the key ''. */
export function variantsOf(schema: JsonSchema, named: NamedSchemas): Map<string, JsonSchema> {
  const target = resolve(schema, named);
  const { mapping } = target.discriminator ?? {};
  if (mapping === undefined) return new Map([['', target]]);
  return new Map(Object.entries(mapping).map(([type, $ref]) => [type, resolve({ $ref }, named)]));
}

export interface Field {
  schema: JsonSchema;
  required: boolean;
}

/** Fields by path, including those of nested objects: `build`, `build.commit`. */
export function fieldsOf(schema: JsonSchema, named: NamedSchemas, prefix = ''): Map<string, Field> {
  const { properties = {}, required = [] } = resolve(schema, named);
  return new Map(
    Object.entries(properties).flatMap(([name, field]): [string, Field][] => [
      [`${prefix}${name}`, { schema: field, required: required.includes(name) }],
      ...fieldsOf(field, named, `${prefix}${name}.`),
    ]),
  );
}

export function descriptionOf(schema: JsonSchema, named: NamedSchemas): string {
  return schema.description ?? resolve(schema, named).description ?? '';
}
