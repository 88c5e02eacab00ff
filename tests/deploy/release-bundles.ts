import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { backgroundEntryPoints } from '../../infra/assets/assets.ts';
import { bundleOptions, entryPoints } from '../../infra/assets/bundle.ts';

/**
 * The built functions of the last release, with all that they import: a text for each path. They share parts, which
 * the deployed ones do not: 230 kB instead of 770 kB. A clone may lack the history, so the commit would not suffice.
 */
const file = new URL('last-release-bundles.json.br', import.meta.url);

/** Stores the functions of the present state. */
export async function recordBundles(): Promise<void> {
  const outdir = '/released';
  const ofRequests = Object.entries(entryPoints).map(([id, entry]) => [`${id}/index`, entry] as const);
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: { ...Object.fromEntries(ofRequests), ...backgroundEntryPoints },
    outdir,
    splitting: true,
    chunkNames: 'parts/[hash]',
    write: false,
  });
  const files = outputFiles.map(({ path, text }) => [relative(outdir, path), text] as const);
  const text = JSON.stringify(Object.fromEntries(files.toSorted(([left], [right]) => left.localeCompare(right))));
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  await writeFile(file, await promisify(brotliCompress)(text, { params }));
}

/** Unpacks the functions of the last release: `<folder>/<id>/index.mjs`. @returns their ids. */
export async function unpackBundles(folder: string): Promise<string[]> {
  const text = String(await promisify(brotliDecompress)(await readFile(file)));
  const files = Object.entries(JSON.parse(text) as Record<string, string>);
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return files.flatMap(([path]) => /^(\w+)\/index\.mjs$/.exec(path)?.[1] ?? []);
}
