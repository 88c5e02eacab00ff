import { invalidRequest } from '../../../shared/core/errors.ts';
import { agentAddition } from '../../domain/agent/schema.ts';
import { nodeAddition } from '../../domain/node/schema.ts';
import { serviceAddition } from '../../domain/service/schema.ts';
import { type EntityOf, parsed } from '../../store/entities/entity.ts';
import type { Visible } from '../../store/entities/key-scope.ts';
import { getVisibleObject } from '../../store/entities/get.ts';
import { commit } from '../../store/inventory/commit.ts';
import { placeOf } from '../../store/inventory/entities.ts';
import { planAdd, type TransactionPlan } from '../../store/inventory/transaction-plan.ts';
import { newAgentAt } from '../../transitions/agent.ts';
import { newNode } from '../../transitions/node.ts';
import { newService } from '../../transitions/service.ts';
import { agentDeclaration } from '../declarations/agents.ts';
import { enumerations, type Generation, nameIn, valueIn } from '../declarations/enums.ts';
import { field } from '../declarations/field.ts';
import {
  addedNodeFields,
  hostTypes,
  type ManagedAgent,
  managedRds,
  type ManagedService,
  managedServices,
} from '../declarations/management.ts';
import { nodeDeclarations } from '../declarations/nodes.ts';
import { serviceDeclarations } from '../declarations/services.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { type Fields, flagIn, given, idIn, memberIn, messageIn, numberIn, overlaid, textIn } from '../wire/input.ts';
import { checkRequired, decodeAddition, requiredText } from '../wire/message.ts';
import { bodyOf, contextOf, decodedAddition, oneofName } from './bodies.ts';
import { idByName } from './by-name.ts';
import { metricsOptions } from './metrics-mode.ts';
import { reachableAddress } from './node-address.ts';
import { messageOf, possibleId } from './objects.ts';

const refused = (message: string) => invalidRequest([{ field: '', reason: 'not_allowed', message }]);

/** The objects that the request adds, and its message. */
interface ServiceAddition {
  managed: ManagedService;
  message: Fields;
  subject: string;
}

const requiredField = (name: string) =>
  field(name, name === 'listen_port' || name === 'port' ? 'uint32' : name === 'pmm_agent_id' ? 'agent_id' : 'string', {
    isRequired: true,
  });

function wantedInstance(message: Fields, generation: Generation): ServiceAddition {
  const subject = generation === 3 ? 'AddRDSServiceParams' : 'AddRDSRequest';
  // Before the engine, as in PMM.
  checkRequired(managedRds.mysql.required.map(requiredField), message, subject);
  const engine = valueIn(enumerations.discover_rds_engine, given(message, 'engine'));
  if (engine !== 'mysql' && engine !== 'postgresql')
    throw refused(`Unsupported Engine type "${nameIn(enumerations.discover_rds_engine, engine, generation)}".`);
  return { managed: managedRds[engine], message, subject };
}

const members = [managedRds.mysql.key, ...managedServices.map(({ key }) => key)];

function wantedIn(call: WireCall): ServiceAddition {
  const { route, input, generation } = call;
  const key = generation === 2 ? route.type : memberIn(input, members, oneofName(call, 'Service'));
  const message = key === undefined || generation === 2 ? input : messageIn(input, key);
  const managed = managedServices.find((candidate) => candidate.key === key);
  if (message !== undefined && key === managedRds.mysql.key) return wantedInstance(message, generation);
  if (message === undefined || managed === undefined) throw refused('invalid service type');
  const { title } = managed;
  return { managed, message, subject: generation === 3 ? `Add${title}ServiceParams` : `Add${title}Request` };
}

/** The message with what PMM stores instead of the value zero and of negative values. */
function withDefaults({ managed: { defaults = {} }, message }: ServiceAddition): Fields {
  const values = Object.entries(defaults).map(([name, { unset, negative }]) => {
    const value = numberIn(message, name);
    return [name, value === 0 ? unset : value < 0 ? negative : value] as const;
  });
  return overlaid(message, Object.fromEntries(values));
}

/** A remote node with the address of the service. */
function remoteNode(add: Fields, address: string, sourceIp: string): Record<string, unknown> {
  requiredText(textIn(add, 'node_name'), 'AddNodeParams', 'node_name');
  if (valueIn(enumerations.node_type, given(add, 'node_type')) !== 'remote')
    throw refused('add_node structure can be used only for remote nodes');
  if (address === '') throw refused("address can't be empty for add node request.");
  return reachableAddress({ node_type: 'remote', ...decodeAddition(addedNodeFields, add), address }, sourceIp);
}

/** The node of an RDS database. Its names default to that of the instance. */
function rdsNode(message: Fields): Record<string, unknown> {
  const instance = textIn(message, 'instance_id');
  const decoded = decodeAddition(nodeDeclarations.remote_rds.fields, message);
  return { node_type: 'remote_rds', node_name: instance, ...decoded, address: instance, instance_id: instance };
}

interface ServicePlacement {
  nodeId: string;
  /** Where an exporter without an agent process runs, if not on the node of the service. */
  exporterNodeId: string;
  added?: Visible<EntityOf<'node'>>;
}

