/** Any JSON value: the document of a release may have another structure than the present one. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

type JsonObject = Record<string, Json>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const textsIn = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The entries of all objects; a later entry with the same name wins. */
const joined = (objects: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(objects.flatMap((one) => Object.entries(one)));

const lastOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

const SCHEMA = '#/components/schemas/';
const PARAMETER = '#/components/parameters/';

/** The shared parts of a document, which references lead to. */
interface SharedParts {
  schemas: JsonObject;
  parameters: JsonObject;
}

function schemaAt(reference: string, { schemas }: SharedParts): JsonObject {
  const target = schemas[lastOf(reference)];
  if (!isObject(target)) throw new Error(`no such schema: ${reference}`);
  return target;
}

/** An object or a union, which generated clients name: it remains a separate schema. */
function isModel(schema: JsonObject): boolean {
  return 'properties' in schema || 'allOf' in schema || 'oneOf' in schema;
}

/** Merges the fields of the parts and of the schema itself into one object. */
function merged(schema: JsonObject, shared: SharedParts): JsonObject {
  const { allOf, unevaluatedProperties, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = allOf.filter(isObject).map((part) => {
    const { $ref, ...beside } = part;
    return typeof $ref === 'string' ? { ...merged(schemaAt($ref, shared), shared), ...beside } : merged(part, shared);
  });
  const all = [...parts, own];
  const required = new Set(all.flatMap((one) => textsIn(one['required'])));
  const properties = joined(all.map((one) => objectIn(one['properties'])));
  return {
    // The first part describes the type of the object, so it takes precedence.
    ...joined(parts.toReversed().map(({ title: _, ...rest }) => rest)),
    ...own,
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(unevaluatedProperties === undefined ? {} : { additionalProperties: unevaluatedProperties }),
  };
}

/** The value with the parts in place of the references, except references to models. */
function inlined(value: Json, shared: SharedParts): Json {
  if (Array.isArray(value)) return value.map((one) => inlined(one, shared));
  if (!isObject(value)) return value;
  if (value['required'] === false) {
    // A parameter is optional by default.
    const { required: _, ...optional } = value;
    return inlined(optional, shared);
  }
  const { $ref, ...beside } = value;
  if (typeof $ref !== 'string') return inlinedValues(merged(value, shared), shared);
  if ($ref.startsWith(PARAMETER)) return inlined(shared.parameters[lastOf($ref)] ?? null, shared);
  if (!$ref.startsWith(SCHEMA)) return value;
  const target = schemaAt($ref, shared);
  const isPart = $ref.endsWith('_fields') || 'default' in target || Object.keys(beside).length > 0;
  if (isModel(target) && !isPart) return value;
  const { title: _, ...rest } = target;
  return inlined({ ...rest, ...beside }, shared);
}

function inlinedValues(value: JsonObject, shared: SharedParts): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inlined(inner, shared)]));
}

/**
 * Replaces every reference to a shared part by the part: `expand(share(document))` equals `expand(document)`. So two
 * documents can be compared independently of how they share parts.
 */
export function expand(document: object): JsonObject {
  // A copy without undefined values, which JSON does not have.
  const copy: unknown = JSON.parse(JSON.stringify(document));
  const whole = isObject(copy) ? copy : {};
  const components = objectIn(whole['components']);
  const shared = { schemas: objectIn(components['schemas']), parameters: objectIn(components['parameters']) };
  const schemas = inlinedValues(shared.schemas, shared);
  const paths = objectIn(inlined(whole['paths'] ?? {}, shared));
  const { responses = {}, ...others } = components;
  const roots = [...Object.values(paths).flatMap((methods) => Object.values(objectIn(methods)))];
  const replies = [...roots.map((one) => objectIn(one)['responses'] ?? {}), inlined(responses, shared)];
  const inReplies = reachable(replies, schemas);
  const inRequests = reachable(roots, schemas);
  const kept = Object.entries(schemas).filter(([name]) => inReplies.has(name) || inRequests.has(name));
  return {
    ...whole,
    paths,
    components: {
      ...others,
      parameters: {},
      responses,
      // A default concerns requests. A part that replies share with requests contains it anyway.
      schemas: Object.fromEntries(
        kept.map(([name, schema]) => [name, sorted(inReplies.has(name) ? withoutDefaults(schema) : schema)]),
      ),
    },
  };
}

/** The names of the schemas that these values refer to, directly or through other schemas. */
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

/** @param isOfFields the names in the value are field names, one of which may be `default`. */
function withoutDefaults(value: Json, isOfFields = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutDefaults(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isOfFields || name !== 'default')
      .map(([name, inner]) => [name, withoutDefaults(inner, name === 'properties' && !isOfFields)]),
  );
}

/** Without titles, which repeat names, and in an order that is independent of how fields are distributed over parts. */
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
