import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { exportLine } from '../../../domain/bulk/inventory-line.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';

export const endpoint = defineEndpoint({
  id: 'exportInventory',
  folder: 'inventory/export',
  tag: 'Bulk',
  method: 'GET',
  path: '/v1/export',
  summary: 'Export the inventory',
  description:
    'Nodes, services, pmm_agents and other agents, in this order, in pages with one object per line. An object is ' +
    'always after the objects that it refers to. The last line of a page contains the token of the next page or says ' +
    'that the export is complete. An import accepts the pages unchanged.\n\nThe export is not a snapshot: changes ' +
    'during the export may be missing, and an object may refer to a missing object. An import refuses such a line. ' +
    'Lists lag behind writes by about a second.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'read',
  query: z.strictObject(pageShape),
  reply: {
    status: 200,
    format: 'ndjson',
    schema: z.array(exportLine).check(z.meta({ description: 'The objects of a page, and the line that ends it.' })),
  },
  errors: [],
});
