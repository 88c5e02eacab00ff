import { agentTypeEntry, type AgentType } from '../../functions/domain/agent/types.ts';
import { currentDocument } from '../../tools/generate.ts';
import { attributeOf, type ProviderField, type ProviderKind, providerKinds } from '../../tools/terraform-provider.ts';

/** An object with a value for each field, and another value that a drift sets. */
export interface Sample {
  /** The type of the resource and its name: `inventory_node`, `generic`. */
  resource: string;
  name: string;
  /** The attributes of the resource. */
  attributes: Record<string, unknown>;
  /** The body of a change that gives each field that can drift another value. */
  drift: Record<string, unknown>;
  /** The attributes that a plan must then show as different, with the values of the drift. */
  drifted: Record<string, unknown>;
}

/** Fields that exclude others, or whose value decides on others: they drift in an object of their own. */
const separate: Readonly<Record<string, readonly string[]>> = { node: ['lifetime'], service: ['socket'], agent: [] };

/** Values of the objects without these fields. */
const fixed: Readonly<Record<string, Record<string, unknown>>> = {
  node: { lifetime: 'ephemeral' },
  service: {},
  agent: {},
};

const special: Readonly<Record<string, readonly [unknown, unknown]>> = {
  stale_after: ['1m', '90s'],
  offline_after: ['5m', '6m'],
  remove_after: ['1h', '2h'],
  metrics_path: ['/metrics/a', '/metrics/b'],
  socket: ['/run/a.sock', '/run/b.sock'],
  lifetime: ['permanent', 'ephemeral'],
};

function valuesOf({ name, value, words, fields }: ProviderField, owner: string): readonly [unknown, unknown] {
  const fixed = special[name];
  if (fixed !== undefined) return fixed;
  if (words.length > 1) return [words[1], words[0]];
  if (/_timeout$|_interval$|^[hml]r$/.test(name)) return ['5s', '7s'];
  switch (value) {
    case 'Boolean':
      return [true, false];
    case 'Integer':
      return [1001, 1002];
    case 'TextList':
      return [['one', 'two'], ['three']];
    case 'TextMap':
      return [
        { team: 'a', kept: 'yes' },
        { team: 'b', added: 'yes' },
      ];
    case 'Object': {
      const pairs = fields.map((field) => [attributeOf(field.name), valuesOf(field, owner)] as const);
      return [0, 1].map((at) => Object.fromEntries(pairs.map(([field, pair]) => [field, pair[at]]))) as [
        object,
        object,
      ];
    }
    default:
      return ['a', 'b'].map((end) => `${owner}-${name}-${end}`.replaceAll('_', '-')) as [string, string];
  }
}

/** The same in a request: names of the API, and labels that merge. */
function inRequest(field: ProviderField, value: any): unknown {
  if (field.value === 'TextMap') return { ...value, kept: null };
  if (field.value !== 'Object') return value;
  return Object.fromEntries(field.fields.map((member) => [member.name, value[attributeOf(member.name)]]));
}

const host = (name: string) => `\${inventory_node.${name}.node_name}`;
const process = '${inventory_agent.pmm_agent.runs_on_node_name}';

/** The references of an object, which do not drift here. */
function referencesOf({ kind }: ProviderKind, type: string): Record<string, unknown> {
  if (kind === 'service') return { node_names: [host('generic'), host('container')] };
  if (kind !== 'agent') return {};
  const { place, services, nodes } = agentTypeEntry(type as AgentType);
  const [service] = services;
  const [node] = service === undefined ? nodes : [];
  const insights = {
    ...(service === undefined ? {} : { service_names: [`\${inventory_service.${service}.service_name}`] }),
    ...(node === undefined ? {} : { node_names: [host(node)] }),
  };
  return { runs_on_node_name: place === 'pmm_agent' ? process : host('generic'), insights };
}

function sampleOf(kind: ProviderKind, type: string, only?: string): Sample {
  const name = only === undefined ? type : `${type}_${only}`;
  const text = name.replaceAll('_', '-');
  const identity = { [`${kind.kind}_type`]: type, ...(kind.kind === 'agent' ? {} : { [`${kind.kind}_name`]: text }) };
  const sample = {
    resource: `inventory_${kind.kind}`,
    name,
    attributes: { ...identity, ...referencesOf(kind, type) } as Record<string, unknown>,
    drift: {} as Record<string, unknown>,
    drifted: {} as Record<string, unknown>,
  };
  for (const field of kind.desired) {
    if (!field.types.includes(type) || Object.hasOwn(sample.attributes, field.name)) continue;
    const isRequired = field.required.includes(type);
    const isLeftOut = only === undefined ? separate[kind.kind]!.includes(field.name) : field.name !== only;
    const [value, other] = valuesOf(field, text);
    const attribute = attributeOf(field.name);
    if (!isLeftOut || isRequired) sample.attributes[attribute] = value;
    if (isLeftOut) continue;
    sample.drift[field.name] = inRequest(field, other);
    sample.drifted[attribute] = other;
  }
  if (only === undefined) {
    const types = (name: string) => kind.desired.find((field) => field.name === name)?.types ?? [];
    for (const [field, value] of Object.entries(fixed[kind.kind]!))
      if (types(field).includes(type)) sample.attributes[field] = value;
  }
  return sample;
}

/** An object of each type with all its fields; a field that excludes others has a separate object. */
export async function samples(): Promise<Sample[]> {
  return providerKinds(await currentDocument()).flatMap((kind) =>
    kind.types.flatMap((type) => {
      const ownFields = separate[kind.kind]!.filter((name) =>
        kind.desired.some((field) => field.name === name && field.types.includes(type)),
      );
      return [sampleOf(kind, type), ...ownFields.map((name) => sampleOf(kind, type, name))];
    }),
  );
}
