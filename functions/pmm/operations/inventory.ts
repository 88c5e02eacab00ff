import type { Operations } from '../wire/call.ts';
import { addAgent, changeAgent, getAgent, getAgentLogs } from './agents.ts';
import { listAgents, listNodes, listServices, listServiceTypes } from './lists.ts';
import { addNode, getNode, removeAgent, removeNode } from './nodes.ts';
import { removeService } from './remove-service.ts';
import { addService, addServiceLabels, changeService, getService, removeServiceLabels } from './services.ts';

/** The operations of the inventory API, by their names in the routes. */
export const inventoryOperations: Operations = {
  ...{ listNodes, addNode, getNode, removeNode },
  ...{ listServices, addService, getService, changeService, removeService },
  ...{ listServiceTypes, addServiceLabels, removeServiceLabels },
  ...{ listAgents, addAgent, getAgent, changeAgent, removeAgent, getAgentLogs },
};
