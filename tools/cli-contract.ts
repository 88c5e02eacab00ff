import { endpoints } from '../functions/api/endpoints.ts';
import type { Endpoint } from '../functions/contract/endpoint.ts';
import { wordsOfPattern } from '../functions/domain/fields/list-query.ts';
import { type Field, fieldsOf, variantsOf } from '../shared/openapi/fields.ts';
import { type JsonSchema, resolve } from '../shared/openapi/schemas.ts';
import type { OpenApiDocument, Operation } from '../shared/openapi/specification.ts';

const FOLDER = 'clients/cli/src/generated';

const HEADER = '// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.\n\n';

/** The parameters of every list; the client and the format of the output use them. */
const ownParameters = ['page_size', 'page_token', 'include', 'fields', 'total'];

const firstSentence = (text: string) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

const scalars = ['string', 'integer', 'number', 'boolean'];

/** One value on a line, and no time: those are in the wide table. */
const isCell = ({ schema }: Field) => scalars.includes(String(schema.type)) && schema.format !== 'date-time';

/** Shown, although not all objects have them. */
const alsoShown = ['address', 'port', 'status_since', 'time', 'removed_at', 'expires_at', 'last_used_at'];

/** Not shown, although all objects have them. */
const notShown = ['revision', 'request_id', 'prefix'];

/** The fields of every variant, and whether each variant requires them. */
function fieldsOfAll(item: JsonSchema, document: OpenApiDocument): Map<string, Field> {
  const { schemas } = document.components;
  const all = new Map<string, Field>();
  const variants = [...variantsOf(item, schemas).values()].map((variant) => fieldsOf(variant, schemas));
  for (const fields of variants)
    for (const [name, field] of fields) {
      const required = variants.every((variant) => variant.get(name)?.required === true);
      if (!name.includes('.')) all.set(name, { schema: resolve(field.schema, schemas), required });
    }
  return all;
}

const parametersOf = ({ parameters = [] }: Operation) =>
  parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));

function pageOf(endpoint: Endpoint, operation: Operation, document: OpenApiDocument) {
  const isList = parametersOf(operation).some(({ name }) => name === 'page_token') && !endpoint.path.includes('{');
  const response = operation.responses['200'];
  if (!isList || response === undefined || '$ref' in response) return undefined;
  const schema = response.content?.['application/json']?.schema;
  const properties = schema === undefined ? {} : (resolve(schema, document.components.schemas).properties ?? {});
  const [items, list] = Object.entries(properties).find(([, { type }]) => type === 'array') ?? [];
  return items === undefined || list?.items === undefined ? undefined : { items, item: list.items };
}

function filtersOf(operation: Operation) {
  return parametersOf(operation)
    .filter(({ name }) => !ownParameters.includes(name))
    .map(({ name, description, schema }) => {
      const words = schema.enum?.map(String) ?? wordsOfPattern(schema['pattern']);
      return { name, description: firstSentence(description), ...(words.length > 0 ? { words } : {}) };
    });
}

/** The table has the name, or else the id, and the fields that all objects have or that the list filters by. */
function listOf(endpoint: Endpoint, document: OpenApiDocument) {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  const page = operation === undefined ? undefined : pageOf(endpoint, operation, document);
  if (operation === undefined || page === undefined) return undefined;
  const fields = fieldsOfAll(page.item, document);
  const filters = filtersOf(operation);
  const names = [...fields.keys()];
  const [first = ''] = names;
  const id = first.endsWith('_id') ? first : undefined;
  // A name that only some types have names no object: agents have none.
  const isName = (fieldName: string) => /^(\w+_)?name$/.test(fieldName) && fields.get(fieldName)?.required === true;
  const name = names.find((fieldName) => isName(fieldName) || (id === undefined && fieldName === first));
  const isFilter = (fieldName: string) => filters.some((filter) => filter.name === fieldName);
  const shown = [...fields].flatMap(([fieldName, field]) =>
    alsoShown.includes(fieldName) || (isCell(field) && (field.required || isFilter(fieldName))) ? [fieldName] : [],
  );
  const isOther = (fieldName: string) => fieldName !== id && fieldName !== name && !notShown.includes(fieldName);
  const columns = [name ?? id ?? first, ...shown.filter(isOther)];
  const wide = [...columns, ...names.filter((fieldName) => !columns.includes(fieldName))];
  const isObject = fields.has('revision') && fields.has('state');
  return [page.items, { operation: endpoint.id, id, name, hasState: isObject, filters, columns, wide }] as const;
}

