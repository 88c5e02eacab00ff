/** The operations of the management API that change nothing, by their names in the routes. */
export {
  getUniversalNode,
  listAgentVersions,
  listUniversalAgents,
  listUniversalNodes,
  listUniversalServices,
} from './universal.ts';
