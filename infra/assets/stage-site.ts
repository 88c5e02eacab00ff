import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { siteRoots } from './site-roots.ts';

/**
 * The files of swagger-ui-dist that the API browser needs. The package also contains source maps and builds for
 * bundlers: 11 MB. Its licences require that they are included.
 */
const swaggerUiFiles: readonly string[] = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
];

const isPackage = (folder: string) => dirname(folder).endsWith('node_modules');

/** Excludes developers' notes and dot files, and all files of the package that are not in the list. */
function isServed(root: string, path: string): boolean {
  if (path === root) return true;
  const name = basename(path);
  return isPackage(root) ? swaggerUiFiles.includes(name) : !name.startsWith('.') && !name.endsWith('.md');
}

/**
 * Stages the static site as it is served: the folders of the local server, with the same precedence. Removes the
 * results of an earlier run.
 */
export async function stageSite(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  // In reverse order, so that the first root overwrites the others.
  for (const { prefix, folder } of siteRoots.toReversed())
    // A part of the site that has not been built is omitted, as on the local server.
    if (existsSync(folder))
      await cp(folder, join(outdir, prefix), { recursive: true, filter: (path) => isServed(folder, path) });
}
