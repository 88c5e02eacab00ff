import { keyRoutes } from '../../declarations/key-routes.ts';
import * as keys from '../../operations/grafana-keys.ts';
import * as accounts from '../../operations/service-accounts.ts';
import { createFacadeFunction } from '../../wire/facade-function.ts';
import { grafana } from '../../wire/grafana.ts';
import { facade } from './contract.ts';

export const { handler, handlerWith } = createFacadeFunction(
  facade,
  keyRoutes,
  { reads: { ...keys, ...accounts } },
  grafana,
);
