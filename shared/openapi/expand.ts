/** Any JSON value: the document of a release may be of another shape than the present one. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

type JsonObject = Record<string, Json>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** All their entries; of two of one name the later one. */
const joined = (objects: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(objects.flatMap((one) => Object.entries(one)));

const lastOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

const SCHEMA = '#/components/schemas/';
const PARAMETER = '#/components/parameters/';

/**
 * The document with every shared part where it is used: `expand(share(document))` says what `expand(document)` says, in
 * the same way. So two documents can be compared however each of them shares its parts.
 */
export function expand(document: object): JsonObject {
  // A copy, and without what is undefined: JSON has no such value.
  const copy: unknown = JSON.parse(JSON.stringify(document));
  const whole = isObject(copy) ? copy : {};
  const components = objectIn(whole['components']);
  const named = withClosedMembers(objectIn(components['schemas']));
  const parameters = objectIn(components['parameters']);

  function schemaAt(reference: string): JsonObject {
    const target = named[lastOf(reference)];
    if (!isObject(target)) throw new Error(`no such schema: ${reference}`);
    return target;
  }

  /** An object or a union that generated programs name: it stays a schema of its own. */
  function isModel(schema: JsonObject): boolean {
    return 'properties' in schema || 'allOf' in schema || 'oneOf' in schema;
  }

  /** The fields of the parts and of the schema itself, as of one object. */
  function merged(schema: JsonObject): JsonObject {
    const { allOf, unevaluatedProperties, ...own } = schema;
    if (!Array.isArray(allOf)) return schema;
    const parts = allOf.filter(isObject).map((part) => {
      const { $ref, ...beside } = part;
      return typeof $ref === 'string' ? { ...merged(schemaAt($ref)), ...beside } : merged(part);
    });
    const all = [...parts, own];
    const required = new Set(all.flatMap((one) => textsIn(one['required'])));
    const properties = joined(all.map((one) => objectIn(one['properties'])));
    return {
      // The first part describes the type that the object is a form of.
      ...joined(parts.toReversed().map(({ title: _, ...rest }) => rest)),
      ...own,
      ...(required.size === 0 ? {} : { required: [...required] }),
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(unevaluatedProperties === undefined ? {} : { additionalProperties: unevaluatedProperties }),
    };
  }

  function inlined(value: Json): Json {
    if (Array.isArray(value)) return value.map(inlined);
    if (!isObject(value)) return value;
    const { $ref, ...beside } = value;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(merged(value)).map(([name, inner]) => [name, inlined(inner)]));
    if ($ref.startsWith(PARAMETER)) return inlined(parameters[lastOf($ref)] ?? null);
    if (!$ref.startsWith(SCHEMA)) return value;
    const target = schemaAt($ref);
    const isPart = $ref.endsWith('_fields') || 'default' in target || Object.keys(beside).length > 0;
    if (isModel(target) && !isPart) return value;
    const { title: _, ...rest } = target;
    return inlined({ ...rest, ...beside });
  }

  const schemas = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, inlined(schema)]));
  const paths = objectIn(inlined(whole['paths'] ?? {}));
  const { responses = {}, ...others } = components;
  const roots = [...Object.values(paths).flatMap((methods) => Object.values(objectIn(methods)))];
  const inReplies = reachable([...roots.map((one) => objectIn(one)['responses'] ?? {}), inlined(responses)], schemas);
  const inRequests = reachable(roots, schemas);
  const kept = Object.entries(schemas).filter(([name]) => inReplies.has(name) || inRequests.has(name));
  return {
    ...whole,
    paths,
    components: {
      ...others,
      parameters: {},
      responses,
      // A default says what a request means; a part that replies share with requests has it all the same.
      schemas: Object.fromEntries(
        kept.map(([name, schema]) => [name, sorted(inReplies.has(name) ? withoutDefaults(schema) : schema)]),
      ),
    },
  };
}

/** A union that takes no further fields says so of each of its members. */
function withClosedMembers(schemas: JsonObject): JsonObject {
  const closed = new Set(
    Object.values(schemas).flatMap((schema) => {
      const { oneOf, unevaluatedProperties } = objectIn(schema);
      if (unevaluatedProperties !== false || !Array.isArray(oneOf)) return [];
      return textsIn(oneOf.map((member) => objectIn(member)['$ref'] ?? null)).map(lastOf);
    }),
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { unevaluatedProperties, ...rest } = objectIn(schema);
      if (closed.has(name)) return [name, { ...rest, unevaluatedProperties: false }];
      return [name, 'oneOf' in rest || unevaluatedProperties === undefined ? rest : { ...rest, unevaluatedProperties }];
    }),
  );
}

/** The names of the schemas that these values refer to, also through other schemas. */
function reachable(values: readonly Json[], schemas: JsonObject): Set<string> {
  const found = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    const reference = value['$ref'];
    if (typeof reference === 'string' && reference.startsWith(SCHEMA) && !found.has(lastOf(reference))) {
      found.add(lastOf(reference));
      visit(schemas[lastOf(reference)]);
    }
    Object.values(value).forEach(visit);
  };
  values.forEach(visit);
  return found;
}

/** @param isOfFields the names in the value are those of fields, of which one may be called `default`. */
function withoutDefaults(value: Json, isOfFields = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutDefaults(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isOfFields || name !== 'default')
      .map(([name, inner]) => [name, withoutDefaults(inner, name === 'properties' && !isOfFields)]),
  );
}

/** Without titles, which only repeat names, and in an order that does not depend on which fields stood in which part. */
function sorted(value: Json): Json {
  if (!isObject(value)) return value;
  const { properties, required, title: _, ...rest } = value;
  return {
    ...rest,
    ...(required === undefined ? {} : { required: textsIn(required).toSorted() }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(objectIn(properties)).toSorted(([left], [right]) => (left < right ? -1 : 1)),
          ),
        }),
  };
}
