import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { agentTypeEntry, agentTypes } from '../functions/domain/agent/types.ts';
import { MAX_REMOVALS_PERCENT } from '../functions/domain/fields/safety-threshold.ts';
import { wordsOfPattern } from '../functions/domain/fields/list-query.ts';
import { variantsOf } from '../shared/openapi/fields.ts';
import { type JsonSchema, type NamedSchemas, resolve } from '../shared/openapi/schemas.ts';
import type { OpenApiDocument } from '../shared/openapi/specification.ts';

const FOLDER = 'clients/ansible/plugins';

const HEADER = `# Copyright: the authors of the monitoring inventory
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated from the contracts of the server by \`npm run generate\`: change those, not this file.
`;

/** An option of a module: its argument spec and its documentation. */
interface Option {
  type: string;
  elements?: string;
  required?: true;
  choices?: string[];
  options?: Options;
  description: string[];
}

type Options = Record<string, Option>;

/** An object by its natural key. In a desired state, references are names. */
const objects = {
  node: { schema: 'Add_node', type: 'node_type', path: '/v1/nodes' },
  service: { schema: 'Desired_service', type: 'service_type', path: '/v1/services' },
  agent: { schema: 'Desired_agent', type: 'agent_type', path: '/v1/agents' },
} as const;

type Kind = keyof typeof objects;

const kinds = ['node', 'service', 'agent'] as const satisfies Kind[];

const simple: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool' };

/** Ansible's documents have no backticks. */
const prose = (text: string) => text.replaceAll(/`([^`]*)`/g, 'V($1)').replace(/([^.])$/, '$1.');

interface Variants {
  schemas: JsonSchema[];
  types: string[];
  isRequired: boolean;
}

function optionOf({ schemas, types, isRequired }: Variants, isOfAll: boolean, named: NamedSchemas): Option {
  const resolved = schemas.map((schema) => resolve(schema, named));
  const [first = {}] = resolved;
  const words = resolved.flatMap((schema) => (schema.const === undefined ? (schema.enum ?? []) : [schema.const]));
  const text = schemas[0]?.description ?? first.description ?? '';
  const standard = schemas[0]?.default ?? first.default;
  const defaults = standard === undefined ? [] : [`The server's default is V(${JSON.stringify(standard)}).`];
  const description = [
    ...(text === '' ? [] : [prose(text)]),
    ...defaults,
    ...(isOfAll ? [] : [`Only of ${types.map((type) => `V(${type})`).join(', ')}.`]),
  ];
  const required = isRequired ? { required: true as const } : {};
  const kind = String(first.type);
  if (kind === 'array') return { type: 'list', elements: 'str', ...required, description };
  if (kind !== 'object')
    return {
      type: simple[kind] ?? 'raw',
      ...required,
      ...(words.length > 0 ? { choices: [...new Set(words.map(String))] } : {}),
      description,
    };
  const options = first.properties === undefined ? {} : { options: optionsOf(first, named) };
  return { type: 'dict', ...options, ...required, description };
}

/** The options of an object: the fields of all its types. */
function optionsOf(schema: JsonSchema, named: NamedSchemas): Options {
  const all = new Map<string, Variants>();
  const variants = variantsOf(schema, named);
  for (const [type, { properties = {}, required = [] }] of variants)
    for (const [name, field] of Object.entries(properties)) {
      const { schemas, types, isRequired } = all.get(name) ?? { schemas: [], types: [], isRequired: true };
      all.set(name, {
        schemas: [...schemas, field],
        types: [...types, type],
        isRequired: isRequired && required.includes(name),
      });
    }
  return Object.fromEntries(
    [...all].map(([name, field]) => [
      name,
      optionOf(
        { ...field, isRequired: field.isRequired && field.types.length === variants.size },
        field.types.length === variants.size,
        named,
      ),
    ]),
  );
}

/** The filters of GET /v1/nodes, apart from those that the inventory plugin has an option for. */
function filtersOf(document: OpenApiDocument): Options {
  const ownFilters = ['page_size', 'page_token', 'selector', 'include', 'fields'];
  const { parameters = [] } = document.paths[objects.node.path]?.['get'] ?? {};
  const filters = parameters.flatMap((parameter) =>
    '$ref' in parameter || ownFilters.includes(parameter.name) ? [] : [parameter],
  );
  return Object.fromEntries(
    filters.map(({ name, description, schema }) => {
      const words = schema.enum?.map(String) ?? wordsOfPattern(schema['pattern']);
      const values = words.length === 0 ? [] : [`Values are ${words.map((word) => `V(${word})`).join(', ')}.`];
      return [name, { type: 'str', description: [prose(description), ...values] }];
    }),
  );
}

/** Ansible asks for it if the name of an option resembles that of a secret. */
const isSuspect = (name: string) => /pass(?!ive)|secret|token|cryptkey/i.test(name);

function spec(options: Options): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { options: inner, description: _, ...rest }]) => [
      name,
      {
        ...rest,
        ...(isSuspect(name) ? { no_log: false } : {}),
        ...(inner === undefined ? {} : { options: spec(inner) }),
      },
    ]),
  );
}

const MAX_LINE = 130;

