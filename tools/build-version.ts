import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { buildInfo } from '../infra/assets/build-info.ts';

const DECLARATION = /^export const VERSION = '[^']*';$/m;

/** States the version of this build in a package, in place of that of the source, which contains no commit. */
export const withBuildVersion: Plugin = {
  name: 'with-build-version',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]typescript[\\/]src[\\/]generated[\\/]version\.ts$/ }, async ({ path }) => {
      const [source, { version }] = await Promise.all([readFile(path, 'utf8'), buildInfo()]);
      if (!DECLARATION.test(source)) throw new Error(`${path} declares no VERSION.`);
      return { contents: `export const VERSION = ${JSON.stringify(version)};`, loader: 'ts' };
    });
  },
};
