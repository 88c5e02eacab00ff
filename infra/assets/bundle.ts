import { mkdir, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { endpoints } from '../../functions/api/endpoints.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every deployed function: its id, and its entry point below the root of the repository. */
export const entryPoints: Readonly<Record<string, string>> = {
  ...Object.fromEntries(endpoints.map(({ id, folder }) => [id, `functions/api/${folder}/handler.ts`])),
  authorizer: 'functions/triggers/authorizer/handler.ts',
  catchAll: 'functions/triggers/catch-all/handler.ts',
};

/**
 * Built-in modules are fetched by `process.getBuiltinModule` instead of `import`. Node makes an ES module of whatever is
 * imported and reads all of its exports for that, and for node:http one of them is a getter that loads the whole of
 * undici: 24 ms of a cold start (Node 24, measured). AWS's own runtime client avoids it in the same way, with
 * `createRequire` (aws-lambda-ric 4). It also makes the builtins that the SDK requires from CommonJS work inside ESM.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(esbuild) {
    const builtins = new Set(builtinModules);
    esbuild.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (kind === 'dynamic-import' || !builtins.has(name)) return undefined;
      return { path: name, namespace: 'builtin', sideEffects: false };
    });
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
      loader: 'js',
    }));
  },
};

/**
 * What the SDK imports only on demand, and never in a Lambda function that talks to DynamoDB:
 * - credentials from files, SSO, STS and instance metadata: Lambda hands them over in the environment, which the SDK tries
 *   first (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime),
 * - event streams: no operation of DynamoDB has one,
 * - what a browser calls itself.
 * Left in, they are 150 of the 330 kB of a client. Worse, esbuild then wraps whatever they share with the rest of the SDK
 * in a function of its own, and a cold start takes 1.7 times as long (measured, `npm run bench load`).
 */
const neverImported = /^@(aws-sdk|smithy)\/credential-provider-|^@smithy\/core\/event-streams$|^bowser$/;

const withoutOnDemandParts: Plugin = {
  name: 'without-on-demand-parts',
  setup(esbuild) {
    esbuild.onResolve({ filter: neverImported }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'left-out', sideEffects: false } : undefined,
    );
    esbuild.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('${path} is left out of the bundle (infra/assets/bundle.ts)')`,
    }));
  },
};

/** How everything that runs in Lambda is built, but for what is left out of the SDK. */
export const wholeSdkOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // The ES modules of a package, of which unused parts can be left out: 331 kB of DynamoDB client instead of 525 kB.
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  plugins: [lazyBuiltins],
} satisfies BuildOptions;

/**
 * How everything that runs in Lambda is built. The SDK is bundled too: that loads 20 ms faster than the copy in the
 * runtime (measured), and is the version that was tested. The benchmark builds what it compares with in the same way.
 */
export const bundleOptions = {
  ...wholeSdkOptions,
  plugins: [lazyBuiltins, withoutOnDemandParts],
} satisfies BuildOptions;

/**
 * Bundles every function: `<outdir>/<id>/index.mjs`, whose export `handler` is what Lambda calls (`index.handler`), is all
 * that is deployed. Source maps go to `<outdir>/source-maps/<id>.mjs.map`, for reading stack traces at a desk: Lambda
 * would only spend 15 ms of each cold start on them (measured, --enable-source-maps).
 *
 * @param outdir absolute, or relative to the working directory.
 * @returns esbuild's account of what went into each bundle and how many bytes it has.
 */
export async function bundleFunctions(outdir: string): Promise<Metafile> {
  const folder = resolve(outdir);
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([id, entry]) => [`${id}/index`, entry])),
    outdir: folder,
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  await Promise.all(Object.keys(entryPoints).map((id) => rm(join(folder, id), { recursive: true, force: true })));
  await Promise.all(
    outputFiles.map(async ({ path, contents }) => {
      // As deep as the bundle, so that the relative paths in the map stay true.
      const id = basename(dirname(path));
      const file = path.endsWith('.map') ? join(folder, 'source-maps', `${id}.mjs.map`) : path;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, contents);
    }),
  );
  return metafile;
}
