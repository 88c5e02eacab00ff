import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { withBuildVersion } from './build-version.ts';
import { packNpm } from './pack-npm.ts';
import { publishedFields } from './published-fields.ts';
import { helpTexts } from '../clients/cli/src/help-texts.ts';
import { manPages } from '../clients/cli/src/man-pages.ts';
import { commands } from '../clients/cli/src/table.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'clients/cli');

/** The oldest Node that the program runs on. */
const NODE = 'node20';

/** Commander can start other programs as its commands. Ours has none, and `node:child_process` takes longer to load than help. */
const withoutPrograms: Plugin = {
  name: 'without-programs',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'without-programs' } : undefined,
    );
    esbuild.onLoad({ filter: /./, namespace: 'without-programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Bundles a program into one file that can be run. */
async function bundle(entry: string, file: string): Promise<Metafile> {
  const { metafile } = await build({
    metafile: true,
    entryPoints: [join(source, 'src', entry)],
    outfile: file,
    bundle: true,
    minify: true,
    // The modules of Node that a command needs are then loaded with it, and not at the start.
    format: 'cjs',
    platform: 'node',
    target: NODE,
    // `require` instead of `import()`, which starts the loader of ES modules, and which a script with a code cache lacks.
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    plugins: [withoutPrograms, withBuildVersion],
    legalComments: 'none',
    logLevel: 'warning',
  });
  await chmod(file, 0o755);
  return metafile;
}

/** Writes the program into one file. What a command imports when it is called is evaluated then. @returns the sizes of its modules. */
export const buildCommandLine = (file: string): Promise<Metafile> => bundle('main.ts', file);

/** Writes the program of the package that starts the file beside it. */
export const buildStarter = (file: string): Promise<Metafile> => bundle('start.ts', file);

/** The packages whose code is in the program. */
const bundled = ['commander', 'papaparse', 'yaml', 'zod'];

/** The day of the build; with SOURCE_DATE_EPOCH, in seconds, builds are reproducible. */
function buildDate(): string {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  return (seconds === undefined ? new Date() : new Date(Number(seconds) * 1000)).toISOString().slice(0, 10);
}

/** Builds the npm package of the command line into the folder. */
export async function buildCommandLinePackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await buildCommandLine(join(folder, 'inventory.cjs'));
  await buildStarter(join(folder, 'start.cjs'));
  const published = await publishedFields();
  await writeFile(join(folder, 'help.json'), JSON.stringify(await helpTexts(commands)));
  const pages = await manPages(commands, { version: published.version, date: buildDate() });
  await mkdir(join(folder, 'man'));
  for (const [name, text] of pages) await writeFile(join(folder, 'man', name), text);
  const manifest = {
    name: '@monitoring-inventory/cli',
    description: 'Command line of the monitoring inventory: nodes, services and agents of a database monitoring system',
    keywords: ['monitoring', 'inventory', 'cli'],
    ...published,
    bin: { inventory: 'start.cjs', minv: 'start.cjs' },
    man: [...pages.keys()].map((name) => `./man/${name}`),
    files: ['inventory.cjs', 'start.cjs', 'help.json', 'LICENCES', 'man'],
    engines: { node: '>=20' },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
  const texts = bundled.map(async (name) => {
    return `${name}\n\n${await readFile(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`;
  });
  await writeFile(join(folder, 'LICENCES'), (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`));
}

if (import.meta.main) {
  const folder = join(root, 'dist/cli-package');
  await buildCommandLinePackage(folder);
  process.stdout.write(`${await packNpm(folder, join(root, 'dist'))}\n`);
}
