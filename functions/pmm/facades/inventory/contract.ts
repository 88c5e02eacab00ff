import type { Facade } from '../../../contract/endpoint.ts';

export const facade: Facade = {
  id: 'pmmInventory',
  folder: 'pmm/facades/inventory',
  summary: 'The inventory API of PMM',
  role: 'Viewer',
  access: 'write',
  paths: ['/v1/inventory/{call+}'],
};
