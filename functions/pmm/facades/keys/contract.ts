import type { Facade } from '../../../contract/endpoint.ts';
import { GRAFANA_PATH } from '../../declarations/key-routes.ts';

export const facade: Facade = {
  id: 'pmmKeys',
  folder: 'pmm/facades/keys',
  summary: 'Keys for clients of PMM, by the API of its Grafana',
  role: 'Admin',
  access: 'write',
  partitions: 'api_keys',
  accessEvents: ['api_key.added', 'api_key.removed', 'service_account.added', 'service_account.removed'],
  paths: [`${GRAFANA_PATH}/{call+}`],
};