function planNode(
  plan: TransactionPlan,
  { dependencies }: WireCall,
  body: Record<string, unknown>,
  subject: string,
): ServicePlacement {
  const { newId } = dependencies;
  const fields = [...addedNodeFields, ...nodeDeclarations.remote_rds.fields];
  const node = bodyOf(nodeAddition, body, { fields, subject, use: 'add' });
  const added = planAdd(plan, parsed('node', newNode({ newId, now: plan.writeContext.now }, node)));
  return { nodeId: added.object.node_id, exporterNodeId: added.object.node_id, added };
}

/** The node of the service: it exists, by its id or its name, or it is added. */
async function placeIn(
  plan: TransactionPlan,
  call: WireCall,
  { managed, message, subject }: ServiceAddition,
): Promise<ServicePlacement> {
  if (managed.key === 'rds') return planNode(plan, call, rdsNode(message), subject);
  const id = idIn(message, 'node_id');
  const runsOn = idIn(message, 'runs_on_node_id');
  const name = textIn(message, 'node_name');
  const add = messageIn(message, 'add_node');
  if (managed.key === 'external' && (id === '') !== (runsOn === ''))
    throw refused('runs_on_node_id and node_id should be specified together.');
  const count = [id !== '', name !== '', add !== undefined].filter(Boolean).length;
  if (count !== 1) throw refused('expected only one param; node id, node name or register node params');
  if (add !== undefined)
    return planNode(plan, call, remoteNode(add, textIn(message, 'address'), call.sourceIp), subject);
  const nodeId = name === '' ? possibleId('node', id) : await idByName(call, 'node', name);
  const { object } = await getVisibleObject(call.dependencies.table, 'node', nodeId, call.caller().scope);
  if (!hostTypes.includes(object.node_type))
    throw refused('node_id or node_name can be used only for generic nodes or container nodes');
  return { nodeId, exporterNodeId: managed.key === 'external' && runsOn !== '' ? runsOn : nodeId };
}

/** The message of an agent: the fields of the request that the agent has, its place and its target. */
function agentMessage({ type }: ManagedAgent, message: Fields, placed: ServicePlacement, serviceId: string): Fields {
  const { fields } = agentDeclaration(type);
  const metricsNames = new Set(fields.flatMap(({ add }) => add ?? []));
  const metrics = Object.entries(metricsOptions(message)).filter(([name]) => metricsNames.has(name));
  const { custom_labels: _, customLabels: __, ...rest } = message;
  // An external exporter has the labels of its service.
  return overlaid(type === 'external_exporter' ? message : rest, {
    ...Object.fromEntries(metrics),
    service_id: serviceId,
    node_id: placed.nodeId,
    runs_on_node_id: placed.exporterNodeId,
  });
}

async function planAgent(plan: TransactionPlan, call: WireCall, agent: ManagedAgent, message: Fields, subject: string) {
  const { table, newId } = call.dependencies;
  const body = decodedAddition(agentAddition, { kind: 'agent', type: agent.type, subject }, message);
  const made = newAgentAt({ newId, now: plan.writeContext.now }, body, await placeOf(table, body));
  return planAdd(plan, parsed('agent', made));
}

function planService(
  plan: TransactionPlan,
  { dependencies }: WireCall,
  { managed, message, subject }: ServiceAddition,
  nodeId: string,
) {
  const { fields } = serviceDeclarations[managed.service];
  const rds = managed.key === 'rds' ? { service_name: textIn(message, 'instance_id') } : {};
  const database = textIn(message, 'database');
  const decoded = decodeAddition(
    fields.filter(({ add }) => add !== 'node_id'),
    message,
  );
  const object = {
    ...{ service_type: managed.service, ...rds, ...decoded, node_ids: [nodeId] },
    ...(managed.service === 'postgresql' && database !== '' ? { database_name: database } : {}),
  };
  const body = bodyOf(serviceAddition, object, { fields, subject, use: 'add' });
  const made = newService({ newId: dependencies.newId, now: plan.writeContext.now }, body);
  return planAdd(plan, parsed('service', made));
}

/** Adds a service with the agents that the request asks for, and its node if the request contains one. One transaction. */
export const addManagedService: Operation = async (call) => {
  const { generation, dependencies } = call;
  const wanted = wantedIn(call);
  const { managed, subject } = wanted;
  checkRequired(managed.required.map(requiredField), wanted.message, subject);
  const message = withDefaults(wanted);
  const asked = managed.agents.filter(({ flag }) => flag === undefined || flagIn(message, flag));
  const written = await commit(dependencies.table, contextOf(call), async (plan) => {
    const placed = await placeIn(plan, call, wanted);
    const service = planService(plan, call, wanted, placed.nodeId);
    const { service_id: serviceId } = service.object;
    const agents = new Map<ManagedAgent, Visible>();
    for (const agent of asked)
      agents.set(agent, await planAgent(plan, call, agent, agentMessage(agent, message, placed, serviceId), subject));
    return { node: placed.added, service, agents };
  });
  const show = (entity: Visible) => messageOf(entity, entity.object, generation);
  const members = managed.agents.flatMap((agent): [string, unknown][] => {
    const added = written.agents.get(agent);
    return added === undefined ? (generation === 3 ? [[agent.reply, null]] : []) : [[agent.reply, show(added)]];
  });
  const shownObjects =
    managed.key === 'rds' && written.node !== undefined
      ? { node: show(written.node), [managed.service]: show(written.service) }
      : { service: show(written.service) };
  const reply = { ...shownObjects, ...Object.fromEntries(members), ...(generation === 3 ? managed.constants : {}) };
  return generation === 3 ? { [managed.key]: reply } : reply;
};
