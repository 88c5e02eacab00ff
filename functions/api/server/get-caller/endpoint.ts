import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { callerSchema } from '../../../contract/caller.ts';
import { storedOwners } from '../../../domain/access/owners.ts';
import { idOf } from '../../../domain/fields/common-fields.ts';

const { kind, name, role } = callerSchema.shape;

const described = <Field extends z.ZodMiniType>(field: Field, description: string) =>
  field.check(z.meta({ description }));

export const endpoint = defineEndpoint({
  id: 'getCaller',
  folder: 'server/get-caller',
  tag: 'Server',
  method: 'GET',
  path: '/v1/caller',
  summary: 'Get the caller',
  role: 'Viewer',
  limit: 'unaffected',
  scoped: true,
  access: 'none',
  reply: {
    status: 200,
    schema: z.strictObject({
      kind: described(kind, 'How the caller was authenticated: by an API key, a session, or a password.'),
      id: z.string().check(z.meta({ description: 'Id of the key or session, or the user name.' })),
      name: described(name, 'Name of the user or key.'),
      role: described(role, 'Role of the caller.'),
      expires_at: z.optional(
        z.iso.datetime().check(z.meta({ description: 'When the credentials expire; absent if never.' })),
      ),
      user_id: z.optional(
        z.string().check(z.meta({ description: 'Id of the user of a session, except for sessions of `admin`.' })),
      ),
      node_id: z.optional(idOf('node that a Registrar is bound to')),
      owners: z.optional(storedOwners),
      rate_limit_per_minute: z.optional(
        z.int().check(z.meta({ description: 'Requests per minute; absent if the key has no rate limit.' })),
      ),
    }),
  },
  errors: [],
});
