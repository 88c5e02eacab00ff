import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { agentReport, takenReport } from '../../../domain/agent/report.ts';
import { idSchema } from '../../../domain/fields/common-fields.ts';

export const endpoint = defineEndpoint({
  id: 'reportAgents',
  folder: 'agents/report',
  tag: 'Agents',
  method: 'POST',
  path: '/v1/agents/{agent_id}/report',
  summary: 'Report the state of a node',
  description:
    'An agent process reports for its node and for the agents under it: after `report_after_seconds` of the last reply, ' +
    'and when a status changes. A status that cannot follow the previous one is refused; the rest of the report is ' +
    'applied.',
  role: 'Editor',
  limit: 'checked',
  scoped: true,
  frequent: true,
  access: 'write',
  repeatable: true,
  partitions: 'reports',
  params: z.strictObject({
    agent_id: idSchema.check(
      z.meta({ description: 'Id of the agent process, an agent of the type pmm_agent (UUID).' }),
    ),
  }),
  body: agentReport,
  reply: { status: 200, schema: takenReport },
  errors: ['notFound', 'failedPrecondition'],
});
