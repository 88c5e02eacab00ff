import type { Facade } from '../../../contract/endpoint.ts';

export const facade: Facade = {
  id: 'pmmManagement',
  folder: 'pmm/facades/management',
  summary: 'The management API of PMM',
  role: 'Viewer',
  access: 'write',
  accessEvents: ['annotation.added'],
  paths: ['/v1/management/{call+}'],
};
