import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import * as z from 'zod/mini';
import { endpoints } from '../functions/api/endpoints.ts';
import { facades, handlerPath } from '../functions/facades.ts';
import { buildInfo, type BuildInfo } from '../infra/assets/build-info.ts';
import { stageSite } from '../infra/assets/stage-site.ts';
import { buildConsoleWhenStale } from '../console/build-when-stale.ts';
import { licencesOfBundles } from './licences.ts';
import { packNpm } from './pack-npm.ts';
import { publishedFields } from './published-fields.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'local/package');

/** The command of the package. */
const COMMAND = 'inventory-server';

/** The oldest Node that can start the one of the package. */
const OLDEST_NODE = 18;

/** The programs of the package. */
const programs = { server: 'local/main.ts', backup: 'local/backup.ts', check: 'local/package/check.ts' };

/** Modules that read the checkout, or name its commands, as they are in the package. */
function replacements(info: BuildInfo): Readonly<Record<string, string>> {
  const handlers = [...new Set([...endpoints, ...facades].map((contract) => handlerPath(contract)))];
  const imports = handlers.map((path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(join(root, path))})`);
  return {
    'local/gateway/import-handler.ts': `const handlers = { ${imports.join(', ')} };
      export const importHandler = (path) => handlers[path]();`,
    'infra/assets/build-info.ts': `export const buildInfo = async () => (${JSON.stringify(info)});`,
    'infra/assets/site-roots.ts': `import { join } from 'node:path';
      const site = join(import.meta.dirname, 'site');
      export const siteRoots = [
        { prefix: '/docs/', folder: join(site, 'docs') },
        { prefix: '/swagger/', folder: join(site, 'swagger') },
        { prefix: '/', folder: site },
      ];`,
    'local/process/commands.ts': `export const START = '${COMMAND}';
      export const startWith = (option) => '${COMMAND} ' + option;
      export const BACK_UP = '${COMMAND} backup';`,
  };
}

const inPackage = (info: BuildInfo): Plugin => ({
  name: 'in-package',
  setup(esbuild) {
    for (const [path, contents] of Object.entries(replacements(info)))
      esbuild.onLoad(
        { filter: new RegExp(`[\\\\/]${path.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]')}$`) },
        () => ({
          contents,
          loader: 'js',
          resolveDir: root,
        }),
      );
  },
});

/** One file for each program: a start reads few files, and nothing of a folder of packages. */
async function bundlePrograms(folder: string, info: BuildInfo): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Packages in CommonJS require modules of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    // `ws` works without them.
    external: ['bufferutil', 'utf-8-validate'],
    plugins: [inPackage(info)],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** The command, for the oldest Node that may run it. */
async function buildStart(folder: string): Promise<void> {
  const file = join(folder, 'start.cjs');
  await build({
    entryPoints: [join(source, 'start.ts')],
    outfile: file,
    platform: 'node',
    target: `node${OLDEST_NODE}`,
    format: 'cjs',
    logLevel: 'warning',
  });
  await chmod(file, 0o755);
}

const nodesSchema = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

async function writeManifest(folder: string): Promise<void> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  // A Node for the platforms that have one as a package: npm installs that of the machine.
  const { optionalDependencies } = z.parse(nodesSchema, JSON.parse(text));
  const manifest = {
    name: '@monitoring-inventory/server',
    description: 'Server of the monitoring inventory: nodes, services and agents of a database monitoring system',
    keywords: ['monitoring', 'inventory', 'server'],
    ...(await publishedFields()),
    bin: { [COMMAND]: 'start.cjs' },
    optionalDependencies,
    engines: { node: `>=${OLDEST_NODE}` },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Copies the files for systemd, nginx and containers, with the alert rules and the dashboard. */
async function copyDeployFiles(folder: string): Promise<void> {
  await cp(join(source, 'files'), folder, { recursive: true });
  await cp(join(root, 'docs/monitoring'), join(folder, 'monitoring'), { recursive: true });
}

/**
 * Builds the package of the server into the folder: one file with the service, the console and the documents, and files for
 * systemd, nginx and containers.
 *
 * @returns the packed file, for `npm install --global <file>`, `npx <file>` or `tar`.
 */
export async function buildServerPackage(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const content = join(folder, 'content');
  await mkdir(content, { recursive: true });
  const info = await buildInfo();
  await Promise.all([
    bundlePrograms(content, info),
    buildConsoleWhenStale().then(() => stageSite(join(content, 'site'))),
    writeFile(join(content, 'build.json'), `${JSON.stringify(info)}\n`),
    writeManifest(content),
    buildStart(content),
    copyDeployFiles(join(content, 'deploy')),
    licencesOfBundles().then((text) => writeFile(join(content, 'THIRD-PARTY-LICENSES.txt'), text)),
    copyFile(join(root, 'LICENSE'), join(content, 'LICENSE')),
  ]);
  // Links lead to the other documents, which the server serves at /docs/.
  const page = await readFile(join(root, 'docs/server.md'), 'utf8');
  await writeFile(join(content, 'README.md'), page.replaceAll(/\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1'));
  return packNpm(content, folder);
}

if (import.meta.main) process.stdout.write(`${await buildServerPackage(join(root, 'dist/server-package'))}\n`);
