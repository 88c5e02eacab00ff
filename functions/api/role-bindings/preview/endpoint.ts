import { defineEndpoint } from '../../../contract/endpoint.ts';
import { grantSchema, previewSchema } from '../../../domain/access/role-binding.ts';

export const endpoint = defineEndpoint({
  id: 'previewRoleBindings',
  since: '0.2.0',
  folder: 'role-bindings/preview',
  tag: 'Role bindings',
  method: 'POST',
  path: '/v1/role-bindings/preview',
  summary: 'Preview the role of an identity',
  description: 'The role that an identity with these claims would get, and why. Checks no token, changes nothing.',
  role: 'Admin',
  limit: 'refused',
  access: 'read',
  partitions: 'sessions',
  repeatable: true,
  body: previewSchema,
  reply: { status: 200, schema: grantSchema },
  errors: [],
});
