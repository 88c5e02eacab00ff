/** The operations of the inventory API that change something, by their names in the routes. */
export { addAgent, changeAgent } from './agents.ts';
export { addNode, removeAgent, removeNode } from './nodes.ts';
export { removeService } from './remove-service.ts';
export { addService, addServiceLabels, changeService, removeServiceLabels } from './services.ts';
