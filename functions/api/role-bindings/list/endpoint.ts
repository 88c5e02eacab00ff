import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { roleBindingSchema } from '../../../domain/access/role-binding.ts';
import { nextPageShape, pageOf } from '../../../domain/fields/list-page.ts';
import { pageShape } from '../../../domain/fields/list-query.ts';

export const endpoint = defineEndpoint({
  id: 'listRoleBindings',
  since: '0.2.0',
  folder: 'role-bindings/list',
  tag: 'Role bindings',
  method: 'GET',
  path: '/v1/role-bindings',
  summary: 'List role bindings',
  description: 'Sorted by id.',
  role: 'Admin',
  limit: 'refused',
  access: 'read',
  partitions: 'sessions',
  query: z.strictObject(pageShape),
  reply: { status: 200, schema: z.strictObject({ role_bindings: pageOf(roleBindingSchema), ...nextPageShape }) },
  errors: [],
});
