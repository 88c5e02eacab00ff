import type { Facade } from '../../../../shared/http/endpoint.ts';

export const facade: Facade = {
  id: 'pmmHealth',
  folder: 'pmm/facades/health',
  summary: 'Readiness for clients of PMM',
  role: 'none',
  access: 'read',
  paths: ['/ping', '/v1/server/readyz', '/v1/server/leaderHealthCheck'],
};
