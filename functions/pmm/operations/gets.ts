import { getVisibleObject } from '../../store/entities/get.ts';
import { withState } from '../../store/heartbeats/with-state.ts';
import { getKeys } from '../declarations/agents.ts';
import type { Operation } from '../wire/call.ts';
import { keyedMessage, messageOf, subjectId } from './objects.ts';

export const getNode: Operation = async (call) => {
  const id = subjectId(call, 'node', 'Get');
  const node = await getVisibleObject(call.dependencies.table, 'node', id, call.caller().scope);
  return keyedMessage(node, node.object, call.generation);
};

export const getService: Operation = async (call) => {
  const id = subjectId(call, 'service', 'Get');
  const service = await getVisibleObject(call.dependencies.table, 'service', id, call.caller().scope);
  return keyedMessage(service, service.object, call.generation);
};

export const getAgent: Operation = async (call) => {
  const { generation, caller, dependencies } = call;
  const { table, clock } = dependencies;
  const stored = await getVisibleObject(table, 'agent', subjectId(call, 'agent', 'Get'), caller().scope);
  const object = await withState(table, stored, clock());
  const message = messageOf({ kind: 'agent', object }, object, generation);
  return { [getKeys[object.agent_type] ?? object.agent_type]: message };
};

/** The logs of an agent, which exist only where it runs. */
export const getAgentLogs: Operation = async (call) => {
  const id = subjectId(call, 'agent', 'Get');
  await getVisibleObject(call.dependencies.table, 'agent', id, call.caller().scope);
  return call.generation === 3 ? { logs: [], agent_config_log_lines_count: 0 } : {};
};
