import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildInfo } from './build-info.ts';
import { buildConsoleWhenStale } from '../../console/build-when-stale.ts';
import { bundleFunctions, bundleOptions, containerOptions } from './bundle.ts';
import { stageSite } from './stage-site.ts';
import { type Assets, functionsFolder, storeBuild } from './stored-assets.ts';

/** The functions that are not called by requests but by CloudFormation, the table's stream or a schedule, by id. */
const backgroundFunctions = {
  publishChanges: 'functions/triggers/publish-changes/handler.ts',
  scheduledCleanup: 'functions/triggers/scheduled-cleanup/handler.ts',
  stateEvents: 'functions/triggers/state-events/handler.ts',
  probe: 'functions/triggers/probe/handler.ts',
  continueJobs: 'functions/triggers/continue-jobs/handler.ts',
  setUp: 'functions/triggers/deployment/initialise-table/handler.ts',
  objectsKey: 'functions/triggers/deployment/objects-key/handler.ts',
  gatewayLogRole: 'functions/triggers/deployment/gateway-log-role/handler.ts',
  publishSite: 'functions/triggers/deployment/publish-site/handler.ts',
} as const;

/** Their entry points, by the names of the built files. */
export const backgroundEntryPoints: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(backgroundFunctions).map(([id, entry]) => [`${id}/index`, entry])),
  // Beside the files of the site, which it serves where there is no CloudFront.
  'publishSite/serve': 'functions/triggers/serve-site/handler.ts',
};

/** The functions of the constructs for objects in an inventory (infra/objects), by the names of the built files. */
export const clientEntryPoints = {
  'inventoryResources/index': 'clients/cdk/src/handler.ts',
  'followScaling/index': 'clients/cdk/src/auto-scaling-handler.ts',
};

async function bundleBackgroundFunctions(outdir: string): Promise<void> {
  await build({
    ...bundleOptions,
    entryPoints: { ...backgroundEntryPoints, ...clientEntryPoints },
    outdir,
    logLevel: 'warning',
  });
}

/** The programs of the container of the agent gateway, by the names of the built files. */
const containerEntryPoints = { 'agentGateway/index': 'gateway/main.ts', 'agentGateway/load': 'gateway/load.ts' };

/** Bundles the program of the agent gateway, and the one that loads it. @param outdir of all functions. */
export async function bundleContainer(outdir: string): Promise<void> {
  await build({ ...containerOptions, entryPoints: containerEntryPoints, outdir, logLevel: 'warning' });
}

const root = new URL('../../', import.meta.url);

/** Without git, the time is that of unpacking: the present time would make every deployment a change. */
async function stableBuildInfo(): Promise<Assets['build']> {
  const info = await buildInfo();
  if (info.commit !== 'unknown') return info;
  const { mtime } = await stat(new URL('package.json', root));
  return { ...info, time: mtime.toISOString() };
}

/** Bundles the functions and stages the site. Takes about 3 s; needs no Docker and no network. */
export async function buildAssets(outdir: string): Promise<Assets> {
  const functions = functionsFolder(outdir);
  const [info] = await Promise.all([
    stableBuildInfo(),
    bundleFunctions(functions),
    bundleBackgroundFunctions(functions),
    bundleContainer(functions),
    buildConsoleWhenStale().then(() => stageSite(join(functions, 'publishSite', 'site'))),
  ]);
  return storeBuild(outdir, info);
}
