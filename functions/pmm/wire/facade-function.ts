import type { Facade } from '../../contract/endpoint.ts';
import { createFunction, type EndpointFunction } from '../../runtime/endpoint-function.ts';
import type { ServedRoute } from '../declarations/route.ts';
import type { Operations } from './call.ts';
import { callFinder } from './find-call.ts';
import { pmmForm } from './pmm-form.ts';
import { type Form, wireCodec } from './wire-codec.ts';

/** The operations of a function, by the names in its routes. */
interface FacadeOperations {
  reads: Operations;
  /** The operations that change something, in a file that the first of them loads: they are most of the code. */
  changes?: () => Promise<Operations>;
}

/** Joins the calls of a facade to the function that is deployed. @param form default: that of PMM's gateway. */
export function createFacadeFunction(
  facade: Facade,
  routes: readonly ServedRoute[],
  { reads, changes }: FacadeOperations,
  form: Form = pmmForm,
): EndpointFunction {
  return createFunction({
    callOf: callFinder(facade, routes, form.pathOf),
    codec: wireCodec(form),
    handle: async (call, dependencies) => {
      const { operation } = call.route;
      const work = reads[operation] ?? (await changes?.())?.[operation];
      if (work === undefined) throw new Error(`No operation: ${operation}`);
      return work({ ...call, dependencies });
    },
  });
}
