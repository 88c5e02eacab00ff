/** The operations of the inventory API that change nothing, by their names in the routes. */
export { getAgent, getAgentLogs, getNode, getService } from './gets.ts';
export { listAgents, listNodes, listServices, listServiceTypes } from './lists.ts';