/** The texts in lines, as many in each as have room. */
function filled(texts: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const text of texts) {
    const longer = `${lines.at(-1)} ${text},`;
    if (lines.length > 0 && indent.length + longer.length <= MAX_LINE) lines[lines.length - 1] = longer;
    else lines.push(`${text},`);
  }
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** A Python literal: a list or dictionary is on one line, unless it is long. */
function python(value: unknown, indent = ''): string {
  if (value === undefined || value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}    `;
  if (Array.isArray(value)) {
    const texts = value.map((item) => python(item, deeper));
    const line = `[${texts.join(', ')}]`;
    return indent.length + line.length <= MAX_LINE ? line : `[\n${filled(texts, deeper)}${indent}]`;
  }
  const texts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${python(item, deeper)}`);
  const line = `{${texts.join(', ')}}`;
  const isShort = indent.length + line.length <= MAX_LINE && !line.includes('\n');
  return isShort ? line : `{\n${texts.map((text) => `${deeper}${text},\n`).join('')}${indent}}`;
}

type FieldsOfType = [type: string, schema: JsonSchema];

/** The fields of each type: which exist, and which an add requires. */
const typesOf = (types: readonly FieldsOfType[]) =>
  Object.fromEntries(
    types.map(([type, { properties = {}, required = [] }]) => [type, { fields: Object.keys(properties), required }]),
  );

/** The defaults of fields, which do not depend on the type. */
function defaultsOf(types: readonly FieldsOfType[], named: NamedSchemas): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  for (const [type, { properties = {} }] of types)
    for (const [name, field] of Object.entries(properties)) {
      const value = field.default ?? resolve(field, named).default;
      if (name in defaults && !isDeepStrictEqual(defaults[name], value))
        throw new Error(`${type} has another default of ${name} than other types`);
      if (value !== undefined) defaults[name] = value;
    }
  return defaults;
}

/** The options of a task: only the natural key identifies an object that is absent. */
function taskOptions(options: Options): Options {
  return Object.fromEntries(Object.entries(options).map(([name, { required: _, ...option }]) => [name, option]));
}

/** The option of the module scope that has a default of the server. */
const removals = {
  max_removals_percent: {
    type: 'float',
    description: [
      'Share of the objects in the scope that may be removed, in percent. If more would be removed, nothing is changed.',
      `The server's default is V(${MAX_REMOVALS_PERCENT}).`,
    ],
  },
};

const sharedFragment = (options: object) =>
  `${HEADER}

class ModuleDocFragment:
    DOCUMENTATION = r"""
${stringify({ options }, { version: '1.1', lineWidth: 140 })}"""
`;

function contractModule(all: Readonly<Record<Kind, Options>>, document: OpenApiDocument): string {
  const { schemas: named } = document.components;
  const ownNode = agentTypes.filter((type) => agentTypeEntry(type).watchesItsNode === true);
  const underProcess = agentTypes.filter((type) => agentTypeEntry(type).place === 'pmm_agent');
  const typeSchemas = (kind: Kind) => [...variantsOf({ $ref: objects[kind].schema }, named)];
  const ofKinds = (get: (kind: Kind) => object) => Object.fromEntries(kinds.map((kind) => [kind, get(kind)]));
  const constants = {
    DESIRED: Object.fromEntries(
      kinds.map((kind) => [`${kind}s`, { type: 'list', elements: 'dict', options: spec(all[kind]) }]),
    ),
    TYPES: ofKinds((kind) => typesOf(typeSchemas(kind))),
    DEFAULTS: ofKinds((kind) => defaultsOf(typeSchemas(kind), named)),
    OWN_NODE_AGENTS: ownNode,
    AGENTS_OF_PROCESS: underProcess,
    FILTERS: Object.keys(filtersOf(document)),
  };
  const text = Object.entries(constants).map(([name, value]) => `${name} = ${python(value)}\n`);
  return `${HEADER}\n${text.join('\n')}`;
}

/** The generated files of the Ansible collection by their paths. */
export function ansibleContract(document: OpenApiDocument): [path: string, text: string][] {
  const { schemas: named } = document.components;
  const optionsOfKind = (kind: Kind) => optionsOf({ $ref: objects[kind].schema }, named);
  const all = { node: optionsOfKind('node'), service: optionsOfKind('service'), agent: optionsOfKind('agent') };
  const filters = {
    filters: {
      type: 'dict',
      default: {},
      description: ['Only nodes that match all of these filters.'],
      suboptions: filtersOf(document),
    },
  };
  const withSuboptions = (options: Options): object =>
    Object.fromEntries(
      Object.entries(options).map(([name, { options: inner, ...rest }]) => [
        name,
        { ...rest, ...(inner === undefined ? {} : { suboptions: withSuboptions(inner) }) },
      ]),
    );
  return [
    [`${FOLDER}/module_utils/contract.py`, contractModule(all, document)],
    ...kinds.map((kind): [string, string] => [
      `${FOLDER}/doc_fragments/${kind}.py`,
      sharedFragment(withSuboptions(taskOptions(all[kind]))),
    ]),
    [`${FOLDER}/doc_fragments/removals.py`, sharedFragment(removals)],
    [`${FOLDER}/doc_fragments/filters.py`, sharedFragment(filters)],
  ];
}
