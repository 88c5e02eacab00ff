import { defineEndpoint } from '../../../contract/endpoint.ts';
import { roleBindingAddition, roleBindingSchema } from '../../../domain/access/role-binding.ts';

export const endpoint = defineEndpoint({
  id: 'addRoleBinding',
  since: '0.2.0',
  folder: 'role-bindings/add',
  tag: 'Role bindings',
  method: 'POST',
  path: '/v1/role-bindings',
  summary: 'Add a role binding',
  description:
    'Gives a role to the identities of a provider that have all of its claims. Of several matching bindings, the ' +
    'strongest role counts; owners of equal roles are united, and a binding without owners limits nothing. Without a ' +
    'matching binding, an identity has no access.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  partitions: 'sessions',
  accessEvents: ['role_binding.added'],
  body: roleBindingAddition,
  reply: { status: 201, schema: roleBindingSchema },
  etag: 'revision',
  errors: ['alreadyExists'],
});
