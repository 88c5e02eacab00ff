import type * as z from 'zod/mini';
import type { Rank } from '../../shared/auth/roles.ts';
import { emptyRequest, type HttpContract, type PathSet } from '../../shared/http/http-contract.ts';
import type { CallerKind } from './caller.ts';

type Schema = z.core.$ZodType;

/** Groups of partitions of the table that an endpoint works with. The infrastructure states which partitions each contains. */
export type PartitionGroup =
  | 'inventory'
  | 'api_keys'
  | 'sessions'
  | 'enrolment_tokens'
  | 'enrolment'
  | 'audit'
  | 'summary'
  | 'reports'
  | 'admissions'
  | 'own_key'
  | 'log_ins'
  | 'device_requests'
  | 'provider_log_outs';

/**
 * The effect of the owners of a limited Editor on an endpoint:
 * - `checked`: every object or key that it writes must lie within the owners, before and after;
 * - `unaffected`: it writes no object of the inventory and no key of others;
 * - `refused`: 403, because it acts on objects or keys of all owners.
 */
export type LimitRule = 'checked' | 'unaffected' | 'refused';

/**
 * The contract of one endpoint, stated once. The handler pipeline, the infrastructure, the OpenAPI document, the local
 * server and the tests are derived from this object. It is plain data and imports nothing but zod.
 */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> extends HttpContract<Params, Query, Body, Reply> {
  /** Folder below `functions/api/` with `endpoint.ts` and `handler.ts`: `nodes/add`. */
  folder: string;
  role: Rank | 'none';
  /** A lower role suffices for requests whose body has this value: `{ role: 'Viewer', field: 'mode', value: 'plan' }`. */
  lowerRole?: { role: Rank; field: string; value: string };
  /**
   * Also open to a Registrar, for objects below its node: the handler passes `caller().scope` to the store, which
   * refuses all other objects.
   */
  scoped?: boolean;
  /** Also open to a Relay. */
  relay?: boolean;
  /** Also open to a Gateway. */
  gateway?: boolean;
  limit: LimitRule;
  /** Also open to an Editor with owners, although the role is higher: for keys with a part of these owners. */
  team?: boolean;
  /** Restricts the endpoint to some kinds of callers: `['session']`. */
  callers?: readonly CallerKind[];
  /** Reads a password or another proof of identity: its function has a limited concurrency and a throttle of its own. */
  logsIn?: boolean;
  /** Called by every host every few minutes: it has a throttle of its own, and few of its requests are traced. */
  frequent?: boolean;
  /** The access of the function to the table: IAM grants exactly these actions. */
  access: 'none' | 'read' | 'write';
  /** The partitions for which these actions are granted; default: those of the inventory. */
  partitions?: PartitionGroup;
  /**
   * The number of requests that a request with this body counts as for a rate limit; default: one. The body is not
   * validated.
   */
  cost?: (body: unknown) => number;
  /**
   * For an endpoint that adds, changes or removes credentials: the access events that a successful call writes, one for
   * each credential that it always changes. Without this it may not write to the partitions of credentials.
   */
  accessEvents?: readonly string[];
}

/**
 * The contract of a function that serves many paths: it finds the call itself. Other parts of the contract are those of an
 * endpoint.
 */
export interface Facade
  extends
    PathSet,
    Pick<Endpoint, 'id' | 'folder' | 'summary' | 'access' | 'partitions' | 'accessEvents' | 'frequent' | 'logsIn'> {
  /** Whether the gateway authenticates callers (`none`: it does not). Each call has a minimum role of its own. */
  role: Rank | 'none';
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
  Params extends Schema = (typeof emptyRequest)['params'],
  Query extends Schema = (typeof emptyRequest)['query'],
  Body extends Schema = (typeof emptyRequest)['body'],
  Reply extends Schema = Schema,
>(endpoint: EndpointDefinition<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply>;
export function defineEndpoint(endpoint: EndpointDefinition<Schema, Schema, Schema, Schema>): Endpoint {
  return { ...emptyRequest, ...endpoint };
}
