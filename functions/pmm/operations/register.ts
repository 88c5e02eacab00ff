import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { agentAddition, agentChange } from '../../domain/agent/schema.ts';
import { nodeAddition, nodeChange, nodeOrStored } from '../../domain/node/schema.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import { checkNewValues } from '../../domain/fields/stored-values.ts';
import { claimOwners } from '../../store/entities/claim-owners.ts';
import {
  type EntityOf,
  idOf,
  type Node,
  parsed,
  placeUnder,
  withoutInternalFields,
} from '../../store/entities/entity.ts';
import { getObject, getVisibleObject } from '../../store/entities/get.ts';
import type { Visible } from '../../store/entities/key-scope.ts';
import { commit } from '../../store/inventory/commit.ts';
import { planReplacement } from '../../store/inventory/entities.ts';
import { agentTarget, findTarget, planUpsert } from '../../store/inventory/upsert.ts';
import { planForcedRemoval } from '../../store/inventory/remove.ts';
import { planAdd, type TransactionPlan } from '../../store/inventory/transaction-plan.ts';
import { nodeAddressClaim, nodeNameClaim, objectKey, relations, typeOrder } from '../../store/table/keys.ts';
import { readCollection, readFrom } from '../../store/table/read.ts';
import { changedAgent, keyOfDeclared, newAgentAt } from '../../transitions/agent.ts';
import { changedNode, newNode } from '../../transitions/node.ts';
import { agentDeclaration } from '../declarations/agents.ts';
import { enumerations, nameIn, valueIn } from '../declarations/enums.ts';
import { NO_CREDENTIALS, registered, registrationFields } from '../declarations/management.ts';
import { nodeDeclarations } from '../declarations/nodes.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { flagIn, given } from '../wire/input.ts';
import { checkRequired, decodeAddition, replacedLabels } from '../wire/message.ts';
import { inWordsOf } from '../wire/words.ts';
import { bodyOf, contextOf } from './bodies.ts';
import { metricsOptions } from './metrics-mode.ts';
import { reachableAddress } from './node-address.ts';
import { messageOf } from './objects.ts';

type RegistrationEntity<Kind extends 'node' | 'agent'> = Visible<EntityOf<Kind>>;

/** Whether an agent process runs on the node. One query. */
async function hasProcess({ dependencies: { table } }: WireCall, nodeId: string): Promise<boolean> {
  const prefix = `${relations.agents}${typeOrder('pmm_agent')}`;
  return (await readCollection(table, objectKey('node', nodeId).pk, prefix)).length > 0;
}

const ownerOf = async ({ dependencies: { table } }: WireCall, claim: ReturnType<typeof nodeNameClaim>) =>
  (await claimOwners(table, [claim])).get(claim.pk);

/** The body of the node, and what it sets. */
function nodeIn(call: WireCall) {
  const { input, generation, sourceIp } = call;
  const subject = 'RegisterNodeRequest';
  checkRequired(registrationFields, input, subject);
  const type = valueIn(enumerations.node_type, given(input, 'node_type'));
  if (type !== 'generic' && type !== 'container') {
    const name = nameIn(enumerations.node_type, type, generation);
    throw invalidRequest([{ field: '', reason: 'invalid_value', message: `Unsupported Node type "${name}".` }]);
  }
  const givenFields = registrationFields.filter(
    ({ native = '' }) =>
      native === 'instance_id' || nodeDeclarations[type].fields.some((field) => field.native === native),
  );
  const decoded: Record<string, unknown> = { node_type: type, ...decodeAddition(givenFields, input) };
  const body = reachableAddress(decoded, sourceIp);
  return {
    type,
    givenFields,
    body: bodyOf(nodeOrStored, body, { fields: givenFields, subject, use: 'add' }),
    given: body,
  };
}

type NodeIn = ReturnType<typeof nodeIn>;

const rulesOf = (fields: NodeIn['givenFields']) => ({ fields, subject: 'RegisterNodeRequest', use: 'add' }) as const;

/** The node as registered again: what PMM knows of it is as given, and all else stays. */
function renewed(old: Node, { givenFields, given: values }: NodeIn): Record<string, unknown> {
  const named = givenFields.flatMap(({ native = '' }) =>
    native === 'node_name' || native === 'custom_labels' ? [] : [native],
  );
  const patch = {
    ...Object.fromEntries(named.map((name) => [name, values[name] ?? null])),
    custom_labels: replacedLabels(old.custom_labels, values['custom_labels']),
  };
  const rules = rulesOf(givenFields);
  return inWordsOf(rules, () => changedNode(old, bodyOf(nodeChange, patch, rules)));
}

