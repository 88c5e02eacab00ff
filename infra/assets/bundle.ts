import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import * as z from 'zod/mini';
import { endpoints } from '../../functions/api/endpoints.ts';
import { routes } from '../../functions/api/routes.ts';
import { inventoryRoutes } from '../../functions/pmm/declarations/inventory-routes.ts';
import { managementRoutes } from '../../functions/pmm/declarations/management-routes.ts';
import type { Route, ServedRoute } from '../../functions/pmm/declarations/route.ts';
import { facades, handlerPath } from '../../functions/facades.ts';
import { pureConstants } from './pure-constants.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every deployed function: its id, and its entry point relative to the root of the repository. */
export const entryPoints: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...endpoints, ...facades].map((contract) => [contract.id, handlerPath(contract)])),
  authorizer: 'functions/triggers/authorizer/handler.ts',
  catchAll: 'functions/triggers/catch-all/handler.ts',
};

const builtins: ReadonlySet<string> = new Set(builtinModules);

const listExports = `
  const names = process.argv.slice(1);
  const exports = names.map((name) => [name, Object.keys(process.getBuiltinModule(name) ?? {})]);
  process.stdout.write(JSON.stringify(Object.fromEntries(exports)));
`;

let knownExports: Readonly<Record<string, readonly string[]>> | undefined;

/**
 * The exports of a built-in module, except those that are no name in a program. As a process of its own lists them: a
 * package can add some to a built-in module of this process, and the short names in a bundle depend on all of them.
 */
function exportsOf(name: string): string[] {
  knownExports ??= z.parse(
    z.record(z.string(), z.array(z.string())),
    JSON.parse(
      execFileSync(process.execPath, ['--no-warnings', '-e', listExports, ...builtins], { env: {}, encoding: 'utf8' }),
    ),
  );
  return (knownExports[name] ?? []).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
}

const exported = (name: string, value: string) =>
  `const $${name} = /* @__PURE__ */ ${value}; export { $${name} as ${name} };`;

