import type { Facade } from '../../../contract/endpoint.ts';
import { GRAFANA_PATH } from '../../declarations/key-routes.ts';

export const facade: Facade = {
  id: 'pmmHealth',
  folder: 'pmm/facades/health',
  summary: 'Readiness for clients of PMM',
  role: 'none',
  access: 'read',
  // Callers without credentials reach the function with this method only, which has a throttle.
  method: 'GET',
  paths: ['/ping', '/v1/server/readyz', '/v1/server/leaderHealthCheck', `${GRAFANA_PATH}/health`],
};
