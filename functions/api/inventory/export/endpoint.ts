import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
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
    'All nodes, services and agents, page by page, each in a line of its own and none before what it refers to: nodes, ' +
    'services, pmm_agents, other agents. The last line of a page says how to get the next one, or that the export is complete. ' +
    'An import takes the pages as they are.\n\n' +
    'Like every list it follows changes within a second or so, and it is no snapshot: what is added, changed or removed ' +
    'while it is read may be in it or not, and an object may then refer to another that is not. An import refuses such a line; ' +
    'an export of an inventory at rest has none.',
  role: 'Viewer',
  access: 'read',
  params: z.strictObject({}),
  query: z.strictObject(pageShape),
  reply: {
    status: 200,
    format: 'ndjson',
    schema: z.array(exportLine).check(z.meta({ description: 'The objects of a page, and its end.' })),
  },
  errors: [],
});