/** Whether the node may be registered again: on demand, or by its own key while no agent process is on it. */
async function checkRenewal(call: WireCall, node: RegistrationEntity<'node'>): Promise<void> {
  if (flagIn(call.input, 'reregister')) return;
  const { node_id: id, node_name: name } = node.object;
  if (call.caller().scope === id && !(await hasProcess(call, id))) return;
  throw new ApiError('alreadyExists', `Node with name "${name}" already exists.`);
}

/** Plans the node. One of another type, or with the same address in the region, is replaced as in PMM. */
async function planNode(plan: TransactionPlan, call: WireCall, wanted: NodeIn): Promise<RegistrationEntity<'node'>> {
  const { table, newId } = call.dependencies;
  const { node_name: name, address } = wanted.body;
  const region = wanted.given['region'];
  const [ownId, clashId] = await Promise.all([
    ownerOf(call, nodeNameClaim(name)),
    typeof region === 'string' ? ownerOf(call, nodeAddressClaim(region, address)) : undefined,
  ]);
  const old = ownId === undefined ? undefined : await getVisibleObject(table, 'node', ownId, plan.writeContext.scope);
  if (old !== undefined) {
    await checkRenewal(call, old);
    if (old.object.node_type === wanted.type)
      return planReplacement(plan, old, renewed(withoutInternalFields(old.object), wanted));
    await planForcedRemoval(plan, table, old);
  }
  if (clashId !== undefined && clashId !== ownId && flagIn(call.input, 'reregister'))
    await planForcedRemoval(plan, table, await getObject(table, 'node', clashId));
  inWordsOf(rulesOf(wanted.givenFields), () => {
    checkNewValues(nodeAddition, wanted.body);
  });
  const added = parsed('node', newNode({ newId, now: plan.writeContext.now }, wanted.body));
  // Another registration of the same host may add it in the meantime; then this one starts over.
  return planAdd(plan, added, { claimReadAsFree: nodeNameClaim(name) });
}

interface AgentRegistration {
  /** The node, or the agent process, at which the agent runs. */
  at: RegistrationEntity<'node'> | RegistrationEntity<'agent'>;
  type: AgentType;
  /** The options that the registration sets; null clears one of an existing agent. */
  options: Record<string, unknown>;
}

const unconditional = { ifMatch: undefined, ifNoneMatch: undefined };

const rules = { fields: agentDeclaration('node_exporter').fields, subject: 'RegisterNodeRequest', use: 'add' } as const;

/** Plans an agent of the host: changes the one with this type and place, or adds it. */
async function planAgent(
  plan: TransactionPlan,
  call: WireCall,
  { at, type, options }: AgentRegistration,
): Promise<RegistrationEntity<'agent'>> {
  const { table, newId } = call.dependencies;
  const place = at.kind === 'node' ? {} : placeUnder(at);
  const placeFields = at.kind === 'node' ? { runs_on_node_id: idOf(at) } : { pmm_agent_id: idOf(at) };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
  const body = bodyOf(agentAddition, { agent_type: type, ...placeFields, ...given }, rules);
  const target = agentTarget(table, keyOfDeclared(body));
  const old = await findTarget(readFrom(table), target);
  const { stored } = await planUpsert(plan, { target, old }, unconditional, {
    add: () => newAgentAt({ newId, now: plan.writeContext.now }, body, place),
    next: (agent) => changedAgent(agent, bodyOf(agentChange, options, rules)),
  });
  return stored;
}

/** The options of the node_exporter that a registration sets. */
function exporterIn({ input }: WireCall): Record<string, unknown> {
  const fields = rules.fields.filter(({ add }) => add === 'disable_collectors');
  return { disable_collectors: null, ...decodeAddition(fields, input), ...metricsOptions(input) };
}

/**
 * Registers a host: its node, its agent process and a node_exporter, in one transaction. A node that is registered again
 * keeps its id, its services and its agents.
 */
export const registerNode: Operation = async (call) => {
  const { generation, dependencies } = call;
  const wanted = nodeIn(call);
  const result = await commit(dependencies.table, contextOf(call), async (plan) => {
    const node = await planNode(plan, call, wanted);
    const process = await planAgent(plan, call, { at: node, type: 'pmm_agent', options: {} });
    await planAgent(plan, call, { at: process, type: 'node_exporter', options: exporterIn(call) });
    return { node, process };
  });
  const node = messageOf(result.node, result.node.object, generation);
  const process = messageOf(result.process, result.process.object, generation);
  const members = Object.fromEntries(
    Object.entries(registered).flatMap(([type, key]): [string, unknown][] =>
      type === wanted.type ? [[key, node]] : generation === 3 ? [[key, null]] : [],
    ),
  );
  const token = generation === 3 ? { token: '' } : {};
  return { ...members, pmm_agent: process, ...token, warning: NO_CREDENTIALS };
};