/** An ES module with the exports of a built-in module. */
function readBuiltin(path: string): string {
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule('node:${path}');`,
    'const read = (name) => builtin[name];',
    'export default builtin;',
    ...exportsOf(path).map((name) => exported(name, `read('${name}')`)),
  ].join('\n');
}

/** An ES module with the functions of a built-in module, which is loaded when one is called. */
function builtinOnCall(path: string): string {
  return [
    `const onCall = (name) => (...args) => process.getBuiltinModule('node:${path}')[name](...args);`,
    ...exportsOf(path)
      .filter((name) => /^[a-z]/.test(name))
      .map((name) => exported(name, `onCall('${name}')`)),
  ].join('\n');
}

/** Built-in modules that few requests use: zlib takes a millisecond. */
const loadedOnCall: ReadonlySet<string> = new Set(['zlib']);

/**
 * Loads built-in modules by `process.getBuiltinModule` instead of `import`. Node makes an ES module of each imported
 * built-in and reads all its exports; for node:http, one of them is a getter that loads undici: 24 ms of a cold start
 * (Node 24, measured). AWS's runtime client avoids it in the same way, with `createRequire` (aws-lambda-ric 4). For
 * imports, the plugin makes an ES module of which esbuild keeps the exports that are used; for `require`, which the SDK
 * uses, a CommonJS module.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (kind === 'dynamic-import' || !builtins.has(name)) return undefined;
      return { path: name, namespace: kind === 'require-call' ? 'builtin' : 'builtin-esm', sideEffects: false };
    });
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
      loader: 'js',
    }));
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin-esm' }, ({ path }) => ({
      contents: loadedOnCall.has(path) ? builtinOnCall(path) : readBuiltin(path),
      loader: 'js',
    }));
  },
};

/**
 * Modules that the SDK imports on demand, but never in the functions that contain it, which are not for requests:
 * - credentials from files, SSO, STS and instance metadata: Lambda provides them in the environment, which the SDK
 *   reads first
 *   (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime),
 * - event streams: no operation that is called uses them,
 * - code for browsers.
 *
 * They are 150 of the 330 kB of a client. With them, esbuild also wraps all modules that they share with the rest of
 * the SDK in functions, and a cold start takes 1.7 times as long (measured, `npm run bench load`).
 */
const neverImported = /^@(aws-sdk|smithy)\/credential-provider-|^@smithy\/core\/event-streams$|^bowser$/;

/** The errors of operations that no function calls: an error without a class has its name all the same. */
const registrationsOfOtherErrors =
  /^.*registerError\((?:Backup|ContinuousBackups|DuplicateItem|Export|GlobalTable|Import|IndexNotFound|Invalid(?:Export|Restore)Time|PointInTimeRecovery|Policy|Replica[AN]|Table)\w*\$, .*$/gm;

const withoutOnDemandParts: Plugin = {
  name: 'without-on-demand-parts',
  setup(esbuild) {
    // One module for all, and so one file in a function that is loaded in parts.
    esbuild.onResolve({ filter: neverImported }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'left-out', namespace: 'left-out', sideEffects: false } : undefined,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: `throw new Error('This part of the AWS SDK is left out of the bundle (infra/assets/bundle.ts)')`,
    }));
    // Classes without a use: the cache that a client makes for the discovery of endpoints, which no operation of DynamoDB
    // needs, the SHA-256 for a Node without node:crypto, the retry mode `adaptive`, which no client has, and
    // the signature of the messages of an event stream.
    esbuild.onResolve(
      { filter: /^mnemonist\/lru-cache$|\/(Sha256Js|DefaultRateLimiter|AdaptiveRetryStrategy|HeaderFormatter)$/ },
      () => ({
        path: 'unused',
        namespace: 'unused',
        sideEffects: false,
      }),
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: [
        'export default class {}',
        ...['Sha256Js', 'DefaultRateLimiter', 'AdaptiveRetryStrategy', 'HeaderFormatter'].map(
          (name) => `export class ${name} {}`,
        ),
      ].join(' '),
    }));
    // Lambda always sets the region in the environment.
    esbuild.onLoad({ filter: /regionConfig\/getInstanceMetadataRegion\.js$/ }, () => ({
      contents: 'export const getInstanceMetadataRegion = async () => undefined;',
    }));
    esbuild.onLoad({ filter: /client-dynamodb\/dist-es\/schemas\/schemas_0\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(registrationsOfOtherErrors, ''),
      loader: 'js',
    }));
    // The client imports all of its package file, for the version.
    esbuild.onLoad({ filter: /client-dynamodb\/package\.json$/ }, async ({ path }) => {
      const { version } = z.parse(z.object({ version: z.string() }), JSON.parse(await readFile(path, 'utf8')));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** The routes without what only documents and permissions need, and without defaults. */
const served = (all: readonly Route[]): ServedRoute[] =>
  all.map(({ summary: _summary, differs: _differs, facade: _facade, limit, ...served }) => ({
    ...served,
    ...(limit === 'unaffected' ? {} : { limit }),
  }));

/** Modules whose exports are data, and take long to make: a bundle contains the data. */
const evaluated: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'functions/api/routes.ts': { routes },
  'functions/pmm/declarations/inventory-routes.ts': { inventoryRoutes: served(inventoryRoutes) },
  'functions/pmm/declarations/management-routes.ts': { managementRoutes: served(managementRoutes) },
};

/** Replaces these modules by their values, as text: parsing JSON is faster than parsing a program. */
const evaluatedModules: Plugin = {
  name: 'evaluated-modules',
  setup(esbuild) {
    esbuild.onLoad({ filter: /routes\.ts$/ }, ({ path }) => {
      const values = evaluated[relative(root, path)];
      if (values === undefined) return undefined;
      const lines = Object.entries(values).map(
        ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/** Build options of all code for Lambda, with the whole SDK. */
export const wholeSdkOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // The ES modules of a package, from which unused parts are removed: 331 kB of DynamoDB client instead of 525 kB.
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  plugins: [lazyBuiltins],
} satisfies BuildOptions;

/**
 * Build options of all code for Lambda. Includes the SDK where it is used: it loads 20 ms faster than the copy in the
 * runtime (measured), and is the version that was tested. The benchmark builds its variants in the same way.
 */
export const bundleOptions = {
  ...wholeSdkOptions,
  plugins: [lazyBuiltins, withoutOnDemandParts, evaluatedModules, pureConstants],
} satisfies BuildOptions;

/**
 * Build options of programs of a container. They include every way to credentials: ECS provides them by HTTP. Without
 * built-in modules in `require`, which a module in memory does not have.
 */
export const containerOptions = {
  ...wholeSdkOptions,
  plugins: [lazyBuiltins, pureConstants],
  // CloudFormation reads ${name} as a variable in the command of a container.
  supported: { 'template-literal': false },
} satisfies BuildOptions;

/**
 * Functions that load what many requests do not need on demand: changes by PMM's calls, the writes of a reconciliation, the
 * client that reads a password, the libraries for tokens and identity providers.
 */
const loadedInParts: ReadonlySet<string> = new Set([
  ...facades.map(({ id }) => id),
  'reconcile',
  'authorizer',
  'logIn',
]);

/**
 * Where esbuild believes to write. The hashes in the names of parts depend on it, and the same code must be the same asset in
 * every folder.
 */
const builtFolder = join(root, 'dist', 'functions');

/** @param entries source files, by the names of the built files. @param id the function that all of them are. */
const buildFiles = (entries: Readonly<Record<string, string>>, id = '') =>
  build({
    ...bundleOptions,
    entryPoints: entries,
    outdir: join(builtFolder, id),
    splitting: id !== '',
    chunkNames: '[name]-[hash]',
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
  });

const sourceMapSchema = z.looseObject({ sources: z.array(z.string()) });

/** Writes a source map to a place, from which the relative paths in it are correct. */
async function writeMap(place: string, { path, text }: { path: string; text: string }): Promise<void> {
  const map = z.parse(sourceMapSchema, JSON.parse(text));
  const sources = map.sources.map((source) => relative(dirname(place), resolve(dirname(path), source)));
  await writeFile(place, JSON.stringify({ ...map, sources }));
}

async function writeBuilt(folder: string, file: OutputFile): Promise<void> {
  const [id, name] = [basename(dirname(file.path)), basename(file.path)];
  if (name.endsWith('.map')) {
    const place = join(folder, 'source-maps', name === 'index.mjs.map' ? `${id}.mjs.map` : `${id}.${name}`);
    return writeMap(place, file);
  }
  await mkdir(join(folder, id), { recursive: true });
  await writeFile(join(folder, id, name), file.contents);
}

/**
 * Bundles every function to `<outdir>/<id>/index.mjs`, whose export `handler` Lambda calls (`index.handler`). The parts
 * that a function loads on demand are beside it. Source maps are written to `<outdir>/source-maps/<id>.mjs.map` for
 * developers. They are not deployed, because they would cost 15 ms of each cold start (measured, --enable-source-maps).
 *
 * @param outdir absolute, or relative to the working directory.
 * @param entries some of `entryPoints`; default: all.
 * @returns esbuild's metafile: the contents and the size of each file.
 */
export async function bundleFunctions(outdir: string, entries = entryPoints): Promise<Metafile> {
  const folder = resolve(outdir);
  const isInParts = ([id]: readonly [string, string]) => loadedInParts.has(id);
  const whole = Object.entries(entries).filter((entry) => !isInParts(entry));
  const inParts = Object.entries(entries).filter(isInParts);
  const built = await Promise.all([
    buildFiles(Object.fromEntries(whole.map(([id, entry]) => [`${id}/index`, entry]))),
    // Each alone: what several of them contain would otherwise be one file for all.
    ...inParts.map(([id, index]) => buildFiles({ index }, id)),
  ]);
  await Promise.all(Object.keys(entries).map((id) => rm(join(folder, id), { recursive: true, force: true })));
  await mkdir(join(folder, 'source-maps'), { recursive: true });
  await Promise.all(built.flatMap(({ outputFiles }) => outputFiles).map((file) => writeBuilt(folder, file)));
  const merged = <Part extends keyof Metafile>(part: Part): Metafile[Part] =>
    Object.fromEntries(built.flatMap(({ metafile }) => Object.entries(metafile[part])));
  return { inputs: merged('inputs'), outputs: merged('outputs') };
}
