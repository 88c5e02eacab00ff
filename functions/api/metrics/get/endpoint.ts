import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';

export const endpoint = defineEndpoint({
  id: 'getMetrics',
  folder: 'metrics/get',
  tag: 'Summary',
  since: '0.2.0',
  method: 'GET',
  path: '/v1/metrics',
  summary: 'Get metrics for Prometheus',
  description: 'The numbers of the summary.',
  role: 'Viewer',
  limit: 'unaffected',
  access: 'write',
  partitions: 'summary',
  reply: { status: 200, schema: z.string().check(z.meta({ description: 'OpenMetrics text.' })), format: 'openmetrics' },
  errors: [],
});
