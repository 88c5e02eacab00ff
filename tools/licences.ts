import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const root = fileURLToPath(new URL('../', import.meta.url));
const modules = join(root, 'node_modules');

/** Packages for development whose code is in the library. */
const others = ['yaml'];

/** The folders of the packages that run in production, with those that they depend on. */
async function packageFolders(): Promise<string[]> {
  const args = ['ls', '--all', '--parseable', '--omit=dev', '--omit=optional'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root });
  const folders = [...stdout.trim().split('\n'), ...others.map((name) => join(modules, name))];
  return [...new Set(folders)].filter((folder) => folder.startsWith(modules));
}

const manifestSchema = z.object({ license: z.string(), homepage: z.optional(z.string()) });

/** The text of the licence; of a package without a text its name, and where the package is published. */
async function licenceIn(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((file) => /^licen[cs]e(\.(md|txt))?$/i.test(file));
  if (name !== undefined) return (await readFile(join(folder, name), 'utf8')).trim();
  const { license, homepage } = z.parse(
    manifestSchema,
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  return [license, homepage ?? `https://www.npmjs.com/package/${relative(modules, folder)}`].join('\n');
}

/** The licences of the packages whose code is in the bundles: each text once, after the packages that have it. */
export async function licencesOfBundles(): Promise<string> {
  const packages = new Map<string, string[]>();
  for (const folder of await packageFolders()) {
    const text = await licenceIn(folder);
    packages.set(text, [...(packages.get(text) ?? []), relative(modules, folder)]);
  }
  return [...packages]
    .map(([text, names]) => `${names.sort().join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
