import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder, consoleReady } from '../../console/build-when-stale.ts';
import type { StaticRoot } from '../../shared/http/static-files.ts';

const site = fileURLToPath(new URL('../../swagger-static/', import.meta.url));
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The folders of the static site: our own files, then those of Swagger UI below the API browser, then the console. */
export const siteRoots: readonly StaticRoot[] = [
  { prefix: '/swagger/', folder: join(site, 'swagger') },
  { prefix: '/swagger/', folder: swaggerUi },
  // A folder with a page of its own: its address without the final slash is redirected.
  { prefix: '/docs/', folder: join(consoleFolder, 'docs'), ready: consoleReady },
  { prefix: '/', folder: consoleFolder, ready: consoleReady },
];
