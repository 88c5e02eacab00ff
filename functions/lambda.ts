import type * as z from 'zod/mini';
import type { Endpoint } from '../shared/http/endpoint.ts';
import { type Behaviour, createHandler, type LambdaHandler, type TakeTurns } from '../shared/http/pipeline.ts';
import { type Services, services } from './services.ts';
import { takeTurns as takeTurnsOf } from './table/rates.ts';

type Schema = z.core.$ZodType;

export interface EndpointFunction {
  /** The Lambda handler that is deployed, with the services of its process. */
  handler: LambdaHandler;
  /** The same handler with other services, for tests. */
  handlerWith: (services: Services) => LambdaHandler;
}

/** What the pipeline wants besides, made of what there is. */
function forPipeline(of: Services) {
  const { table, clock } = of;
  const takeTurns: TakeTurns = (keyId, limits) => takeTurnsOf(table, { keyId, ...limits, now: clock() });
  return { ...of, takeTurns };
}

/** Joins a contract and its behaviour to the function that is deployed. */
export function lambda<Params extends Schema, Query extends Schema, Body extends Schema, Reply extends Schema>(
  endpoint: Endpoint<Params, Query, Body, Reply>,
  behaviour: Behaviour<Services, Endpoint<Params, Query, Body, Reply>>,
): EndpointFunction {
  return {
    handler: createHandler(endpoint, behaviour, () => forPipeline(services())),
    handlerWith: (others) => createHandler(endpoint, behaviour, () => forPipeline(others)),
  };
}
