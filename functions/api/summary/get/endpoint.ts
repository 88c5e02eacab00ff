import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { numberUpTo } from '../../../domain/fields/list-query.ts';
import { MAX_SUMMARY_AGE, SUMMARY_SECONDS, summarySchema } from '../../../domain/records/summary.ts';

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
  query: z.strictObject({
    max_age: z._default(
      numberUpTo(SUMMARY_SECONDS, MAX_SUMMARY_AGE, 'A summary of up to this age, in seconds, is not computed again.'),
      SUMMARY_SECONDS,
    ),
  }),
  reply: { status: 200, schema: summarySchema },
  errors: [],
});
