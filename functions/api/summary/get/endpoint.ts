import { defineEndpoint } from '../../../contract/endpoint.ts';
import { SUMMARY_SECONDS, summarySchema } from '../../../domain/records/summary.ts';

export const endpoint = defineEndpoint({
  id: 'getSummary',
  folder: 'summary/get',
  tag: 'Summary',
  since: '0.2.0',
  method: 'GET',
  path: '/v1/summary',
  summary: 'Get totals, findings and recent changes',
  description: `Computed on demand and kept for ${SUMMARY_SECONDS} seconds.`,
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  partitions: 'summary',
  reply: { status: 200, schema: summarySchema },
  errors: [],
});
