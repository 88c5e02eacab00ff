import * as z from 'zod/mini';

/** A JSON Schema (2020-12) as it stands in the document: no boolean schemas, references only to `components`. */
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

/** The schemas that references lead to, by name. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

type Raw = z.core.JSONSchema.BaseSchema;

/**
 * `request`: what a client may send. `reply`: what it gets; open, as a later version may say more. `parameters`: what
 * a query means, with its standard values, though it is all text on the wire.
 */
type Side = 'request' | 'reply' | 'parameters';

const COMPONENTS = '#/components/schemas/';

export function schemaReference(name: string): JsonSchema {
  return { $ref: `${COMPONENTS}${name}` };
}

/** The name at the end of a reference to a schema. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Follows a reference, if it is one. */
export function resolve(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = named[nameOf(schema.$ref)];
  if (target === undefined) throw new Error(`no such schema: ${schema.$ref}`);
  return target;
}

/** Keeps the discriminator, which is OpenAPI's own and no part of JSON Schema; its mapping comes later. */
function keepDiscriminator({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Raw }): void {
  const { def } = zodSchema._zod;
  if (def.type === 'union' && 'discriminator' in def) jsonSchema['discriminator'] = { propertyName: def.discriminator };
}

/** `anyOf: [text, null]` reads better as one schema of two types. */
function flattenNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [first, second, ...more] = anyOf ?? [];
  if (second?.type !== 'null' || typeof first?.type !== 'string' || more.length > 0) return schema;
  const values = first.enum === undefined ? {} : { enum: [...first.enum, null] };
  return { ...first, type: [first.type, 'null'], ...values, ...rest };
}

/** Bounds that say nothing but what a JSON number or a text is anyway. */
function isNoBound(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'minLength' && value === 0)
  );
}

/** Zod's output in the form of the document; `rename` names the schemas that it refers to. */
function tidy(raw: Raw | boolean, side: Side, rename: (name: string) => string): JsonSchema {
  if (typeof raw === 'boolean') return raw ? {} : { not: {} };
  const inner = (schema: Raw | boolean) => tidy(schema, side, rename);
  const { $ref, properties, additionalProperties, propertyNames, items, oneOf, anyOf, maxBytes, ...flat } = raw;
  // JSON Schema counts characters only.
  const bytes = typeof maxBytes === 'number' ? ` At most ${maxBytes} bytes in UTF-8, without control characters.` : '';
  const keywords = Object.entries(flat).filter(
    ([keyword, value]) =>
      !['$schema', '$id', '$defs'].includes(keyword) &&
      // Zod's patterns for its formats are longer than all the rest and say no more.
      !(keyword === 'pattern' && flat.format !== undefined) &&
      !(keyword === 'default' && side === 'reply') &&
      !isNoBound(keyword, value),
  );
  const closed = additionalProperties === false;
  return flattenNullable({
    ...($ref === undefined ? {} : schemaReference(rename(nameOf($ref)))),
    ...Object.fromEntries(keywords),
    ...(bytes === '' ? {} : { description: `${flat.description ?? ''}${bytes}`.trim() }),
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
  });
}

/** Completes the discriminator of a union: which value chooses which of its schemas. */
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

interface Converted {
  /** The schemas that were asked for, by their key. */
  roots: Record<string, JsonSchema>;
  /** Those that they refer to: each that has an `id` in its metadata. */
  named: Record<string, JsonSchema>;
}

/** Converts schemas together, so that what they share is there once. */
export function convert(
  schemas: Readonly<Record<string, z.core.$ZodType>>,
  side: Side,
  rename: (name: string) => string = (name) => name,
): Converted {
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object(schemas), {
    io: side === 'request' ? 'input' : 'output',
    override: keepDiscriminator,
  });
  const named = Object.fromEntries(
    Object.entries($defs).map(([name, schema]): [string, JsonSchema] => {
      // The title is how the API browser shows the schema within a union.
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

/** A schema as text with all that it refers to, to tell whether two of the same name say the same. */
function spelledOut(schema: JsonSchema | undefined, named: NamedSchemas): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? named[nameOf(value)] : value,
  );
}

/**
 * The bodies of requests and replies by the id of their endpoint, and every schema that they name. One that clients
 * send in another shape than they get it in (fields left out, say) is `<name>_input` in requests.
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
