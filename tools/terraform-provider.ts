import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../functions/api/endpoints.ts';
import { agentTypeEntry, agentTypes } from '../functions/domain/agent/types.ts';
import { type ObjectKind, objectKinds } from '../functions/domain/fields/object-kind.ts';
import { descriptionOf, type Field, variantsOf } from '../shared/openapi/fields.ts';
import { type JsonSchema, type NamedSchemas, resolve } from '../shared/openapi/schemas.ts';
import type { OpenApiDocument } from '../shared/openapi/specification.ts';

const FILE = 'clients/terraform/internal/fields/generated.go';

export const HEADER = `// Code generated from the contracts in functions/ by \`npm run generate\`. DO NOT EDIT.

package fields
`;

/** The kinds of values, by the names of the constants in Go. */
type ValueKind = 'Text' | 'Integer' | 'Boolean' | 'TextList' | 'TextSet' | 'TextMap' | 'Object';

/** A field of the objects of one kind, over all types. */
export interface ProviderField {
  /** In the API. */
  name: string;
  value: ValueKind;
  description: string;
  /** The types of objects with this field. */
  types: string[];
  /** The types that require it. */
  required: string[];
  /** Undefined without a default. */
  standard: unknown;
  words: string[];
  minimum: number | undefined;
  maximum: number | undefined;
  /** The fields of an object. */
  fields: ProviderField[];
}

export interface ProviderKind {
  kind: ObjectKind;
  types: string[];
  /** The fields of a desired object. */
  desired: ProviderField[];
  /** The other fields of an object in a reply. */
  computed: ProviderField[];
  /** The parameters of the list. */
  filters: ProviderField[];
}

/** The fields that identify an object and cannot change. */
const identities: Readonly<Record<ObjectKind, readonly string[]>> = {
  node: ['node_type', 'node_name'],
  service: ['service_type', 'service_name'],
  agent: ['agent_type', 'runs_on_node_name', 'insights'],
};

/** Ids in replies that the provider replaces by names, and fields of upserts alone. */
const replacedFields = ['node_ids', 'runs_on_node_id', 'insights'];

/** Parameters of a list that the provider sets itself. */
const ownParameters = ['page_size', 'page_token', 'fields', 'include'];

