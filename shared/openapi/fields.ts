import { code, codes } from './markdown.ts';
import { type JsonSchema, nameOf, type NamedSchemas, resolve } from './schemas.ts';

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

function range(low: number | undefined, high: number | undefined, unit = ''): string {
  if (low === undefined) return high === undefined ? '' : `, at most ${high}${unit}`;
  return high === undefined ? `, at least ${low}${unit}` : `, ${low} to ${high}${unit}`;
}

const atMost = (count: number | undefined) => (count === undefined ? '' : ` (at most ${count})`);

/** The permitted values of a schema, in words. */
export function valueOf(schema: JsonSchema, named: NamedSchemas): string {
  const target = resolve(schema, named);
  const { type, items, additionalProperties, minLength, maxLength, minimum, maximum, maxItems, maxProperties } = target;
  const values = target.const === undefined ? target.enum : [target.const];
  if (values !== undefined) return codes(values.filter((value) => value !== null).map(String));
  if (schema.$ref !== undefined && typeof additionalProperties !== 'object') return code(nameOf(schema.$ref));
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return target.format === 'date-time' ? 'time' : `string${range(minLength, maxLength, ' characters')}`;
    case 'integer':
      return `integer${range(minimum, maximum)}`;
    case 'boolean':
      return 'boolean';
    case 'array':
      return `list${atMost(maxItems)} of ${items === undefined ? 'anything' : valueOf(items, named)}`;
    default:
      return typeof additionalProperties === 'object'
        ? `object${atMost(maxProperties)}, by name: ${valueOf(additionalProperties, named)}`
        : 'object';
  }
}
