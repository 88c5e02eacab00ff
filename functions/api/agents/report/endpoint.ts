import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
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
    'An agent process says that it is there, and how the agents under it are: once for its whole node, once a minute or ' +
    'when something changes. A status that cannot follow the last one is refused by itself; the rest is taken.',
  role: 'Editor',
  scoped: true,
  access: 'write',
  params: z.strictObject({
    agent_id: idSchema.check(
      z.meta({ description: 'Id of the agent process, an agent of the type pmm_agent (UUID).' }),
    ),
  }),
  query: z.strictObject({}),
  body: agentReport,
  reply: { status: 200, schema: takenReport },
  errors: ['notFound', 'failedPrecondition'],
});
