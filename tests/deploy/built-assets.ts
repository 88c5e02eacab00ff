/*
 * Builds the assets of the stack for all files of a run of these tests, and prints their folder, which the run gets as an environment
 * variable: a build takes 30 s of processor time.
 */
import { fileURLToPath } from 'node:url';
import { buildAssets } from '../../infra/assets/assets.ts';

/** The environment variable with the folder of the assets. */
export const ASSETS_ENV = 'BUILT_ASSETS';

/** The folder of the assets of this run. A file that runs alone builds them into the given one. */
export async function assetsOfRun(folder: string): Promise<string> {
  const built = process.env[ASSETS_ENV];
  // Empty after a failed build, which then fails here with its reason.
  if (built !== undefined && built !== '') return built;
  await buildAssets(folder);
  return folder;
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../../dist/deploy-assets', import.meta.url));
  await buildAssets(folder);
  process.stdout.write(folder);
}
