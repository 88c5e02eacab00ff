import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { bindingIdInPath, roleBindingSchema } from '../../../domain/access/role-binding.ts';

export const endpoint = defineEndpoint({
  id: 'getRoleBinding',
  since: '0.2.0',
  folder: 'role-bindings/get',
  tag: 'Role bindings',
  method: 'GET',
  path: '/v1/role-bindings/{binding_id}',
  summary: 'Get a role binding',
  role: 'Admin',
  limit: 'refused',
  access: 'read',
  partitions: 'sessions',
  params: z.strictObject({ binding_id: bindingIdInPath }),
  reply: { status: 200, schema: roleBindingSchema },
  etag: 'revision',
  errors: ['notFound'],
});
