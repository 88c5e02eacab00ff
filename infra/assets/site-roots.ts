import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder, consoleReady } from '../../console/build-when-stale.ts';

const site = fileURLToPath(new URL('../../swagger-static/', import.meta.url));
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Files of `folder` are served under `prefix`, which starts and ends with a slash. */
export interface StaticRoot {
  readonly prefix: string;
  readonly folder: string;
  /** Resolves when the files exist, for a folder that is built after the start of the server. */
  readonly ready?: () => Promise<void>;
}

/** The folders of the static site: our own files, then those of Swagger UI below the API browser, then the console. */
export const siteRoots: readonly StaticRoot[] = [
  { prefix: '/swagger/', folder: join(site, 'swagger') },
  { prefix: '/swagger/', folder: swaggerUi },
  { prefix: '/', folder: consoleFolder, ready: consoleReady },
];
