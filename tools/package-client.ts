import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { withBuildVersion } from './build-version.ts';
import { packNpm } from './pack-npm.ts';
import { publishedFields } from './published-fields.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'clients/typescript');

const run = promisify(execFile);

/** The entries of the package: a name for programs, and its module. */
const entries = {
  '.': 'index',
  './facade': 'facade',
  './flows': 'flows',
  './node': 'node',
  './testing': 'testing',
} as const;

/** The requirements of the package on its platform, apart from the entry for Node. */
const NODE = { engines: '>=20', target: ['node20', 'es2022'] } as const;

/** Modules with shared parts, so that a bundler can drop operations. No source maps: the code is as readable as the source. */
async function writeCode(folder: string): Promise<void> {
  await build({
    absWorkingDir: source,
    entryPoints: Object.values(entries).map((name) => `src/${name}.ts`),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    external: ['node:*'],
    target: [...NODE.target],
    plugins: [withBuildVersion],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** The same modules for `require`, so that a class is the same in all entries. */
async function writeCommonJs(content: string): Promise<void> {
  await build({
    entryPoints: [join(content, 'lib/*.js')],
    outdir: join(content, 'cjs'),
    format: 'cjs',
    platform: 'node',
    target: [...NODE.target],
    logLevel: 'warning',
  });
  // One copy of the declarations is for both: a module may import the declarations of CommonJS, and not the other way round.
  for (const folder of ['cjs', 'types'])
    await writeFile(join(content, folder, 'package.json'), '{ "type": "commonjs" }\n');
}

/** Half of the indentation that the compiler writes: 3 % of the text. */
const half = (text: string) => text.replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2));

async function writeTypes(folder: string): Promise<void> {
  const project = join(folder, 'tsconfig.json');
  const types = join(folder, 'types');
  await writeFile(
    project,
    JSON.stringify({
      extends: join(source, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        allowImportingTsExtensions: true,
        rewriteRelativeImportExtensions: true,
        rootDir: join(source, 'src'),
        outDir: types,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: Object.values(entries).map((name) => join(source, 'src', `${name}.ts`)),
      include: [],
    }),
  );
  await run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', project]);
  await rm(project);
  for (const name of await readdir(types, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const text = await readFile(join(types, name), 'utf8');
    await writeFile(join(types, name), half(text).replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

async function writeManifest(folder: string): Promise<void> {
  const exportOf = (name: string) => ({
    types: `./types/${name}.d.ts`,
    require: `./cjs/${name}.js`,
    default: `./lib/${name}.js`,
  });
  const others = Object.values(entries).filter((name) => name !== entries['.']);
  const manifest = {
    name: '@monitoring-inventory/client',
    description: 'Client of the monitoring inventory: nodes, services and agents of a database monitoring system',
    keywords: ['monitoring', 'inventory', 'api', 'client'],
    ...(await publishedFields()),
    type: 'module',
    sideEffects: false,
    exports: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, exportOf(file)])),
    // For compilers that do not read `exports`.
    main: `./cjs/${entries['.']}.js`,
    types: `./types/${entries['.']}.d.ts`,
    typesVersions: { '*': Object.fromEntries(others.map((name) => [name, [`./types/${name}.d.ts`]])) },
    files: ['lib', 'cjs', 'types'],
    engines: { node: NODE.engines },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/**
 * Builds the npm package of the TypeScript client into the folder.
 *
 * @returns the packed file, for `npm install <file>` or `npm publish <file>`.
 */
export async function buildClientPackage(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const content = join(folder, 'content');
  await mkdir(content, { recursive: true });
  await writeCode(join(content, 'lib'));
  await writeTypes(content);
  await writeCommonJs(content);
  await writeManifest(content);
  await copyFile(join(root, 'LICENSE'), join(content, 'LICENSE'));
  await copyFile(join(source, 'README.md'), join(content, 'README.md'));
  return packNpm(content, folder);
}

if (import.meta.main) process.stdout.write(`${await buildClientPackage(join(root, 'dist/client-package'))}\n`);
