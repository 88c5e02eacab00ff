import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/**
 * The files to deploy besides the template. Built on disk before the stack, because constructs cannot be asynchronous.
 */
export interface Assets {
  /**
   * Folder with one folder per function: `<id>/index.mjs`. The folder of `publishSite` contains the site in `site/`.
   */
  readonly functions: string;
  /**
   * The reply of `GET /v1/version`. Part of the environment rather than of the bundles, which change only with the
   * code.
   */
  readonly build: { readonly version: string; readonly commit: string; readonly time: string };
}

const buildSchema = z.object({ version: z.string(), commit: z.string(), time: z.string() });

const buildFile = (folder: string) => join(folder, 'build.json');
export const functionsFolder = (folder: string) => join(folder, 'functions');

/** Stores which build the functions in the folder are. */
export async function storeBuild(folder: string, build: Assets['build']): Promise<Assets> {
  await writeFile(buildFile(folder), `${JSON.stringify(build)}\n`);
  return { functions: functionsFolder(folder), build };
}

/**
 * The assets that were built into the folder.
 *
 * @throws Error before they are built.
 */
export function readAssets(folder: string): Assets {
  try {
    const build = z.parse(buildSchema, JSON.parse(readFileSync(buildFile(folder), 'utf8')));
    return { functions: functionsFolder(folder), build };
  } catch (cause) {
    throw new Error(
      `${folder} contains no build. In a checkout, pass the result of buildAssets() as the prop assets (infra/assets/assets.ts).`,
      {
        cause,
      },
    );
  }
}

/** Of the package: there, `dist` is beside the folder of the bundle with this code. A checkout has none. */
export const builtAssets = (): Assets => readAssets(join(import.meta.dirname, '../dist'));
