import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';
import { build, type Plugin } from 'esbuild';
import * as z from 'zod/mini';
import { buildInfo } from '../infra/assets/build-info.ts';
import { buildAssets } from '../infra/assets/assets.ts';
import { pagesCode } from '../infra/site/browser-headers.ts';
import { licencesOfBundles } from './licences.ts';
import { packNpm } from './pack-npm.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const packageSchema = z.object({
  name: z.string(),
  description: z.string(),
  license: z.string(),
});

/** The requirements of the package on the app that uses it. `cdk init` makes apps for these versions of Node. */
const NODE = { engines: '>=20', target: 'node20' } as const;

/** The oldest versions of the peers with which an app synthesises; tests/deploy/library.test.ts installs them. */
export const OLDEST_PEERS = { 'aws-cdk-lib': '2.269.0', constructs: '10.5.0' } as const;

/** The files that the library reads at run time, beside its own folder `lib`. */
const ASSETS = 'dist';
const LICENCES = 'THIRD-PARTY-LICENSES.txt';

/**
 * The functions for CloudFront are the text of functions of this repository. esbuild writes the same functions as
 * another text, so their sources are replaced by the text.
 */
const textsForCloudFront: Plugin = {
  name: 'texts-for-cloudfront',
  setup(esbuild) {
    const texts = { 'infra/site/browser-headers.ts': { pagesCode } };
    for (const [file, constants] of Object.entries(texts))
      esbuild.onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, () => ({
        contents: Object.entries(constants)
          .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
          .join('\n'),
      }));
  },
};

/** CommonJS, which apps of both module systems can load. */
async function bundleLibrary(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { 'lib/index': 'infra/library.ts' },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: NODE.target,
    external: ['aws-cdk-lib', 'constructs'],
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [textsForCloudFront],
    logLevel: 'warning',
  });
}

async function writeTypes(folder: string): Promise<void> {
  // Only what the library imports: all files of the project would take minutes.
  const project = join(folder, 'tsconfig.json');
  const entry = join(root, 'infra/library.ts');
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')], types: ['node'] };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: [entry] };
  await writeFile(project, JSON.stringify(config));
  const [types] = generateDtsBundle([{ filePath: entry, output: { noBanner: true, exportReferencedTypes: false } }], {
    preferredConfigPath: project,
  });
  await rm(project);
  await writeFile(join(folder, 'lib/index.d.ts'), types ?? '');
}

async function writeManifest(folder: string): Promise<void> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const manifest = z.parse(packageSchema, JSON.parse(text));
  const packageManifest = {
    ...manifest,
    version: (await buildInfo()).version,
    keywords: ['aws-cdk', 'cdk', 'monitoring', 'inventory'],
    main: 'lib/index.js',
    types: 'lib/index.d.ts',
    files: ['lib', 'docs', ASSETS, `!${ASSETS}/functions/source-maps`, LICENCES],
    engines: { node: NODE.engines },
    peerDependencies: Object.fromEntries(Object.entries(OLDEST_PEERS).map(([name, oldest]) => [name, `^${oldest}`])),
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageManifest, undefined, 2)}\n`);
}

/** The documents, without their links to files that the package lacks. docs/library.md is the start page too. */
async function writeDocuments(folder: string): Promise<void> {
  const docs = join(folder, 'docs');
  await cp(join(root, 'docs'), docs, { recursive: true, filter: (file) => !file.endsWith('/released-openapi.json') });
  for (const name of await readdir(docs)) {
    if (!name.endsWith('.md')) continue;
    const text = await readFile(join(docs, name), 'utf8');
    await writeFile(join(docs, name), text.replace(/\[([^\]]*)\]\((?:\.\.\/[^)]*|released-openapi\.json)\)/g, '$1'));
  }
  const start = await readFile(join(docs, 'library.md'), 'utf8');
  await writeFile(join(folder, 'README.md'), start.replace(/\]\((?!https?:|#)/g, '](docs/'));
}

/**
 * Builds the npm package into the folder: compiled code with types, the functions and the site.
 *
 * @returns the packed file, for `npm install <file>` or `npm publish <file>`.
 */
export async function buildPackage(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const content = join(folder, 'content');
  await mkdir(content, { recursive: true });
  await buildAssets(join(content, ASSETS));
  await bundleLibrary(content);
  await writeTypes(content);
  await writeManifest(content);
  await writeFile(join(content, LICENCES), await licencesOfBundles());
  await writeDocuments(content);
  await copyFile(join(root, 'LICENSE'), join(content, 'LICENSE'));
  return packNpm(content, folder);
}

if (import.meta.main) process.stdout.write(`${await buildPackage(join(root, 'dist/package'))}\n`);
