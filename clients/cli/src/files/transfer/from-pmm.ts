import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isLoopback } from '../../../../../functions/domain/fields/address.ts';
import {
  agentStatuses,
  type AgentType,
  agentTypeEntry,
  agentTypes,
} from '../../../../../functions/domain/agent/types.ts';
import { importLine, type ObjectLine } from '../../../../../functions/domain/bulk/inventory-line.ts';
import { nodeTypes, nodeTypeTable } from '../../../../../functions/domain/node/types.ts';
import { refusedCredentials } from '../../../../../functions/domain/fields/common-fields.ts';
import { serviceTypes, serviceTypeTable } from '../../../../../functions/domain/service/types.ts';
import { violations } from '../../../../../shared/core/violations.ts';

type Kind = ObjectLine['kind'];
type Fields = Record<string, unknown>;

/** Something that the person who converts should know. */
export interface Remark {
  /** `generic node`, `mysqld_exporter` ... and the id as it was. */
  about: string;
  field: string;
  message: string;
}

export interface Conversion {
  /** The lines to import. Each line is after the lines that it refers to. */
  lines: ObjectLine[];
  /** Values that were left out, renamed or guessed. */
  remarks: Remark[];
  /** Objects that cannot be imported as they are, and are not in `lines`. */
  problems: Remark[];
}

/** The groups in the replies to GET /v1/inventory/{nodes,services,agents} of PMM 3: no two of them share a name. */
const groups = new Map<string, Kind>([
  ...nodeTypes.map((type) => [type, 'node'] as const),
  ...serviceTypes.map((type) => [type, 'service'] as const),
  ...agentTypes.map((type) => [type, 'agent'] as const),
]);

/** Fields of PMM by the names that they have here. */
const renamed: Readonly<Record<string, string>> = {
  push_metrics_enabled: 'push_metrics',
  disabled_collectors: 'disable_collectors',
  query_examples_disabled: 'disable_query_examples',
  basic_metrics_disabled: 'disable_basic_metrics',
  enhanced_metrics_disabled: 'disable_enhanced_metrics',
  azure_database_subscription_id: 'azure_subscription_id',
};

