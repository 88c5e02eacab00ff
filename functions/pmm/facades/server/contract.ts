import type { Facade } from '../../../contract/endpoint.ts';
import { outsidePaths } from '../../declarations/server-routes.ts';

export const facade: Facade = {
  id: 'pmmServer',
  folder: 'pmm/facades/server',
  summary: 'Version and settings for clients of PMM',
  role: 'Viewer',
  access: 'none',
  paths: ['/v1/server/{call+}', '/managed/v1/version', ...outsidePaths.map((path) => `${path}/{call+}`)],
};
