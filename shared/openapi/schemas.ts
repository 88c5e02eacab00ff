import * as z from 'zod/mini';

/** A JSON Schema (2020-12) as used in the document: no boolean schemas, references only to `components`. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  title?: string;
  type?: string | string[];
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  format?: string;
  description?: string;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  unevaluatedProperties?: boolean;
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

/** The targets of references, by name. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

type Raw = z.core.JSONSchema.BaseSchema;

/**
 * `request`: the values that a client may send. `reply`: the values that it receives; open, because a later version may
 * add fields. `parameters`: the meaning of a query with its defaults, although its values are strings.
 */
type Side = 'request' | 'reply' | 'parameters';

const COMPONENTS = '#/components/schemas/';

export function schemaReference(name: string): JsonSchema {
  return { $ref: `${COMPONENTS}${name}` };
}

/** The name of the schema that a reference leads to. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Follows a reference; other schemas are unchanged. */
export function resolve(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = named[nameOf(schema.$ref)];
  if (target === undefined) throw new Error(`no such schema: ${schema.$ref}`);
  return target;
}

/** Keeps the discriminator, which is an OpenAPI keyword and not part of JSON Schema; `withMapping` completes it. */
function keepDiscriminator({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Raw }): void {
  const { def } = zodSchema._zod;
  if (def.type === 'union' && 'discriminator' in def) jsonSchema['discriminator'] = { propertyName: def.discriminator };
}

/** Combines `anyOf: [text, null]` into one schema with two types, which is easier to read. */
function flattenNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, second, ...more] = anyOf ?? [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || more.length > 0) return schema;
  const values = first.enum === undefined ? {} : { enum: [...first.enum, null] };
  return { ...first, type: [first.type, 'null'], ...values, ...rest };
}

/** Bounds that every JSON number or string satisfies anyway. */
function isNoBound(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'minLength' && value === 0)
  );
}

/**
 * Converts zod's output to the form of the document; `rename` names the schemas that it refers to. Of schemas of one type,
 * the required fields differ most: after what is equal, they make the document one percent smaller with gzip.
 */
function tidy(raw: Raw | boolean, side: Side, rename: (name: string) => string): JsonSchema {
  if (typeof raw === 'boolean') return raw ? {} : { not: {} };
  const inner = (schema: Raw | boolean) => tidy(schema, side, rename);
  const { $ref, description, required, properties, additionalProperties, propertyNames, items, oneOf, anyOf, ...rest } =
    raw;
  const { maxBytes, ...flat } = rest;
  // JSON Schema counts characters only.
  const bytes = typeof maxBytes === 'number' ? ` At most ${maxBytes} bytes in UTF-8, without control characters.` : '';
  const text = `${description ?? ''}${bytes}`.trim();
  const keywords = Object.entries(flat).filter(
    ([keyword, value]) =>
      !['$schema', '$id', '$defs'].includes(keyword) &&
      // Zod's patterns for its formats are long and add nothing to the format.
      !(keyword === 'pattern' && flat.format !== undefined) &&
      !(keyword === 'default' && side === 'reply') &&
      !isNoBound(keyword, value),
  );
  const closed = additionalProperties === false;
  return flattenNullable({
    ...($ref === undefined ? {} : schemaReference(rename(nameOf($ref)))),
    ...(text === '' ? {} : { description: text }),
    ...Object.fromEntries(keywords),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, inner(schema)])) }),
    ...(additionalProperties === undefined || (closed && side === 'reply')
      ? {}
      : { additionalProperties: closed ? false : inner(additionalProperties) }),
    ...(propertyNames === undefined ? {} : { propertyNames: inner(propertyNames) }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: inner(items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(inner) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inner) }),
    ...(required === undefined ? {} : { required }),
  });
}

/** Adds the mapping of a discriminator: the value that selects each schema of the union. */
function withMapping(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const { discriminator, oneOf } = schema;
  if (discriminator === undefined || oneOf === undefined) return schema;
  const { propertyName } = discriminator;
  const mapping = oneOf.map((option): [string, string] => {
    const value = resolve(option, named).properties?.[propertyName]?.const;
    if (option.$ref === undefined || typeof value !== 'string')
      throw new Error(`a schema of the union over ${propertyName} has no name or no constant`);
    return [value, option.$ref];
  });
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

function mapped<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

interface SchemaConversion {
  /** The converted schemas, by their key. */
  roots: Record<string, JsonSchema>;
  /** The schemas that they refer to: those with an `id` in their metadata. */
  named: Record<string, JsonSchema>;
}

/** Converts several schemas at once, so that each shared schema appears once. */
export function convert(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  side: Side,
  rename: (name: string) => string = (name) => name,
): SchemaConversion {
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object(schemas), {
    io: side === 'request' ? 'input' : 'output',
    override: keepDiscriminator,
  });
  const named = Object.fromEntries(
    Object.entries($defs).map(([name, schema]): [string, JsonSchema] => {
      // The API browser shows the title of a schema within a union.
      const title = rename(name);
      return [title, { title, ...tidy(schema, side, rename) }];
    }),
  );
  return {
    roots: mapped(
      mapped(properties, (schema) => tidy(schema, side, rename)),
      (schema) => withMapping(schema, named),
    ),
    named: mapped(named, (schema) => withMapping(schema, named)),
  };
}

/** A schema as text, including the schemas that it refers to, to compare two schemas with the same name. */
function spelledOut(schema: JsonSchema | undefined, named: NamedSchemas): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? named[nameOf(value)] : value,
  );
}

/**
 * The bodies of requests and replies by the id of their endpoint, and all schemas that they name. A schema that differs
 * between requests and replies (by omitted fields, for example) is `<name>_input` in requests.
 */
export function bodySchemas(
  bodies: Readonly<Record<string, z.core.$ZodType>>,
  replies: Readonly<Record<string, z.core.$ZodType>>,
): { bodies: NamedSchemas; replies: NamedSchemas; named: NamedSchemas } {
  const reply = convert(replies, 'reply');
  const plain = convert(bodies, 'request');
  const differs = (name: string) =>
    Object.hasOwn(reply.named, name) &&
    spelledOut(reply.named[name], reply.named) !== spelledOut(plain.named[name], plain.named);
  const request = convert(bodies, 'request', (name) => (differs(name) ? `${name}_input` : name));
  return { bodies: request.roots, replies: reply.roots, named: { ...request.named, ...reply.named } };
}
