import type { Operations } from '../wire/call.ts';
import { addManagedService } from './add-service.ts';
import { addAnnotation } from './annotate.ts';
import { registerNode } from './register.ts';
import { removeManagedService, unregisterNode } from './remove-service.ts';
import {
  getUniversalNode,
  listAgentVersions,
  listUniversalAgents,
  listUniversalNodes,
  listUniversalServices,
} from './universal.ts';

/** The operations of the management API, by their names in the routes. */
export const managementOperations: Operations = {
  ...{ registerNode, unregisterNode, addManagedService, removeManagedService, addAnnotation },
  ...{ listUniversalNodes, getUniversalNode, listUniversalServices, listUniversalAgents, listAgentVersions },
};
