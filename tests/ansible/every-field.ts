import { variantsOf } from '../../shared/openapi/fields.ts';
import { type JsonSchema, type NamedSchemas, resolve } from '../../shared/openapi/schemas.ts';
import type { OpenApiDocument } from '../../shared/openapi/specification.ts';

export interface FieldsCase {
  kind: string;
  type: string;
  /** Values for all fields of the type. */
  fields: Record<string, unknown>;
  /** The fields that an add requires, and those of the natural key. */
  required: string[];
  /** The fields that can be cleared. */
  reset: string[];
}

/** Values that the schema alone does not give, by field. */
const values: Record<string, unknown> = {
  lifetime: 'ephemeral',
  stale_after: '11m',
  offline_after: '31m',
  remove_after: '2d',
  custom_labels: { team: 'dba', tier: '1' },
  metrics_path: '/metrics',
};

/** Instead of an address. */
const left = ['socket'];

function sample(name: string, schema: JsonSchema, named: NamedSchemas): unknown {
  const {
    type,
    enum: words,
    const: word,
    items,
    properties,
    minimum = 1,
    pattern,
    default: standard,
  } = resolve(schema, named);
  if (values[name] !== undefined) return values[name];
  if (word !== undefined) return word;
  if (words !== undefined) return words.findLast((candidate) => candidate !== standard);
  if (type === 'array') return items === undefined ? [] : [sample('item', items, named)];
  if (type === 'boolean') return standard !== true;
  if (type === 'integer') return minimum === standard ? minimum + 1 : Math.max(minimum, 1);
  if (properties === undefined) return typeof pattern === 'string' && pattern.endsWith('s$') ? '7s' : 'text';
  return Object.fromEntries(
    Object.entries(properties).map(([field, property]) => [field, sample(field, property, named)]),
  );
}

/** An object of each type with every field; the node, services and the pmm_agent on which agents depend are first. */
export function everyField({ components: { schemas: named } }: OpenApiDocument): FieldsCase[] {
  const kinds = { node: 'Add_node', service: 'Desired_service', agent: 'Desired_agent' };
  return Object.entries(kinds).flatMap(([kind, schema]) =>
    [...variantsOf({ $ref: schema }, named)].map(([type, variant]): FieldsCase => {
      const { properties = {}, required = [] } = variant;
      const ownProperties = Object.entries(properties).filter(([name]) => !left.includes(name));
      const fields = Object.fromEntries(ownProperties.map(([name, property]) => [name, sample(name, property, named)]));
      const key = kind === 'agent' ? ['agent_type', 'runs_on_node_name'] : [`${kind}_type`, `${kind}_name`];
      if (kind === 'node')
        Object.assign(fields, { node_name: `node-${type}`, address: `address-${type.replaceAll('_', '-')}` });
      if (kind === 'service')
        Object.assign(fields, { service_name: `service-${type}`, node_names: ['node-generic', 'node-container'] });
      if (kind === 'agent') {
        delete fields['insights'];
        fields['runs_on_node_name'] = 'node-generic';
      }
      // An address of a service requires a port.
      const needed = new Set([
        ...required,
        ...key,
        ...(kind === 'service' && 'port' in fields ? ['address', 'port'] : []),
      ]);
      const needs = Object.keys(fields).filter((name) => needed.has(name));
      return { kind, type, fields, required: needs, reset: Object.keys(fields).filter((name) => !needed.has(name)) };
    }),
  );
}