const titleOf = (kind: ObjectKind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;

function valueKindOf({ type, uniqueItems, additionalProperties }: JsonSchema, name: string): ValueKind {
  switch (type) {
    case 'string':
      return 'Text';
    case 'integer':
      return 'Integer';
    case 'boolean':
      return 'Boolean';
    case 'array':
      return uniqueItems === true ? 'TextSet' : 'TextList';
    case 'object':
      return typeof additionalProperties === 'object' ? 'TextMap' : 'Object';
    default:
      throw new Error(`${name}: no attribute has a value of the type ${String(type)}`);
  }
}

/** The words and constants of a schema. */
const wordsOf = (schema: JsonSchema) => (schema.const === undefined ? (schema.enum ?? []) : [schema.const]);

/** The fields of several types of objects. A field must be the same in all types but for its words. */
function mergedFields(variants: ReadonlyMap<string, JsonSchema>, named: NamedSchemas): ProviderField[] {
  const fields = new Map<string, ProviderField>();
  for (const [type, { properties = {}, required = [] }] of variants)
    for (const [name, given] of Object.entries(properties)) {
      const field = fieldOf(name, { schema: given, required: required.includes(name) }, named);
      const described = fields.get(name) ?? field;
      const same = ['value', 'standard', 'minimum', 'maximum', 'fields'] as const;
      for (const part of same)
        if (!isDeepStrictEqual(described[part], field[part])) throw new Error(`${name}: ${part} differs between types`);
      described.types.push(type);
      if (required.includes(name)) described.required.push(type);
      described.words = [...new Set([...described.words, ...field.words])];
      fields.set(name, described);
    }
  return [...fields.values()];
}

function fieldOf(name: string, { schema: given }: Field, named: NamedSchemas): ProviderField {
  const schema = resolve(given, named);
  const value = valueKindOf(schema, name);
  const words = value === 'Text' ? wordsOf(schema).map(String) : [];
  return {
    name,
    value,
    description: descriptionOf(given, named),
    types: [],
    required: [],
    standard: given.default ?? schema.default,
    words,
    minimum: schema.minimum,
    maximum: schema.maximum,
    fields: value === 'Object' ? mergedFields(new Map([['', schema]]), named) : [],
  };
}

/** The parameters of the list of a kind. */
function filtersOf(kind: ObjectKind, document: OpenApiDocument): ProviderField[] {
  const endpoint = endpoints.find(({ id }) => id === `list${titleOf(kind)}s`);
  const operation = document.paths[endpoint?.path ?? '']?.['get'];
  return (operation?.parameters ?? []).flatMap((parameter) => {
    if (!('name' in parameter) || ownParameters.includes(parameter.name)) return [];
    const { name, schema, description } = parameter;
    return [{ ...fieldOf(name, { schema, required: false }, document.components.schemas), description }];
  });
}

/** The kinds of objects as the provider needs them. */
export function providerKinds(document: OpenApiDocument): ProviderKind[] {
  const { schemas } = document.components;
  const { properties = {} } = resolve({ $ref: 'Desired' }, schemas);
  return objectKinds.map((kind) => {
    const variants = variantsOf(resolve(properties[`${kind}s`] ?? {}, schemas).items ?? {}, schemas);
    const desired = mergedFields(variants, schemas);
    const isOther = ({ name }: ProviderField) =>
      !replacedFields.includes(name) && !desired.some((field) => field.name === name);
    const computed = mergedFields(variantsOf({ $ref: titleOf(kind) }, schemas), schemas).filter(isOther);
    return { kind, types: [...variants.keys()], desired, computed, filters: filtersOf(kind, document) };
  });
}

const list = (values: readonly string[]) => `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;

/** A default as a Go value; those of objects are the defaults of their fields. */
function standardOf({ value, standard }: ProviderField): string {
  if (value === 'Integer') return `int64(${String(standard)})`;
  if (value === 'TextList' || value === 'TextSet') return '[]any{}';
  return value === 'TextMap' || value === 'Object' ? 'map[string]any{}' : JSON.stringify(standard);
}

/** Attributes of Terraform have no upper-case letters. */
export const attributeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function fieldLine(field: ProviderField, types: readonly string[], isVerbose: boolean): string {
  const { name, value, description, required, words, minimum, maximum, fields } = field;
  const isOfAll = field.types.length === types.length;
  const parts = [
    `Name: ${JSON.stringify(attributeOf(name))}`,
    ...(attributeOf(name) === name ? [] : [`JSON: ${JSON.stringify(name)}`]),
    `Value: ${value}`,
    ...(isVerbose && !isOfAll ? [`Types: ${list(field.types)}`] : []),
    ...(isVerbose && required.length > 0 ? [`Required: ${list(required)}`] : []),
    ...(field.standard === undefined ? [] : [`Default: ${standardOf(field)}`]),
    ...(words.length === 0 ? [] : [`Words: ${list(words)}`]),
    ...(minimum === undefined ? [] : [`Least: number(${minimum})`]),
    ...(maximum === undefined ? [] : [`Most: number(${maximum})`]),
    `Description: ${JSON.stringify(description)}`,
    ...(fields.length === 0
      ? []
      : [`Fields: []Field{${fields.map((field) => fieldLine(field, [''], false)).join(', ')}}`]),
  ];
  return `{${parts.join(', ')}}`;
}

function kindBlock({ kind, types, desired, computed, filters }: ProviderKind): string {
  const fieldList = (name: string, fields: readonly ProviderField[]) =>
    `\t${name}: []Field{\n${fields.map((field) => `\t\t${fieldLine(field, types, name === 'Desired')},\n`).join('')}\t},\n`;
  return `
// ${titleOf(kind)} describes the ${kind}s of the inventory.
var ${titleOf(kind)} = Kind{
\tName: ${JSON.stringify(kind)}, Types: ${list(types)},
\tIdentity: ${list(identities[kind])},
${fieldList('Desired', desired)}${fieldList('Computed', computed)}${fieldList('Filters', filters)}}
`;
}

/** The types of agents with a rule, by their names. */
function agentRule(name: string, comment: string, types: readonly string[]): string {
  const rows = types.map((type) => `${JSON.stringify(type)}: true`);
  return `\n// ${name} ${comment}\nvar ${name} = map[string]bool{${rows.join(', ')}}\n`;
}

/** The generated source of the Terraform provider by its path. */
export function terraformProvider(document: OpenApiDocument): [path: string, text: string][] {
  const agentsWith = (isSuch: (entry: ReturnType<typeof agentTypeEntry>) => boolean) =>
    agentTypes.filter((type) => isSuch(agentTypeEntry(type)));
  const rules =
    agentRule(
      'UnderProcess',
      'has the types of agents that a pmm_agent starts.',
      agentsWith(({ place }) => place === 'pmm_agent'),
    ) +
    agentRule(
      'WatchesItsNode',
      'has the types of agents that monitor their own node by default.',
      agentsWith(({ watchesItsNode }) => watchesItsNode === true),
    );
  const version = `\n// Version is that of the server with these fields; a packaged provider states its build.\nvar Version = ${JSON.stringify(document.info.version)}\n`;
  return [[FILE, HEADER + version + providerKinds(document).map(kindBlock).join('') + rules]];
}
