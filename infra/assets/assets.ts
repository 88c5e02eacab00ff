import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildInfo } from './build-info.ts';
import { buildConsoleWhenStale } from '../../console/build-when-stale.ts';
import { bundleFunctions, bundleOptions } from './bundle.ts';
import { stageSite } from './stage-site.ts';

/** All that is deployed besides the template, ready on disk before the stack is built, which can wait for nothing. */
export interface Assets {
  /** Folder with one folder per function: `<id>/index.mjs`. That of `publishSite` has the files of the site in `site/`. */
  readonly functions: string;
  /** What `GET /v1/version` says. It goes into the environment, not into the bundles: those only change with the code. */
  readonly build: { readonly version: string; readonly commit: string; readonly time: string };
}

/** What no request calls, by id: CloudFormation does during a deployment, and the table's stream, and the clock. */
const backgroundFunctions = {
  publishChanges: 'functions/triggers/publish-changes/handler.ts',
  scheduledCleanup: 'functions/triggers/scheduled-cleanup/handler.ts',
  continueJobs: 'functions/triggers/continue-jobs/handler.ts',
  setUp: 'functions/triggers/deployment/initialise-table/handler.ts',
  gatewayLogRole: 'functions/triggers/deployment/gateway-log-role/handler.ts',
  publishSite: 'functions/triggers/deployment/publish-site/handler.ts',
} as const;

async function bundleBackgroundFunctions(outdir: string): Promise<void> {
  const entryPoints = Object.fromEntries(
    Object.entries(backgroundFunctions).map(([id, entry]) => [`${id}/index`, entry]),
  );
  await build({ ...bundleOptions, entryPoints, outdir, logLevel: 'warning' });
}

const root = new URL('../../', import.meta.url);

/** Of a copy without git, the time is when it was unpacked: the time of now would make every deployment a change. */
async function stableBuildInfo(): Promise<Assets['build']> {
  const info = await buildInfo();
  if (info.commit !== 'unknown') return info;
  const { mtime } = await stat(new URL('package.json', root));
  return { ...info, time: mtime.toISOString() };
}

const dist = fileURLToPath(new URL('dist/', root));

/** Bundles the functions and lays out the site. Takes some 3 s; no Docker, no network. */
export async function buildAssets(outdir: string = dist): Promise<Assets> {
  const functions = join(outdir, 'functions');
  const [info] = await Promise.all([
    stableBuildInfo(),
    bundleFunctions(functions),
    bundleBackgroundFunctions(functions),
    buildConsoleWhenStale().then(() => stageSite(join(functions, 'publishSite', 'site'))),
  ]);
  return { functions, build: info };
}
