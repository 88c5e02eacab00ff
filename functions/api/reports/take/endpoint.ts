import { defineEndpoint } from '../../../contract/endpoint.ts';
import { hostReports, MAX_REPORTS, reportsIn, takenReports } from '../../../domain/agent/report.ts';
import { MAX_BULK_BYTES } from '../../../domain/bulk/limits.ts';

export const endpoint = defineEndpoint({
  id: 'takeReports',
  folder: 'reports/take',
  tag: 'Agents',
  since: '0.2.0',
  method: 'POST',
  path: '/v1/reports',
  summary: 'Report for many hosts',
  description:
    `For a backend that holds the connections of agent processes: a report for each of up to ${MAX_REPORTS} hosts. ` +
    'Each is accepted or refused by itself, also a malformed one. It counts as one request toward ' +
    'the rate limit of the key. If all reports have status 503, the reply is a 503.',
  role: 'Editor',
  limit: 'checked',
  relay: true,
  gateway: true,
  frequent: true,
  access: 'write',
  repeatable: true,
  partitions: 'reports',
  body: hostReports,
  itemwise: 'reports',
  maxBodyBytes: MAX_BULK_BYTES,
  cost: reportsIn,
  reply: { status: 200, schema: takenReports },
  errors: [],
});
