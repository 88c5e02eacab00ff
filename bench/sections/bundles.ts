import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { objectKey } from '../../functions/store/table/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { bundleFunctions, bundleOptions, entryPoints, wholeSdkOptions } from '../../infra/assets/bundle.ts';
import { authorizerEvent } from '../../local/gateway/proxy-event.ts';
import { eventOf } from '../../tests/costs/invocation.ts';
import { newKey, startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../../tests/support/stored-objects.ts';
import { ratio, table } from '../report.ts';
import { quickSize, type Size } from '../size.ts';
import { quantile, shuffled } from '../statistics.ts';
import { type Limit, type Targets, verdict } from '../targets.ts';

const MOST_BYTES = 420_000;

/** Processor time of the load and the first request, over a function that only makes the call, with the SDK reduced in the same way. */
const MOST_FIRST = 1.3;
const firstRequests: ReadonlySet<string> = new Set(['getNode', 'authorizer']);

/** What the functions are compared with, and how it is built: the client also with the whole SDK, as it comes. */
const baselines = { client: wholeSdkOptions, trimmed: bundleOptions } as const;

const idOf = (baseline: keyof typeof baselines) => `baseline-${baseline}`;

/** Bytes by folder, with the parts that a function loads on demand. */
async function bundleAll(folder: string): Promise<Map<string, number>> {
  const built = [await bundleFunctions(folder)];
  const source = fileURLToPath(new URL('../baseline/dynamodb-client.ts', import.meta.url));
  for (const baseline of ['client', 'trimmed'] as const) {
    const entryPoints = { [`${idOf(baseline)}/index`]: source };
    built.push((await build({ ...baselines[baseline], entryPoints, outdir: folder, metafile: true })).metafile);
  }
  const sizes = new Map<string, number>();
  for (const [file, { bytes }] of built.flatMap(({ outputs }) => Object.entries(outputs))) {
    const id = basename(dirname(file));
    if (file.endsWith('.mjs')) sizes.set(id, (sizes.get(id) ?? 0) + bytes);
  }
  return sizes;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const isFunction = (id: string) => Object.hasOwn(entryPoints, id);

/** The target of every function: a verdict for each, and one recorded value, of the function that is nearest to it. */
function targetOfEach(
  targets: Targets,
  { name, limit, unit = 'x' }: { name: string; limit: Limit; unit?: string },
  values: ReadonlyMap<string, number>,
): (id: string) => string {
  const [[of, value] = ['none', Number.NaN]] = [...values]
    .filter(([id]) => isFunction(id))
    .sort(([, left], [, right]) => right - left);
  targets.add({ name, value, limit, unit, of });
  return (id) => (isFunction(id) ? verdict({ value: values.get(id) ?? Number.NaN, limit, unit }) : 'baseline');
}

export async function bundleSection(_size: Size, targets: Targets): Promise<string> {
  const bytes = await inFolder(bundleAll);
  const [client, trimmed] = [bytes.get(idOf('client')) ?? Number.NaN, bytes.get(idOf('trimmed')) ?? Number.NaN];
  const target = targetOfEach(
    targets,
    { name: 'the largest function', limit: { atMost: MOST_BYTES / 1000 }, unit: ' kB' },
    new Map([...bytes].map(([id, size]) => [id, size / 1000])),
  );
  const rows = [...bytes]
    .sort(([, left], [, right]) => right - left)
    .map(([id, size]) => [id, size, ratio(size / client), ratio(size / trimmed), target(id)]);
  return table(['bundle', 'bytes', 'to client only', 'to client trimmed alike', 'target'], rows);
}

/**
 * Loads one bundle in a fresh process, and calls it once when there is an event. Prints the processor time of both, all
 * threads together, in milliseconds. Processor time is what counts on Lambda, where a
 * small function gets a fraction of a processor; and it hardly changes when the machine has other things to do. Waits
 * until the process is idle: with node:tls, Node parses its root certificates in another thread, which takes as long as half
 * of a function.
 */
const child = `
  // Lambda's own runtime client has these before the function is loaded (aws-lambda-ric 4).
  for (const name of ['http', 'stream', 'events', 'util', 'fs', 'path', 'module', 'async_hooks', 'crypto'])
    process.getBuiltinModule(name);
  const [file, event] = process.argv.slice(1);
  const milliseconds = ({ user, system }) => (user + system) / 1000;
  const before = process.cpuUsage();
  const { handler } = await import(file);
  let load = 0;
  for (let last = -1; load - last > 0.5; load = milliseconds(process.cpuUsage(before))) {
    last = load;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  if (event !== undefined) await handler(JSON.parse(event), {});
  process.stdout.write(JSON.stringify({ load, both: milliseconds(process.cpuUsage(before)) }));
`;

const loadingSchema = z.object({ load: z.number(), both: z.number() });

type Loading = z.output<typeof loadingSchema>;

async function load(file: string, environment: Record<string, string>, event?: unknown): Promise<Loading> {
  const node = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      child,
      pathToFileURL(file).href,
      ...(event === undefined ? [] : [JSON.stringify(event)]),
    ],
    { env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output] = await Promise.all([text(node.stdout), once(node, 'exit')]);
  return z.parse(loadingSchema, JSON.parse(output));
}

type Events = Record<string, () => unknown>;

/** The first event of the functions that are called once, by bundle. */
async function eventsFor({ table: inventory }: { table: Table }): Promise<Events> {
  const node = newNode(1);
  await putNodes(inventory, [node, ...Array.from({ length: 99 }, (_, index) => newNode(2 + index))]);
  const { text: key } = await newKey(inventory);
  const version = eventOf({ method: 'GET', url: '/v1/version', headers: { Authorization: `Bearer ${key}` } });
  let added = 1000;
  return {
    [idOf('client')]: () => objectKey('node', node.node_id),
    [idOf('trimmed')]: () => objectKey('node', node.node_id),
    getNode: () => eventOf({ method: 'GET', url: `/v1/nodes/${node.node_id}` }),
    listNodes: () => eventOf({ method: 'GET', url: '/v1/nodes?page_size=100' }),
    addNode: () => {
      const { node_type, node_name, address } = newNode((added += 1));
      return eventOf({ method: 'POST', url: '/v1/nodes', body: { node_type, node_name, address } });
    },
    getVersion: () => version,
    authorizer: () => authorizerEvent(version),
  };
}

/**
 * Loads each bundle once per round, in another order each round. The result is the lower quartiles of each: other work of
 * the machine only adds to a time.
 */
async function loadAll(
  ids: readonly string[],
  rounds: number,
  loadOne: (id: string) => Promise<Loading>,
): Promise<Map<string, Loading>> {
  const loadings = new Map(ids.map((id): [string, Loading[]] => [id, []]));
  for (let round = -1; round < rounds; round += 1)
    for (const id of shuffled(ids)) {
      const loading = await loadOne(id);
      // The first round only warms the caches of files.
      if (round >= 0) loadings.get(id)?.push(loading);
    }
  const undisturbed = (all: readonly Loading[], of: keyof Loading) =>
    quantile(
      all.map((bundle) => bundle[of]),
      0.25,
    );
  return new Map(
    [...loadings].map(([id, all]) => [id, { load: undisturbed(all, 'load'), both: undisturbed(all, 'both') }]),
  );
}

function loadTable(times: ReadonlyMap<string, Loading>, events: Events, targets: Targets): string {
  const none = { load: Number.NaN, both: Number.NaN };
  const of = (baseline: keyof typeof baselines) => times.get(idOf(baseline)) ?? none;
  const trimmed = of('trimmed');
  const target = (id: string, value: number) =>
    firstRequests.has(id)
      ? targets.add({ name: `${id} and its first request, over the call alone`, value, limit: { atMost: MOST_FIRST } })
      : '';
  const rows = [...times]
    .sort(([, left], [, right]) => right.load - left.load)
    .map(([id, { load: loading, both }]) => {
      const hasRequest = Object.hasOwn(events, id);
      return [
        id,
        loading.toFixed(1),
        ratio(loading / of('client').load),
        ratio(loading / trimmed.load),
        hasRequest ? both.toFixed(1) : '',
        hasRequest ? ratio(both / of('client').both) : '',
        hasRequest ? ratio(both / trimmed.both) : '',
        target(id, both / trimmed.both),
      ];
    });
  const head = ['bundle', 'load: CPU ms', 'to client only', 'to client trimmed alike'];
  const first = ['load and first request: CPU ms', 'to client only', 'to client trimmed alike', 'target'];
  return table([...head, ...first], rows);
}

export async function loadSection(size: Size, targets: Targets): Promise<string> {
  const { dependencies, environment, stop } = await startInventory();
  try {
    return await inFolder(async (folder) => {
      const bytes = await bundleAll(folder);
      const events = await eventsFor(dependencies);
      const ids = [...bytes.keys()].filter((id) => size !== quickSize || Object.hasOwn(events, id));
      const times = await loadAll(ids, size.loads, (id) =>
        load(join(folder, id, 'index.mjs'), environment, events[id]?.()),
      );
      return loadTable(times, events, targets);
    });
  } finally {
    await stop();
  }
}
