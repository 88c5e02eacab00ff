import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { auditEntrySchema, auditFilters } from '../../../domain/records/audit-entry.ts';
import { nextPageShape, pageOf } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';
import { CHANGE_DAYS } from '../../../domain/records/retention.ts';

export const endpoint = defineEndpoint({
  id: 'listAudit',
  folder: 'audit/list',
  tag: 'Changes',
  method: 'GET',
  path: '/v1/audit',
  summary: 'Read the audit log',
  description:
    'Changes of nodes, services and agents, operations on API keys, enrolment tokens and sessions, and refused ' +
    `requests, newest first. Kept for ${CHANGE_DAYS} days by default. Refusals are counted: one entry per minute, caller or ` +
    'address, and reason. With a filter, a page may be short or empty; the list ends when the token is absent.',
  role: 'Admin',
  limit: 'refused',
  access: 'read',
  partitions: 'audit',
  query: z.strictObject({ ...pageShape, ...auditFilters }),
  reply: { status: 200, schema: z.strictObject({ entries: pageOf(auditEntrySchema), ...nextPageShape }) },
  errors: [],
});
