import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StaticRoot } from './static-files.ts';

const site = fileURLToPath(new URL('../swagger-static/', import.meta.url));
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Where the static site lies: our own files first, then those of Swagger UI under the API browser. */
export const siteRoots: readonly StaticRoot[] = [
  { prefix: '/swagger/', folder: join(site, 'swagger') },
  { prefix: '/swagger/', folder: swaggerUi },
  { prefix: '/', folder: join(site, 'console') },
];
