import { agentTypes } from '../../functions/domain/agent/types.ts';
import { agentDeclaration, getKeys } from '../../functions/pmm/declarations/agents.ts';
import {
  enumerations,
  type EnumerationName,
  type Generation,
  namesIn,
} from '../../functions/pmm/declarations/enums.ts';
import type { Field, WireType } from '../../functions/pmm/declarations/field.ts';
import { nodeDeclarations, nodeGroups, type TypeDeclaration } from '../../functions/pmm/declarations/nodes.ts';
import { serviceDeclarations, serviceGroups } from '../../functions/pmm/declarations/services.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer', format: 'int32' };
export const unsigned: Schema = { type: 'integer', format: 'int64', minimum: 0 };
export const texts: Schema = { type: 'array', items: text };
export const map: Schema = { type: 'object', additionalProperties: text };
export const nullableText: Schema = { type: 'string', nullable: true };

export const list = (items: Schema): Schema => ({ type: 'array', items });

export const object = (properties: Properties): Schema => ({ type: 'object', properties });

/** The properties of several messages as those of one. */
export const joined = (all: readonly Properties[]): Properties =>
  Object.fromEntries(all.flatMap((one) => Object.entries(one)));

export const nullable = (schema: Schema): Schema => ({ nullable: true, allOf: [schema] });

const isEnumeration = (type: WireType): type is EnumerationName => Object.hasOwn(enumerations, type);

/** The components of one generation: messages have the same names in both, those of PMM 2 with a prefix. */
export function componentsOf(generation: Generation) {
  const schemas = new Map<string, Schema>();
  const prefix = generation === 2 ? 'V2' : '';
  const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${prefix}${name}` });
  const define = (name: string, schema: Schema): Schema => {
    schemas.set(prefix + name, schema);
    return refTo(name);
  };
  const durations = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, nullableText])));
  const resolutions = define('MetricsResolutions', durations('hr', 'mr', 'lr'));
  const rtaOptions = define('RTAOptions', durations('collect_interval'));
  const title = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

  function schemaOf(type: WireType): Schema {
    if (isEnumeration(type))
      return define(title(type), { type: 'string', enum: namesIn(enumerations[type], generation) });
    const simple: Partial<Record<WireType, Schema>> = {
      ...{ bool: flag, int32: integer, uint32: unsigned, strings: texts, labels: map, map, duration: nullableText },
      ...{ resolutions: nullable(resolutions), rta_options: nullable(rtaOptions) },
    };
    return simple[type] ?? text;
  }

  const propertiesOf = (fields: readonly Field[], use: 'add' | 'change' | 'reply'): Properties =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const name = field[use];
        if (name === undefined) return [];
        const isWrapped = use === 'change' && field.type === 'labels';
        const schema = isWrapped ? define('StringMap', object({ values: map })) : schemaOf(field.type);
        const note = field.isCredential === true && use !== 'reply' ? 'Discarded: no credential is stored.' : undefined;
        return [[name, note === undefined ? schema : { ...schema, description: note, writeOnly: true }]];
      }),
    );

  return { schemas, define, refTo, schemaOf, propertiesOf, title };
}

export type Components = ReturnType<typeof componentsOf>;

export interface Kind {
  noun: 'Node' | 'Service' | 'Agent';
  suffix: string;
  types: readonly string[];
  declarationOf: (type: string) => TypeDeclaration;
}

export const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('unknown type');
  return value;
};

export const kinds: Readonly<Record<'node' | 'service' | 'agent', Kind>> = {
  node: {
    ...{ noun: 'Node', suffix: 'Node', types: nodeGroups },
    declarationOf: (type) => nodeDeclarations[found(nodeGroups.find((one) => one === type))],
  },
  service: {
    ...{ noun: 'Service', suffix: 'Service', types: serviceGroups },
    declarationOf: (type) => serviceDeclarations[found(serviceGroups.find((one) => one === type))],
  },
  agent: {
    ...{ noun: 'Agent', suffix: '', types: agentTypes },
    declarationOf: (type) => agentDeclaration(found(agentTypes.find((one) => one === type))),
  },
};

/** The messages of one kind of objects. */
export function messagesOf(components: Components, { noun, suffix, types, declarationOf }: Kind) {
  const { define, propertiesOf } = components;
  const titled = (type: string) => declarationOf(type).title + suffix;
  const shownAs = (type: string) => define(titled(type), object(propertiesOf(declarationOf(type).fields, 'reply')));
  const added = (type: string) => {
    const { fields } = declarationOf(type);
    return define(`Add${titled(type)}Params`, object(propertiesOf(fields, 'add')));
  };
  const changed = (type: string) => {
    const { fields } = declarationOf(type);
    return define(`Change${titled(type)}Params`, object(propertiesOf(fields, 'change')));
  };
  const members = (of: readonly string[], schema: (type: string) => Schema, key = (type: string) => type) =>
    Object.fromEntries(of.map((type) => [key(type), schema(type)]));
  return {
    one: define(`${noun}Reply`, object(members(types, shownAs))),
    got: define(
      `Get${noun}Reply`,
      object(members(types, shownAs, (type) => Object.entries(getKeys).find(([one]) => one === type)?.[1] ?? type)),
    ),
    all: define(`List${noun}sReply`, object(members(types, (type) => list(shownAs(type))))),
    shownAs,
    added,
    changed,
    addable: (of: readonly string[]) =>
      define(`Add${noun}Request`, object(members(of, added, (type) => declarationOf(type).addKey ?? type))),
    changeable: (of: readonly string[]) => define(`Change${noun}Request`, object(members(of, changed))),
  };
}
