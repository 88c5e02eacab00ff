import { defineEndpoint } from '../../../contract/endpoint.ts';
import { admissionResults, admissions, MAX_ADMISSIONS } from '../../../domain/agent/admission.ts';

export const endpoint = defineEndpoint({
  id: 'admitAgents',
  folder: 'agents/admit',
  tag: 'Agents',
  since: '0.2.0',
  method: 'POST',
  path: '/v1/gateway/admissions',
  summary: 'Admit agent processes to a gateway',
  description:
    `For a gateway that holds the connections of agent processes: checks the API key of each of up to ${MAX_ADMISSIONS} processes. ` +
    'A key that may report for its process admits it, and the reply contains the agents of the host. If all have ' +
    'status 503, the reply is a 503.',
  role: 'Admin',
  limit: 'refused',
  gateway: true,
  access: 'write',
  repeatable: true,
  partitions: 'admissions',
  body: admissions,
  itemwise: 'admissions',
  reply: { status: 200, schema: admissionResults },
  errors: [],
});
