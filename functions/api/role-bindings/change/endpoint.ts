import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { bindingIdInPath, roleBindingChange, roleBindingSchema } from '../../../domain/access/role-binding.ts';

export const endpoint = defineEndpoint({
  id: 'changeRoleBinding',
  since: '0.2.0',
  folder: 'role-bindings/change',
  tag: 'Role bindings',
  method: 'PATCH',
  path: '/v1/role-bindings/{binding_id}',
  summary: 'Change a role binding',
  description:
    'An absent field keeps its value, null clears it; `claims` replaces all claims. Name and provider cannot change. ' +
    'If it can take something from an identity, the keys and sessions that rest on it end; otherwise it applies to later log-ins.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['role_binding.changed'],
  params: z.strictObject({ binding_id: bindingIdInPath }),
  body: roleBindingChange,
  reply: { status: 200, schema: roleBindingSchema },
  etag: 'revision',
  errors: ['notFound'],
});
