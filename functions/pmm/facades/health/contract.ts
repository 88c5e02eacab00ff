import type { Facade } from '../../../../shared/http/endpoint.ts';
import { GRAFANA_PATH } from '../../declarations/key-routes.ts';

export const facade: Facade = {
  id: 'pmmHealth',
  folder: 'pmm/facades/health',
  summary: 'Readiness for clients of PMM',
  role: 'none',
  access: 'read',
  paths: ['/ping', '/v1/server/readyz', '/v1/server/leaderHealthCheck', `${GRAFANA_PATH}/health`],
};
