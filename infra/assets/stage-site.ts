import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { siteRoots } from './site-roots.ts';

/**
 * All that the API browser needs of swagger-ui-dist, whose package also has source maps and builds for bundlers: 11 MB.
 * The licences go along, as they ask.
 */
export const swaggerUiFiles: readonly string[] = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js.LICENSE.txt',
];

const isPackage = (folder: string) => dirname(folder).endsWith('node_modules');

/** Notes for developers and dot files stay at home; of the package only the list goes. */
function isServed(root: string, path: string): boolean {
  if (path === root) return true;
  const name = basename(path);
  return isPackage(root) ? swaggerUiFiles.includes(name) : !name.startsWith('.') && !name.endsWith('.md');
}

/**
 * Lays out the static site as it is served: the folders that the local server serves, with the same one first. What an
 * earlier run has left in the folder goes.
 */
export async function stageSite(outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  // Last first, so that the first root, which wins, is written over the others.
  for (const { prefix, folder } of siteRoots.toReversed())
    // A part of the site that has not been built is left out, as the local server does.
    if (existsSync(folder))
      await cp(folder, join(outdir, prefix), { recursive: true, filter: (path) => isServed(folder, path) });
}
