import { type NamedSchemas, resolve, schemaReference } from './schemas.ts';
import type { OpenApiDocument } from './specification.ts';

/** Generators convert names to identifiers: names that are equal after this conversion collide. */
const asIdentifier = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * The order of components. Schemas of one type (`Add_node`, `Import_node`) stand beside each other: gzip finds only what
 * repeats within 32 kB, and this makes the document a seventh smaller than the order of the alphabet does.
 */
const lastWordFirst = (name: string) => name.split('_').toReversed().join('_');

/** The field as a schema of its own: generators ignore or refuse keywords beside a reference. */
function standalone({ $ref, ...beside }: { $ref?: string }, named: NamedSchemas): object {
  if ($ref === undefined) return beside;
  const { title: _, ...target } = resolve({ $ref }, named);
  return { ...target, ...beside };
}

/** The name of a component is its title. The API browser adds it again, and generators have the name. */
function withoutNameAsTitle(name: string, schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('title' in schema)) return schema;
  const { title, ...untitled } = schema;
  return title === name ? untitled : schema;
}

/**
 * The same document with each field that has a default as a component: generators of types treat a field with a default
 * beside its schema as always set. The first field with a name gets this name, others that of their owner before it.
 */
export function withNamedDefaults({ components, paths, ...rest }: OpenApiDocument): {
  paths: object;
  components: { schemas: Readonly<Record<string, unknown>> };
} {
  const taken = new Set(Object.values(components).flatMap(Object.keys).map(asIdentifier));
  const fields = new Map<string, { name: string; schema: object }>();

  function referenceTo(field: string, owner: string, schema: object): object {
    const text = `${field} ${JSON.stringify(schema)}`;
    const name = fields.get(text)?.name ?? (taken.has(asIdentifier(field)) ? `${owner}_${field}` : field);
    taken.add(asIdentifier(name));
    fields.set(text, { name, schema: standalone(schema, components.schemas) });
    return schemaReference(name);
  }

  /** @param isOfFields the keys of the value are names of fields, one of which may be `properties` or `default`. */
  function replaced(value: unknown, owner: string, isOfFields = false): unknown {
    if (Array.isArray(value)) return value.map((item) => replaced(item, owner));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [
        key,
        isOfFields && typeof inner === 'object' && inner !== null && 'default' in inner
          ? referenceTo(key, owner, inner)
          : replaced(inner, owner, key === 'properties' && !isOfFields),
      ]),
    );
  }

  const operations = Object.entries(paths).map(([path, methods]): [string, object] => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, replaced(operation, operation.operationId)]),
    ),
  ]);
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, replaced(schema, name)] as const);
  // A field can contain other fields with defaults, which this loop also reaches.
  for (const { name, schema } of fields.values()) schemas.push([name, replaced(schema, name)]);
  // A schema of which every use has a default is unused now.
  const text = JSON.stringify([operations, components.responses, schemas]);
  const used = schemas.filter(([name]) => text.includes(`"${schemaReference(name).$ref ?? ''}"`));
  const sorted = Object.fromEntries(
    used
      .toSorted(([left], [right]) => (lastWordFirst(left) < lastWordFirst(right) ? -1 : 1))
      .map(([name, schema]) => [name, withoutNameAsTitle(name, schema)]),
  );
  return { ...rest, paths: Object.fromEntries(operations), components: { ...components, schemas: sorted } };
}
