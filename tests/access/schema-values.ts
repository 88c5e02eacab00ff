import { nameOf } from '../../shared/openapi/schemas.ts';
import type { JsonSchema, NamedSchemas } from '../../shared/openapi/schemas.ts';
import type { Random } from '../consistency/random.ts';

/** Texts of which one fits nearly every pattern of the document. */
const words = [
  ...['a', 'b7', 'x-y.z', 'eu-1', 'Größe 1/ä', '数据库', 'O’Neil "q"', 'zed', '10.1.2.3', 'db.example.com'],
  ...['90s', '5m', '12h', '1d', '1.5s', '60s', '/metrics', 'http', '2026-03-01T00:00:00.000Z', '10.0.0.0/8'],
  ...['live', 'stale,offline', 'never_seen', 'running', 'done,waiting', 'node', 'service,agent', '1/2', '0/1', 'team'],
];

const isLongEnough = ({ minLength = 0, maxLength = Infinity }: JsonSchema, text: string) =>
  text.length >= minLength && text.length <= maxLength;

function textOf(random: Random, schema: JsonSchema): string | undefined {
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  const isTime = schema.format === 'date-time';
  const fitting = words.filter(
    (word) =>
      isLongEnough(schema, word) && pattern?.test(word) !== false && (!isTime || /^\d{4}-\d\d-\d\dT/.test(word)),
  );
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

/** The schema with the one that it refers to, or one of its alternatives, in its place. */
function chosen(random: Random, schema: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const { $ref, oneOf, anyOf, ...rest } = schema;
  if ($ref !== undefined) return chosen(random, { ...schemas[nameOf($ref)], ...rest }, schemas);
  const alternatives = oneOf ?? anyOf;
  return alternatives === undefined ? schema : chosen(random, random.pick(alternatives), schemas);
}

function recordOf(random: Random, schema: JsonSchema, schemas: NamedSchemas): Record<string, unknown> {
  const { additionalProperties: values, propertyNames = {} } = schema;
  const count = Number(schema['minProperties'] ?? 0) + random.below(2);
  const entries = Array.from({ length: count }, () => [
    textOf(random, propertyNames) ?? 'label',
    typeof values === 'object' ? valueOf(random, values, schemas) : 'x',
  ]);
  return Object.fromEntries(entries);
}

function objectOf(random: Random, schema: JsonSchema, schemas: NamedSchemas): Record<string, unknown> {
  const { properties, required = [] } = schema;
  if (properties === undefined) return recordOf(random, schema, schemas);
  const given = Object.entries(properties).flatMap(([name, of]) => {
    const value = required.includes(name) || random.chance(0.25) ? valueOf(random, of, schemas) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** A value that a schema of the document permits; undefined for a text of which none is known. */
export function valueOf(random: Random, given: JsonSchema, schemas: NamedSchemas): unknown {
  const schema = chosen(random, given, schemas);
  const { const: only, enum: values, minimum = 0, maximum = minimum + 1000, items } = schema;
  if (only !== undefined) return only;
  if (values !== undefined) return random.pick(values);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.chance(0.3) ? random.pick([minimum, maximum]) : minimum + random.below(maximum - minimum + 1);
    case 'string':
      return textOf(random, schema);
    case 'array': {
      const count = Number(schema['minItems'] ?? 0) + random.below(2);
      const list = Array.from({ length: count }, () => valueOf(random, items ?? {}, schemas));
      return list.filter((value) => value !== undefined);
    }
    default:
      return objectOf(random, schema, schemas);
  }
}

/** The properties of an object schema in the document, with references resolved. */
export const propertiesOf = (schema: JsonSchema, schemas: NamedSchemas): Readonly<Record<string, JsonSchema>> =>
  schema.$ref === undefined ? (schema.properties ?? {}) : propertiesOf(schemas[nameOf(schema.$ref)] ?? {}, schemas);

/** Values that hardly any field expects. No whole number of seconds is among them: nothing waits for one. */
export const oddValues: readonly unknown[] = [
  ...[null, true, -1, 0.5, 1e308, '', ' ', '\u0000', 'a\nb', '\u202eabc', '\ud800', '😀'.repeat(200), 'x'.repeat(5000)],
  ...["' OR 1=1 --", '${jndi:x}', '../../etc/passwd', '<script>', '__proto__', 'minv_wrong', '*', '%', 'NaN'],
  ...[[], {}, [null], { a: { b: {} } }, '00000000-0000-4000-8000-000000000000', '9'.repeat(40), '-0', '1e5'],
];
