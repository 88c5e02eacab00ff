import * as z from 'zod/mini';
import type { Rank } from '../auth/roles.ts';
import type { CallerKind } from './caller.ts';
import type { Deprecation } from './deprecation.ts';
import type { ErrorKind } from '../core/errors.ts';
import type { Format } from '../core/format.ts';
import type { RefusedFields, RefusedFieldsByPath } from '../core/violations.ts';

type Schema = z.core.$ZodType;

/** 202: a part is done, and the reply says how to continue. */
export type SuccessStatus = 200 | 201 | 202;

/** Groups of partitions of the table that an endpoint works with. The infrastructure states which partitions each contains. */
export type PartitionGroup =
  'inventory' | 'api_keys' | 'sessions' | 'enrolment_tokens' | 'enrolment' | 'audit' | 'summary' | 'reports';

/**
 * The contract of one endpoint, stated once. The handler pipeline, the infrastructure, the OpenAPI document, the local
 * server and the tests are derived from this object. It is plain data and imports nothing but zod.
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
  /** The minimum role; `none`: no credentials are needed. */
  role: Rank | 'none';
  /**
   * Also open to a Registrar, for objects below its node: the handler passes `caller().scope` to the store, which
   * refuses all other objects.
   */
  scoped?: boolean;
  /** Also open to a Relay. */
  relay?: boolean;
  /** Restricts the endpoint to some kinds of callers: `['session']`. */
  callers?: readonly CallerKind[];
  /** Called by every host every few minutes: it has a throttle of its own, and few of its requests are traced. */
  frequent?: boolean;
  /** The access of the function to the table: IAM grants exactly these actions. */
  access: 'none' | 'read' | 'write';
  /** The partitions for which these actions are granted; default: those of the inventory. */
  partitions?: PartitionGroup;
  params: Params;
  query: Query;
  body: Body;
  /** The format of the body; default: JSON. For lines, `body` is the schema of their list. */
  bodyFormat?: Format;
  /** The largest body in bytes; default: MAX_BODY_BYTES. */
  maxBodyBytes?: number;
  /**
   * The number of requests that a request with this body counts as for a rate limit; default: one. The body is not
   * validated.
   */
  cost?: (body: unknown) => number;
  /**
   * The list in the body whose items are validated one by one: an invalid item does not refuse the others. The handler
   * receives the valid items in `body` and the others in `invalidItems`.
   */
  itemwise?: string;
  /** Fields that the body must not contain, with the reason: set by the server, immutable, secret. */
  refused?: RefusedFields;
  /** The same for objects inside the body. */
  refusedWithin?: RefusedFieldsByPath;
  /**
   * With several statuses, each reply states its own. For lines, `schema` is the schema of their list; default format:
   * JSON.
   */
  reply:
    | { status: SuccessStatus | readonly SuccessStatus[]; schema: Reply; format?: Format }
    | { status: 204; schema?: undefined };
  /**
   * The source of the ETag. `revision`: the field of the reply; If-Match and If-None-Match are supported. `digest`: a
   * digest of the reply, for a GET whose reply has no revision; If-None-Match is supported.
   */
  etag?: 'revision' | 'digest';
  /** The deprecation of the endpoint; docs/versioning.md states how long it remains available. */
  deprecated?: Deprecation;
  /**
   * For an endpoint that adds, changes or removes credentials: the access events that a successful call writes, one for
   * each credential that it always changes. Without this it may not write to the partitions of credentials.
   */
  accessEvents?: readonly string[];
  /** Accepts an Idempotency-Key. Its reply is stored for repeated requests, so it must not contain a secret. */
  idempotent?: boolean;
  /** Errors in addition to those that every endpoint has (see `commonErrors`). */
  errors: readonly ErrorKind[];
}

/**
 * The contract of a function that serves many paths: it finds the call itself. Other parts of the contract are those of an
 * endpoint.
 */
export interface Facade extends Pick<Endpoint, 'id' | 'folder' | 'summary' | 'access' | 'partitions' | 'accessEvents'> {
  /** Whether the gateway authenticates callers (`none`: it does not). Each call has a minimum role of its own. */
  role: Rank | 'none';
  /** A last segment `{name+}` stands for the rest of a path. */
  paths: readonly string[];
  /** The only method of these paths; default: all methods. */
  method?: Endpoint['method'];
}

/** The default of the largest body, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The schema of an endpoint without a body. */
const noBody = z.undefined();

/** The parameters of an endpoint without any. */
const nothing = z.strictObject({});

/** The HTTP methods of the endpoint: GET includes HEAD. */
export function methodsOf({ method }: Pick<Endpoint, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The HTTP methods of the paths of a facade; undefined: all. */
export function methodsOfFacade({ method }: Facade): readonly string[] | undefined {
  return method === undefined ? undefined : methodsOf({ method });
}

export function takesBody(endpoint: Endpoint): boolean {
  return endpoint.body !== noBody;
}

/** All statuses of a successful reply. */
export function successStatuses({ reply: { status } }: Endpoint): readonly (SuccessStatus | 204)[] {
  return typeof status === 'number' ? [status] : status;
}

export function maxBodyBytesOf({ maxBodyBytes = MAX_BODY_BYTES }: Pick<Endpoint, 'maxBodyBytes'>): number {
  return maxBodyBytes;
}

export function bodyFormatOf({ bodyFormat = 'json' }: Endpoint): Format {
  return bodyFormat;
}

export function replyFormatOf({ reply }: Endpoint): Format {
  return (reply.schema === undefined ? undefined : reply.format) ?? 'json';
}

interface EndpointDefinition<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Reply extends Schema,
> extends Omit<Endpoint<Schema, Schema, Schema, Reply>, 'params' | 'query' | 'body'> {
  params?: Params;
  query?: Query;
  body?: Body;
}

/** Infers the types of the schemas and checks the rest. Without `params`, `query` or `body`, the endpoint takes none. */
export function defineEndpoint<
  Params extends Schema = typeof nothing,
  Query extends Schema = typeof nothing,
  Body extends Schema = typeof noBody,
  Reply extends Schema = Schema,
>(endpoint: EndpointDefinition<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply>;
export function defineEndpoint(endpoint: EndpointDefinition<Schema, Schema, Schema, Schema>): Endpoint {
  return { params: nothing, query: nothing, body: noBody, ...endpoint };
}

/** The errors that an endpoint has because of its kind; its contract lists only the others. */
export function commonErrors(endpoint: Endpoint): readonly ErrorKind[] {
  return [
    'invalidArgument',
    ...(endpoint.role === 'none' ? [] : (['unauthenticated', 'permissionDenied'] as const)),
    // Also without a body: the gateway refuses a path or headers above its limits.
    'bodyTooLarge',
    ...(!takesBody(endpoint) ? [] : (['unsupportedMediaType'] as const)),
    ...(endpoint.etag === 'revision' && !['GET', 'POST'].includes(endpoint.method)
      ? (['revisionMismatch'] as const)
      : []),
    ...(endpoint.idempotent === true ? (['idempotencyKeyReused'] as const) : []),
    'resourceExhausted',
    'internal',
    'unavailable',
  ];
}
