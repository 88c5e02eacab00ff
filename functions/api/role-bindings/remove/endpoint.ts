import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { bindingIdInPath } from '../../../domain/access/role-binding.ts';

export const endpoint = defineEndpoint({
  id: 'removeRoleBinding',
  since: '0.2.0',
  folder: 'role-bindings/remove',
  tag: 'Role bindings',
  method: 'DELETE',
  path: '/v1/role-bindings/{binding_id}',
  summary: 'Remove a role binding',
  description: 'Ends the keys, sessions and enrolment tokens that rest on it.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['role_binding.removed'],
  params: z.strictObject({ binding_id: bindingIdInPath }),
  reply: { status: 204 },
  etag: 'revision',
  errors: ['notFound'],
});
