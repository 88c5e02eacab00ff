import { type JsonSchema, type NamedSchemas, resolve, schemaReference } from './schemas.ts';

interface Use {
  schema: JsonSchema;
  count: number;
  field: string;
  /** The first schema that has the field. */
  owner: string;
}

/**
 * Moves each field that is repeated to `components`, and each field with a default: generators of types take a field
 * that has one beside it for one that is always set.
 *
 * @param taken names that programs generated from the document use already.
 */
export function shareFields(named: NamedSchemas, taken: readonly string[]): NamedSchemas {
  const uses = new Map<string, Use>();
  for (const [owner, schema] of Object.entries(named))
    for (const [field, value] of fieldsWithin(schema)) {
      const use = uses.get(JSON.stringify(value)) ?? { schema: value, count: 0, field, owner };
      uses.set(JSON.stringify(value), { ...use, count: use.count + 1 });
    }
  const worthwhile = [...uses].filter(([text, use]) => 'default' in use.schema || saves(text, use));
  const known = new Set([...taken, ...Object.keys(named)].map(asIdentifier));
  const names = new Map<string, string>();
  for (const [text, { field, owner }] of worthwhile.toSorted(([, left], [, right]) => right.count - left.count)) {
    const name = [field, `${owner}_${field}`].find((one) => !known.has(asIdentifier(one)));
    if (name === undefined) throw new Error(`${owner} ${field} has no name that is free`);
    known.add(asIdentifier(name));
    names.set(text, name);
  }
  const fields = worthwhile.map(([text, { schema }]): [string, JsonSchema] => [
    names.get(text) ?? '',
    replaced(standalone(schema, named), names),
  ]);
  const whole = Object.entries(named).map(([name, schema]): [string, JsonSchema] => [name, replaced(schema, names)]);
  return Object.fromEntries([...whole, ...fields].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Generators make identifiers of names: those that differ in nothing else collide. */
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
  if (schema.items !== undefined) yield* fieldsWithin(schema.items);
}

function replaced(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const { properties, items } = schema;
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
    ...(items === undefined ? {} : { items: replaced(items, names) }),
  };
}

/** Generators ignore or refuse what stands beside a reference: the schema that it leads to, with that. */
function standalone(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const { title: _, ...target } = resolve({ $ref }, named);
  return { ...target, ...beside };
}
