import * as z from 'zod/mini';
import { queryFlag } from './list-query.ts';

// The common parts of the contracts of nodes, services and agents: method, role, access, body and reply.

type Schema = z.core.$ZodType;

const read = { role: 'Viewer', access: 'read', limit: 'unaffected' } as const;
const write = { role: 'Editor', access: 'write', limit: 'checked', etag: 'revision' } as const;

/** Gets an object by its id. */
export const getContract = <Reply extends Schema>(schema: Reply) =>
  ({
    ...read,
    method: 'GET',
    scoped: true,
    gateway: true,
    reply: { status: 200, schema },
    etag: 'revision',
    errors: ['notFound'],
  }) as const;

/** Adds an object. */
export const addContract = <Body extends Schema, Reply extends Schema>(body: Body, schema: Reply) =>
  ({ ...write, method: 'POST', body, reply: { status: 201, schema }, idempotent: true }) as const;

/** Changes an object by its id. */
export const changeContract = <Body extends Schema, Reply extends Schema>(body: Body, schema: Reply) =>
  ({ ...write, method: 'PATCH', scoped: true, body, reply: { status: 200, schema } }) as const;

/** Adds or changes an object by its natural key. */
export const upsertContract = <Body extends Schema, Reply extends Schema>(body: Body, schema: Reply) =>
  ({ ...write, method: 'PUT', scoped: true, body, reply: { status: [200, 201], schema } }) as const;

/** Removes an object by its id. */
export const removalContract = () =>
  ({
    ...write,
    method: 'DELETE',
    scoped: true,
    query: z.strictObject({ force: queryFlag('Also remove the dependent objects.') }),
    reply: { status: 204 },
    errors: ['notFound', 'failedPrecondition'],
  }) as const;
