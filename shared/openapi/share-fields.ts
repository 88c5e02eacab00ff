import { mapMedia, mapOperations } from './operations.ts';
import { type JsonSchema, type NamedSchemas, resolve, schemaReference } from './schemas.ts';
import type { OpenApiDocument } from './specification.ts';

interface Use {
  schema: JsonSchema;
  count: number;
  field: string;
  /** The schema with the shortest name among those that contain the field. */
  owner: string;
}

/**
 * Moves each repeated field to `components`, and each field with a default: if a field has a default beside its schema,
 * generators of types treat it as always set.
 */
export function shareFields(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  const named = components.schemas;
  const owners = [...Object.entries(named), ...schemasOfOperations(document)];
  const uses = new Map<string, Use>();
  for (const [owner, schema] of owners)
    for (const [field, value] of fieldsWithin(schema)) {
      const use = uses.get(JSON.stringify(value)) ?? { schema: value, count: 0, field, owner };
      const shorter = owner.length < use.owner.length ? owner : use.owner;
      uses.set(JSON.stringify(value), { ...use, owner: shorter, count: use.count + 1 });
    }
  const shared = [...uses].filter(([text, use]) => 'default' in use.schema || saves(text, use));
  const names = namesOf(shared, Object.values(components).flatMap(Object.keys));
  const fields = shared.map(([text, { schema }]): [string, JsonSchema] => [
    names.get(text) ?? '',
    replaced(standalone(schema, named), names),
  ]);
  const whole = Object.entries(named).map(([name, schema]): [string, JsonSchema] => [name, replaced(schema, names)]);
  const schemas = Object.fromEntries([...whole, ...fields].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  return mapOperations({ ...document, components: { ...components, schemas } }, (operation) =>
    mapMedia(operation, (schema) => replaced(schema, names)),
  );
}

/**
 * The name of each shared field, by the text of its schema. The most frequent field with a name gets the name itself.
 */
function namesOf(shared: readonly [text: string, use: Use][], taken: readonly string[]): Map<string, string> {
  const known = new Set(taken.map(asIdentifier));
  const names = new Map<string, string>();
  for (const [text, { schema, field: name, owner }] of shared.toSorted(
    ([, left], [, right]) => right.count - left.count,
  )) {
    // `_fields`, as for parts: the name says that it is no object of the API.
    const field = schema.properties === undefined ? name : `${name}_fields`;
    const candidates = [field, `${owner}_${field}`, ...shared.map((_, index) => `${owner}_${field}_${index + 2}`)];
    const free = candidates.find((one) => !known.has(asIdentifier(one))) ?? '';
    known.add(asIdentifier(free));
    names.set(text, free);
  }
  return names;
}

function schemasOfOperations({ paths }: OpenApiDocument): [operationId: string, schema: JsonSchema][] {
  const found: [string, JsonSchema][] = [];
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations)))
    mapMedia(operation, (schema) => {
      found.push([operation.operationId, schema]);
      return schema;
    });
  return found;
}

/** Generators convert names to identifiers: names that are equal after this conversion collide. */
function asIdentifier(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function saves(text: string, { schema, count, field }: Use): boolean {
  if (schema.$ref !== undefined) return false;
  const reference = JSON.stringify(schemaReference(field)).length;
  return count > 1 && text.length + field.length + count * reference < count * text.length;
}

function* fieldsWithin(schema: JsonSchema): Generator<[name: string, schema: JsonSchema]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield [name, field];
    yield* fieldsWithin(field);
  }
  for (const part of schema.allOf ?? []) yield* fieldsWithin(part);
  if (schema.items !== undefined) yield* fieldsWithin(schema.items);
}

function replaced(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const { properties, items, allOf } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, value]) => {
              const name = names.get(JSON.stringify(value));
              return [field, name === undefined ? replaced(value, names) : schemaReference(name)];
            }),
          ),
        }),
    ...(allOf === undefined ? {} : { allOf: allOf.map((part) => replaced(part, names)) }),
    ...(items === undefined ? {} : { items: replaced(items, names) }),
  };
}

/**
 * Generators ignore or refuse keywords beside a reference, so the reference is replaced by its target with these
 * keywords.
 */
function standalone(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const { title: _, ...target } = resolve({ $ref }, named);
  return { ...target, ...beside };
}