/** Values that are left out on purpose, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  process_exec_path: 'is known to the agent process',
  listen_port: 'is chosen by the agent process at each start',
  table_count: 'is counted by the agent',
  tablestats_group_disabled: 'follows from tablestats_group_table_limit',
  is_pmm_server_node: 'says nothing about the node itself',
  ...Object.fromEntries(Object.keys(refusedCredentials).map((name) => [name, 'is a credential: none are stored here'])),
};

/** Numbers that mean "none" when they are 0. */
const noneWhenZero = ['port', 'listen_port'];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID that is always the same for the same name: version 8 of RFC 9562, of a SHA-256. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`pmm:${name}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** An id without the prefix of PMM 2. */
const bareId = (id: string) => id.replace(/^\/(node|service|agent)_id\//, '');

/** An id as it is kept: the objects of the PMM server itself have names for ids. */
function idFrom(kind: Kind, id: string): string {
  const bare = bareId(id).toLowerCase();
  return UUID.test(bare) ? bare : uuidOf(`${kind} ${bare}`);
}

/** PMM has several notations for an absent value. */
function isNothing(name: string, value: unknown): boolean {
  return value === null || value === undefined || value === '' || (value === 0 && noneWhenZero.includes(name));
}

const isEmpty = (value: unknown) =>
  value === false ||
  value === 0 ||
  value === '0' ||
  (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const withoutNothing = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isNothing(name, value)));

/** The text after the prefix of an enumeration of PMM, in lower case. */
const wordOf = (prefix: string, value: unknown) => String(value).replace(prefix, '').toLowerCase();

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug'];

/** Values that PMM writes in another way. Undefined: as if it were absent. */
const converted: Readonly<Record<string, (value: unknown) => unknown>> = {
  status: (value) => agentStatuses.find((status) => status === wordOf('AGENT_STATUS_', value)),
  log_level: (value) => logLevels.find((level) => level === wordOf('LOG_LEVEL_', value)),
  max_slowlog_file_size: Number,
  metrics_resolutions: (value) => (isFields(value) ? withoutNothing(value) : value),
  rta_options: (value) => (isFields(value) ? withoutNothing(value) : value),
};

/** Values that mean nothing and need no word. */
const UNSPECIFIED = /_UNSPECIFIED$/;

const ownFields = {
  node: ['node_name', 'address', 'custom_labels'],
  service: ['service_name', 'custom_labels'],
  agent: ['custom_labels', 'disabled', 'status', 'connected'],
} as const;

/** Fields that an object of the type has here and that PMM may have under the same name. */
function knownFields(kind: Kind, type: string): readonly string[] {
  const node = nodeTypes.find((candidate) => candidate === type);
  const service = serviceTypes.find((candidate) => candidate === type);
  const agent = agentTypes.find((candidate) => candidate === type);
  const options =
    node !== undefined
      ? nodeTypeTable[node].options
      : service !== undefined
        ? serviceTypeTable[service].options
        : agent === undefined
          ? []
          : // That of an exporter which PMM started is a report: as a declaration it would precede the port of the next start.
            agentTypeEntry(agent).options.filter((name) => name !== 'listen_port' || agent === 'external_exporter');
  return [...ownFields[kind], ...options];
}

/** Fields of PMM that become something else, by the kind of the object that has them. */
const consumed = {
  node: ['node_id'],
  service: ['service_id', 'node_id'],
  agent: ['agent_id', 'pmm_agent_id', 'runs_on_node_id', 'node_id', 'service_id'],
} as const satisfies Record<Kind, readonly string[]>;

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function referenceOf(kind: Kind, fields: Fields, name: string): string | undefined {
  const id = textOf(fields, name);
  return id === undefined ? undefined : idFrom(kind, id);
}

const listOf = (id: string | undefined) => (id === undefined ? [] : [id]);

/** Id, type, place and targets. */
function identityOf(kind: Kind, type: string, fields: Fields): Fields {
  const identity = { [`${kind}_id`]: referenceOf(kind, fields, `${kind}_id`), [`${kind}_type`]: type };
  const nodeId = referenceOf('node', fields, 'node_id');
  if (kind === 'node') return identity;
  if (kind === 'service') return { ...identity, node_ids: listOf(nodeId) };
  const parentId = referenceOf('agent', fields, 'pmm_agent_id');
  const runsOn = referenceOf('node', fields, 'runs_on_node_id');
  const targets = { node_ids: listOf(nodeId), service_ids: listOf(referenceOf('service', fields, 'service_id')) };
  return {
    ...identity,
    ...(parentId === undefined ? {} : { pmm_agent_id: parentId }),
    ...(runsOn === undefined ? {} : { runs_on_node_id: runsOn }),
    ...(targets.node_ids.length + targets.service_ids.length === 0 ? {} : { insights: targets }),
  };
}

function converterFor(kind: Kind, type: string, remark: (field: string, message: string) => void) {
  const fieldNames = knownFields(kind, type);
  const ignored: readonly string[] = consumed[kind];
  return ([name, value]: [string, unknown]): [string, unknown][] => {
    if (ignored.includes(name) || isNothing(name, value)) return [];
    const ours = renamed[name] ?? name;
    if (!fieldNames.includes(ours)) {
      if (!isEmpty(value)) remark(name, `omitted: ${leftOut[name] ?? `a ${type} has no such field here`}.`);
      return [];
    }
    const next = Object.hasOwn(converted, ours) ? converted[ours]?.(value) : value;
    if (next !== undefined) return [[ours, next]];
    if (!UNSPECIFIED.test(String(value))) remark(name, 'omitted: its value is unknown here.');
    return [];
  };
}

/** The kind of database that an Azure exporter watches: that of the services on its node, as PMM does not state it. */
const azureTypes: Readonly<Record<string, string>> = { mysql: 'mysql', postgresql: 'postgres' };

interface PmmObject {
  kind: Kind;
  type: string;
  fields: Fields;
}

function azureType({ fields }: PmmObject, all: readonly PmmObject[]): string | undefined {
  const nodeId = textOf(fields, 'node_id');
  const types = all.flatMap((object) =>
    object.kind === 'service' && nodeId !== undefined && object.fields['node_id'] === nodeId
      ? [azureTypes[object.type]]
      : [],
  );
  return new Set(types).size === 1 ? types[0] : undefined;
}

/** The loopback address that PMM gives its own node is a different host to everybody else: its name is not. */
function reachable(fields: Fields, remark: (field: string, message: string) => void): Fields {
  const [address, name] = [textOf(fields, 'address'), textOf(fields, 'node_name')];
  if (address === undefined || name === undefined || !isLoopback(address)) return fields;
  remark('address', `is ${name} here: a node has no loopback address.`);
  return { ...fields, address: name };
}

const aboutOf = ({ kind, type, fields }: PmmObject) =>
  `${type}${kind === 'agent' ? '' : ` ${kind}`} ${String(fields[`${kind}_id`])}`;

const ranks: Readonly<Record<Kind, number>> = { node: 0, service: 1, agent: 3 };
const rankOf = ({ kind, type }: PmmObject) => (type === ('pmm_agent' satisfies AgentType) ? 2 : ranks[kind]);

/**
 * Makes lines of an import from the replies of a PMM 3 server to `GET /v1/inventory/nodes`, `/services` and `/agents`, in
 * any order. Ids that are UUIDs are kept; others (`pmm-server`) become UUIDs that are the same each time. What has no place
 * here is never dropped without a remark, unless it is empty.
 */
export function fromPmm(replies: readonly unknown[]): Conversion {
  const remarks: Remark[] = [];
  const problems: Remark[] = [];
  const objects = replies.flatMap((reply, index): PmmObject[] => {
    if (!isFields(reply)) {
      problems.push({ about: `file ${index + 1}`, field: '', message: 'Not a reply of PMM: not a JSON object.' });
      return [];
    }
    return Object.entries(reply).flatMap(([type, objects]): PmmObject[] => {
      const kind = groups.get(type);
      const list = Array.isArray(objects) ? objects.filter(isFields) : [];
      if (kind !== undefined && Array.isArray(objects)) return list.map((fields) => ({ kind, type, fields }));
      if (!Array.isArray(objects) || objects.length > 0)
        problems.push({ about: type, field: '', message: 'Omitted: no such type exists here.' });
      return [];
    });
  });
  const ordered = objects.toSorted((left, right) => rankOf(left) - rankOf(right));
  const lines = ordered.flatMap((pmmObject): ObjectLine[] => {
    const { kind, type } = pmmObject;
    const about = aboutOf(pmmObject);
    const remark = (field: string, message: string) => remarks.push({ about, field, message });
    const fields = kind === 'node' ? reachable(pmmObject.fields, remark) : pmmObject.fields;
    const id = textOf(fields, `${kind}_id`);
    const object: Fields = {
      ...identityOf(kind, type, fields),
      ...Object.fromEntries(Object.entries(fields).flatMap(converterFor(kind, type, remark))),
    };
    if (id !== undefined && object[`${kind}_id`] !== bareId(id))
      remark(`${kind}_id`, `is ${String(object[`${kind}_id`])} here.`);
    if (type === 'azure_database_exporter' && object['azure_database_resource_type'] === undefined) {
      object['azure_database_resource_type'] = azureType(pmmObject, objects);
      if (object['azure_database_resource_type'] !== undefined)
        remark('azure_database_resource_type', 'is not in the reply: taken from the services of its node.');
    }
    const line = { kind, object: withoutNothing(object) };
    const parsed = z.safeParse(importLine, line);
    if (!parsed.success) {
      problems.push(
        ...violations(parsed.error.issues, line).map(({ field, message }) => ({
          about,
          field: field.replace(/^object\./, ''),
          message,
        })),
      );
      return [];
    }
    return parsed.data.kind === 'end' ? [] : [parsed.data];
  });
  return { lines, remarks, problems };
}
