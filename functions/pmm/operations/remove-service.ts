import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import type { EntityOf } from '../../store/entities/entity.ts';
import { getObject, getVisibleObject } from '../../store/entities/get.ts';
import { commit } from '../../store/inventory/commit.ts';
import { planForcedRemoval, planLoneRemoval, removeObject } from '../../store/inventory/remove.ts';
import { selectAgents } from '../../store/lists/list-agents.ts';
import { selectServices } from '../../store/lists/list-services.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { flagIn, idIn, textIn } from '../wire/input.ts';
import { checkRemovable, contextOf } from './bodies.ts';
import { idByName } from './by-name.ts';
import { allOf } from './lists.ts';
import { filterValue, subjectId } from './objects.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the service that a request names, by its id or its name. */
async function serviceId(call: WireCall): Promise<string> {
  const { input, generation } = call;
  const given = idIn(input, 'service_id');
  // Only generation 2 has a field for the name.
  const byName = generation === 2 ? textIn(input, 'service_name') : '';
  const refused = (message: string) => invalidRequest([{ field: '', reason: 'mismatch', message }]);
  if (given !== '' && byName !== '') throw refused('service_id or service_name expected; not both');
  const isId = UUID.test(given) || given !== textIn(input, 'service_id');
  if (isId) return given;
  const name = given === '' ? byName : given;
  if (name === '') throw refused('service_id or service_name expected');
  return idByName(call, 'service', name);
}

const cloudTypes: readonly string[] = ['remote_rds', 'remote_azure_database'];

/**
 * The managed database instance that exists for this service only, with the agents that have it as a target: PMM removes them with
 * the service if they are of one agent process. Undefined for any other node.
 */
async function ownInstance(call: WireCall, { object }: EntityOf<'service'>) {
  const { table } = call.dependencies;
  const [id, ...others] = object.node_ids;
  if (id === undefined || others.length > 0) return undefined;
  const node = await getObject(table, 'node', id);
  if (!cloudTypes.includes(node.object.node_type)) return undefined;
  const [services, agents, running] = await Promise.all([
    allOf<'service'>(call, (page) => selectServices(table, { node_id: id }, page)),
    allOf<'agent'>(call, (page) => selectAgents(table, { node_id: id }, page)),
    allOf<'agent'>(call, (page) => selectAgents(table, { runs_on_node_id: id }, page)),
  ]);
  const processes = new Set(agents.map((agent) => agent.object.pmm_agent_id));
  const isWatchedElsewhere = agents.some(
    ({ object: { insights } }) => insights.node_ids.length > 1 || insights.service_ids.length > 0,
  );
  if (services.length > 1 || running.length > 0 || processes.size > 1 || isWatchedElsewhere) return undefined;
  return { node, agents };
}

/** Removes a service with its agents and, as PMM does, the managed database instance that exists for it only. */
async function removeWithInstance(call: WireCall, id: string): Promise<void> {
  const { table } = call.dependencies;
  const writeContext = contextOf(call);
  const alone = () => removeObject(table, 'service', id, { force: true, ifMatch: undefined, writeContext });
  const whole = () =>
    commit(table, writeContext, async (plan) => {
      const service = await getVisibleObject(table, 'service', id, writeContext.scope);
      const instance = await ownInstance(call, service);
      if (instance === undefined) return false;
      await planForcedRemoval(plan, table, service);
      for (const agent of instance.agents) planLoneRemoval(plan, agent);
      planLoneRemoval(plan, instance.node);
      return true;
    });
  try {
    if (!(await whole())) await alone();
  } catch (error) {
    // Something else was put on the instance in the meantime, or it has more agents than one transaction holds: it stays.
    if (!(error instanceof ApiError) || error.kind !== 'failedPrecondition') throw error;
    await alone();
  }
}

/** Removes a service: with force also its agents, and the managed database instance that exists for it only. */
export const removeService: Operation = async (call) => {
  const id = subjectId(call, 'service', 'Remove');
  if (flagIn(call.input, 'force')) await removeWithInstance(call, id);
  else {
    const options = { force: false, ifMatch: undefined, writeContext: contextOf(call) };
    await removeObject(call.dependencies.table, 'service', id, options);
  }
  return {};
};

/** Removes a service and its agents, by its id or its name. */
export const removeManagedService: Operation = async (call) => {
  const id = await serviceId(call);
  const type = filterValue(call, 'service_type');
  const { object } = await getVisibleObject(call.dependencies.table, 'service', id, call.caller().scope);
  if (type !== undefined && object.service_type !== type)
    throw invalidRequest([{ field: '', reason: 'mismatch', message: 'wrong service type' }]);
  await removeWithInstance(call, id);
  return {};
};

/** Removes a node. The warning of PMM is about accounts of agents, which do not exist here. */
export const unregisterNode: Operation = async (call) => {
  const id = subjectId(call, 'node', 'Unregister');
  checkRemovable('node', id);
  const force = flagIn(call.input, 'force');
  await removeObject(call.dependencies.table, 'node', id, { force, ifMatch: undefined, writeContext: contextOf(call) });
  return call.generation === 3 ? { warning: '' } : {};
};
