import { immutableFields, readOnlyFields, refusedCredentials } from './object-fields.ts';

const ofAgent = { ...refusedCredentials, ...readOnlyFields('agent_id', 'status', 'connected', 'state') };
const ofService = { ...refusedCredentials, ...readOnlyFields('service_id', 'state') };

/** Fields that an add or a change does not take, with the reason to give. */
export const refusedFields = {
  addNode: readOnlyFields('node_id', 'state'),
  changeNode: { ...readOnlyFields('node_id', 'state'), ...immutableFields('node_type', 'node_name') },
  addService: ofService,
  changeService: { ...ofService, ...immutableFields('service_type', 'service_name') },
  addAgent: ofAgent,
  changeAgent: { ...ofAgent, ...immutableFields('agent_type', 'runs_on_node_id', 'pmm_agent_id') },
};
