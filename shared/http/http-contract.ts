import * as z from 'zod/mini';
import type { Deprecation } from './deprecation.ts';
import type { ErrorKind } from '../core/errors.ts';
import type { Format } from '../core/format.ts';
import type { RefusedFields, RefusedFieldsByPath } from '../core/violations.ts';

type Schema = z.core.$ZodType;

/** 202: a part is done, and the reply says how to continue. */
export type SuccessStatus = 200 | 201 | 202;

/** The part of an endpoint's contract that describes HTTP: the pipeline and the OpenAPI document are derived from it. */
export interface HttpContract<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  /** Operation id, unique: `addNode`. */
  id: string;
  /** Heading in the documentation: `Nodes`. */
  tag: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, each a whole segment: `/v1/nodes/{node_id}`. */
  path: string;
  summary: string;
  description?: string;
  /** The minimum role; `none`: no credentials are needed. */
  role: string;
  params: Params;
  query: Query;
  body: Body;
  /** The format of the body; default: JSON. For lines, `body` is the schema of their list. */
  bodyFormat?: Format;
  /** The largest body in bytes; default: MAX_BODY_BYTES. */
  maxBodyBytes?: number;
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
  /** Accepts an Idempotency-Key. Its reply is stored for repeated requests, so it must not contain a secret. */
  idempotent?: boolean;
  /** The field of the body without which the Idempotency-Key is refused. */
  idempotentWith?: string;
  /** For POST: a request without a reply can be repeated without a second effect. Clients then repeat it. */
  repeatable?: true;
  /** The first version with this endpoint, for clients of older servers; default: 0.1.0. */
  since?: string;
  /** Errors in addition to those that every endpoint has (see `commonErrors`). */
  errors: readonly ErrorKind[];
}

/** Paths that one function serves. */
export interface PathSet {
  /** A last segment `{name+}` stands for the rest of a path. */
  paths: readonly string[];
  /** The only method of these paths; default: all methods. */
  method?: HttpContract['method'];
}

/** The default of the largest body, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The parameters of an endpoint without any. */
const nothing = z.strictObject({});

/** The request of an endpoint without parameters, query or body. */
export const emptyRequest = { params: nothing, query: nothing, body: z.undefined() };

/** The HTTP methods of the endpoint: GET includes HEAD. */
export function methodsOf({ method }: Pick<HttpContract, 'method'>): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The HTTP methods of the paths of a facade; undefined: all. */
export function methodsOfFacade({ method }: Pick<PathSet, 'method'>): readonly string[] | undefined {
  return method === undefined ? undefined : methodsOf({ method });
}

export function takesBody(endpoint: HttpContract): boolean {
  return endpoint.body !== emptyRequest.body;
}

/** All statuses of a successful reply. */
export function successStatuses({ reply: { status } }: HttpContract): readonly (SuccessStatus | 204)[] {
  return typeof status === 'number' ? [status] : status;
}

export function maxBodyBytesOf({ maxBodyBytes = MAX_BODY_BYTES }: Pick<HttpContract, 'maxBodyBytes'>): number {
  return maxBodyBytes;
}

export function bodyFormatOf({ bodyFormat = 'json' }: HttpContract): Format {
  return bodyFormat;
}

export function replyFormatOf({ reply }: HttpContract): Format {
  return (reply.schema === undefined ? undefined : reply.format) ?? 'json';
}

/** The errors that an endpoint has because of its kind; its contract lists only the others. */
export function commonErrors(endpoint: HttpContract): readonly ErrorKind[] {
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