/** The fields of the types of objects in a desired state. */
function desiredTypes({ components: { schemas } }: OpenApiDocument): [string, object][] {
  const { properties = {} } = resolve({ $ref: 'Desired' }, schemas);
  return Object.entries(properties).map(([list, { items = {} }]) => {
    const types = [...variantsOf(items, schemas)].map(([type, { properties: fields = {} }]): [string, string[]] => [
      type,
      Object.keys(fields),
    ]);
    const typeField = resolve(items, schemas).discriminator?.propertyName;
    return [list, { typeField, types: Object.fromEntries(types) }];
  });
}

/** The bodies that commands build from their options, by the noun of the command. */
const bodies = {
  node: 'Add_node',
  service: 'Add_service',
  agent: 'Add_agent',
  key: 'Add_api_key',
  token: 'Add_enrolment_token',
  user: 'Add_user',
  silence: 'Add_silence',
} as const;

const simple = new Map([
  ['string', 'text'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'flag'],
  ['array', 'list'],
]);

/** The default of a field, unless it is no value: `false`, an empty list. */
const defaultOf = ({ default: value }: JsonSchema) =>
  value === undefined || value === false || (Array.isArray(value) && value.length === 0) ? {} : { default: value };

/** The fields of a body that have one value or a list; those of nested objects by their path. */
function bodyFields(name: string, { components: { schemas } }: OpenApiDocument): object[] {
  const variants = variantsOf({ $ref: name }, schemas);
  const fieldsByPath = new Map<string, { schema: JsonSchema; words: Set<string>; types: number }>();
  for (const variant of variants.values())
    for (const [path, { schema: given }] of fieldsOf(variant, schemas)) {
      const schema = resolve(given, schemas);
      const { words, types } = fieldsByPath.get(path) ?? { words: new Set<string>(), types: 0 };
      const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
      for (const value of values) words.add(String(value));
      // A command names a field without the type of its object.
      const before = fieldsByPath.get(path)?.schema.default;
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema.default))
        throw new Error(`${name} has different defaults of ${path}`);
      fieldsByPath.set(path, {
        schema: { ...schema, description: given.description ?? schema.description ?? '' },
        words,
        types: types + 1,
      });
    }
  return [...fieldsByPath].flatMap(([path, { schema, words }]) => {
    const type = simple.get(String(schema.type));
    const description = firstSentence(schema.description ?? '');
    const values = { ...(words.size > 0 ? { words: [...words] } : {}), ...defaultOf(schema) };
    return type === undefined ? [] : [{ path, type, description, ...values }];
  });
}

function constant(name: string, doc: string, entries: readonly (readonly [string, object])[]): string {
  const rows = entries.map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`).join('');
  return `/** ${doc} */\nexport const ${name} = {\n${rows}} as const;\n`;
}

/** The generated modules of the command line by their paths. */
export function commandLineContract(document: OpenApiDocument): [path: string, text: string][] {
  const lists = endpoints.flatMap((endpoint) => {
    const list = endpoint.method === 'GET' ? listOf(endpoint, document) : undefined;
    return list === undefined ? [] : [list];
  });
  const objects = constant('desired', 'The fields of a desired state, by list and type.', desiredTypes(document));
  // Every command loads the lists, and only help shows what their filters mean.
  const short = lists.map(([items, { filters, ...list }]): [string, object] => [
    items,
    { ...list, filters: filters.map(({ description: _, ...filter }) => filter) },
  ]);
  const meanings = lists.map(([items, { filters }]): [string, object] => [
    items,
    Object.fromEntries(filters.map(({ name, description }) => [name, description])),
  ]);
  const additions = Object.entries(bodies).map(([noun, name]): [string, object] => [noun, bodyFields(name, document)]);
  return [
    [`${FOLDER}/bodies.ts`, HEADER + constant('bodies', 'The fields of the bodies of additions.', additions)],
    [`${FOLDER}/filters.ts`, HEADER + constant('filters', 'The meanings of the filters of lists.', meanings)],
    [`${FOLDER}/lists.ts`, HEADER + constant('lists', 'The lists of the API, by the field with their objects.', short)],
    [`${FOLDER}/objects.ts`, HEADER + objects],
  ];
}
