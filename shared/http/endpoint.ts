import * as z from 'zod/mini';
import type { Rank } from '../auth/roles.ts';
import type { CallerKind } from './caller.ts';
import type { Deprecation } from './deprecation.ts';
import type { ErrorKind } from './errors.ts';
import type { Format } from './format.ts';
import type { ProjectedList } from './sparse.ts';
import type { RefusedFields, RefusedWithin } from './violations.ts';

type Schema = z.core.$ZodType;

/** 202: part of it is done, and the reply says how to go on. */
export type SuccessStatus = 200 | 201 | 202;

/** Groups of partitions of the table that an endpoint works with. The infrastructure states which partitions each contains. */
export type PartitionGroup = 'inventory' | 'api_keys' | 'sessions' | 'enrolment_tokens' | 'enrolment' | 'audit';

/**
 * One endpoint, stated once. The handler pipeline, the infrastructure, the OpenAPI document, the local server and the
 * tests are all derived from this object; it is plain data and loads nothing but zod.
 */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  /** Operation id, unique: `addNode`. */
  id: string;
  /** Folder below `functions/api/` with `endpoint.ts` and `handler.ts`: `nodes/add`. */
  folder: string;
  /** Heading in the documentation: `Nodes`. */
  tag: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, each a whole segment: `/v1/nodes/{node_id}`. */
  path: string;
  summary: string;
  description?: string;
  /** The least role that may call it; `none` means without credentials. */
  role: Rank | 'none';
  /**
   * Open to a Registrar as well, inside of what it is bound to: the behaviour hands `caller().scope` to the store, which
   * refuses everything outside.
   */
  scoped?: boolean;
  /** When only some kinds of caller may: `['session']`. */
  callers?: readonly CallerKind[];
  /** What the function does with the table: exactly these actions are granted. */
  access: 'none' | 'read' | 'write';
  /** The partitions that these actions are granted on; those of the inventory unless stated. */
  partitions?: PartitionGroup;
  params: Params;
  query: Query;
  body: Body;
  /** Of lines, `body` is the list of them. JSON unless told. */
  bodyFormat?: Format;
  /** The largest body; MAX_BODY_BYTES unless told. */
  maxBodyBytes?: number;
  /** How many requests one with this body counts as, to a key with a limit; the body may be anything. One unless told. */
  cost?: (body: unknown) => number;
  /** Fields that the body does not take, with the reason to give: set by the server, immutable, secret. */
  refused?: RefusedFields;
  /** The same for objects inside the body. */
  refusedWithin?: RefusedWithin;
  /** Of several statuses, each reply names its own. Of lines, `schema` is the list of them; JSON unless told. */
  reply:
    | { status: SuccessStatus | readonly SuccessStatus[]; schema: Reply; format?: Format }
    | { status: 204; schema?: undefined };
  /** The reply has a `revision`: it becomes the ETag, and If-Match or If-None-Match are honoured. */
  versioned?: boolean;
  /** For a GET whose reply has no revision: a digest of the reply becomes the ETag, and If-None-Match is honoured. */
  digested?: boolean;
  /** When it is to go; what clients are told, and for how long it stays, is in docs/versioning.md. */
  deprecated?: Deprecation;
  /**
   * For an endpoint that adds, changes or removes credentials: the access events that a successful call writes, one for each
   * credential that it always changes. It may write to the partitions of credentials only with this.
   */
  accessEvents?: readonly string[];
  /** It takes an Idempotency-Key; its answer is kept for repetitions, so it must never hold a secret. */
  idempotent?: boolean;
  /** The query has a parameter `fields`, which says which fields of the objects in this list are in the reply. */
  sparse?: ProjectedList;
  /** What can go wrong beyond what every endpoint shares (see `commonErrors`). */
  errors: readonly ErrorKind[];
}

/** The largest body of an endpoint that says nothing else. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The schema of a body that is not there. */
const noBody = z.undefined();

/** The methods of HTTP that it answers: HEAD wherever it answers GET. */
export function methodsOf({ method }: Pick<Endpoint, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

export function takesBody(endpoint: Endpoint): boolean {
  return endpoint.body !== noBody;
}

/** Every status that a success can have. */
export function successStatuses({ reply: { status } }: Endpoint): readonly (SuccessStatus | 204)[] {
  return typeof status === 'number' ? [status] : status;
}

export function maxBodyBytesOf({ maxBodyBytes = MAX_BODY_BYTES }: Endpoint): number {
  return maxBodyBytes;
}

export function bodyFormatOf({ bodyFormat = 'json' }: Endpoint): Format {
  return bodyFormat;
}

export function replyFormatOf({ reply }: Endpoint): Format {
  return (reply.schema === undefined ? undefined : reply.format) ?? 'json';
}

type Stated<Params extends Schema, Query extends Schema, Reply extends Schema> = Omit<
  Endpoint<Params, Query, Schema, Reply>,
  'body'
>;

/** Keeps the types of the schemas while checking the rest; without a `body`, the endpoint takes none. */
export function defineEndpoint<Params extends Schema, Query extends Schema, Body extends Schema, Reply extends Schema>(
  endpoint: Stated<Params, Query, Reply> & { body: Body },
): Endpoint<Params, Query, Body, Reply>;
export function defineEndpoint<Params extends Schema, Query extends Schema, Reply extends Schema>(
  endpoint: Stated<Params, Query, Reply>,
): Endpoint<Params, Query, typeof noBody, Reply>;
export function defineEndpoint(endpoint: Stated<Schema, Schema, Schema> & { body?: Schema }): Endpoint {
  return { ...endpoint, body: endpoint.body ?? noBody };
}

/** What every endpoint of its kind can answer, so that contracts list only what is their own. */
export function commonErrors(endpoint: Endpoint): readonly ErrorKind[] {
  return [
    'invalidArgument',
    ...(endpoint.role === 'none' ? [] : (['unauthenticated', 'permissionDenied'] as const)),
    // Also without a body: the gateway refuses a path or headers above its limits.
    'bodyTooLarge',
    ...(!takesBody(endpoint) ? [] : (['unsupportedMediaType'] as const)),
    ...(endpoint.versioned === true && !['GET', 'POST'].includes(endpoint.method)
      ? (['revisionMismatch'] as const)
      : []),
    ...(endpoint.idempotent === true ? (['idempotencyKeyReused'] as const) : []),
    'resourceExhausted',
    'internal',
    'unavailable',
  ];
}
