import { stateFields } from './liveness.ts';
import { immutableFields, readOnlyFields, refusedCredentials } from './common-fields.ts';

const ofNode = readOnlyFields('node_id', ...stateFields);
const ofAgent = {
  ...refusedCredentials,
  ...readOnlyFields('agent_id', 'status', 'status_since', 'status_reason', 'connected', ...stateFields),
};
const ofService = { ...refusedCredentials, ...readOnlyFields('service_id', ...stateFields) };

/** Fields that an operation does not accept, with the reason. */
export const refusedFields = {
  addNode: ofNode,
  upsertNode: ofNode,
  changeNode: { ...ofNode, ...immutableFields('node_type', 'node_name') },
  addService: ofService,
  upsertService: ofService,
  changeService: { ...ofService, ...immutableFields('service_type', 'service_name') },
  addAgent: ofAgent,
  upsertAgent: ofAgent,
  changeAgent: { ...ofAgent, ...immutableFields('agent_type', 'runs_on_node_id', 'pmm_agent_id') },
};
