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
import { bundleFunctions, bundleOptions, entryPoints, wholeSdkOptions } from '../../infra/assets/bundle.ts';
import { authorizerEvent } from '../../local/proxy-event.ts';
import { eventOf } from '../../tests/costs/invocation.ts';
import { newKey, startInventory } from '../inventory.ts';
import { newNode, putNodes } from '../nodes.ts';
import { ratio, table, verdict } from '../report.ts';
import { quickSize, type Size } from '../size.ts';
import { median, shuffled } from '../statistics.ts';

const MOST_BYTES = 420_000;
const MOST_LOAD = 1.25;

/** What the functions are compared with, and how it is built: the client also with the whole SDK, as it comes. */
const baselines = {
  empty: { source: 'empty', options: bundleOptions },
  client: { source: 'dynamodb-client', options: wholeSdkOptions },
  trimmed: { source: 'dynamodb-client', options: bundleOptions },
} as const;

const idOf = (baseline: keyof typeof baselines) => `baseline-${baseline}`;

/** Bytes by folder. */
async function bundleAll(folder: string): Promise<Map<string, number>> {
  const built = [await bundleFunctions(folder)];
  for (const baseline of ['empty', 'client', 'trimmed'] as const) {
    const { source, options } = baselines[baseline];
    const entry = fileURLToPath(new URL(`../baseline/${source}.ts`, import.meta.url));
    const entryPoints = { [`${idOf(baseline)}/index`]: entry };
    built.push((await build({ ...options, entryPoints, outdir: folder, metafile: true })).metafile);
  }
  const files = built.flatMap(({ outputs }) => Object.entries(outputs)).filter(([file]) => file.endsWith('.mjs'));
  return new Map(files.map(([file, { bytes }]) => [basename(dirname(file)), bytes]));
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function bundleSection(): Promise<string> {
  const bytes = await inFolder(bundleAll);
  const [client, trimmed] = [bytes.get(idOf('client')) ?? Number.NaN, bytes.get(idOf('trimmed')) ?? Number.NaN];
  const rows = [...bytes]
    .sort(([, left], [, right]) => right - left)
    .map(([id, size]) => [
      id,
      size,
      ratio(size / client),
      ratio(size / trimmed),
      Object.hasOwn(entryPoints, id) ? verdict(size / 1000, MOST_BYTES / 1000, ' kB') : 'baseline',
    ]);
  return table(['bundle', 'bytes', 'to client only', 'to client trimmed alike', 'target'], rows);
}

/**
 * Loads one bundle in a fresh process, and calls it once when there is an event. Prints the processor time of both, all
 * threads together, and the time that loading took, in milliseconds. Processor time is what counts on Lambda, where a
 * small function gets a fraction of a processor; and it hardly changes when the machine has other things to do.
 */
const child = `
  // Lambda's own runtime client has these before the function is loaded (aws-lambda-ric 4).
  for (const name of ['http', 'stream', 'events', 'util', 'fs', 'path', 'module', 'async_hooks', 'crypto'])
    process.getBuiltinModule(name);
  const [file, event] = process.argv.slice(1);
  const milliseconds = ({ user, system }) => (user + system) / 1000;
  const start = performance.now();
  const before = process.cpuUsage();
  const { handler } = await import(file);
  const load = milliseconds(process.cpuUsage(before));
  const wall = performance.now() - start;
  if (event !== undefined) await handler(JSON.parse(event), {});
  process.stdout.write(JSON.stringify({ load, wall, both: milliseconds(process.cpuUsage(before)) }));
`;

const loadingSchema = z.object({ load: z.number(), wall: z.number(), both: z.number() });

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

export async function loadSection(size: Size): Promise<string> {
  const { loads } = size;
  const { dependencies, environment, stop } = await startInventory();
  try {
    return await inFolder(async (folder) => {
      const bytes = await bundleAll(folder);
      const node = newNode(1);
      await putNodes(dependencies.table, [node, ...Array.from({ length: 99 }, (_, index) => newNode(2 + index))]);
      const { text: key } = await newKey(dependencies.table);
      const version = eventOf({ method: 'GET', url: '/v1/version', headers: { Authorization: `Bearer ${key}` } });
      let added = 1000;
      const events: Record<string, () => unknown> = {
        [idOf('empty')]: () => ({}),
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

      const ids = [...bytes.keys()].filter((id) => size !== quickSize || Object.hasOwn(events, id));
      const loadings = new Map(ids.map((id): [string, Loading[]] => [id, []]));
      for (let round = -1; round < loads; round += 1) {
        for (const id of shuffled(ids)) {
          const loading = await load(join(folder, id, 'index.mjs'), environment, events[id]?.());
          // The first round only warms the caches of files.
          if (round >= 0) loadings.get(id)?.push(loading);
        }
      }
      const medians = [...loadings].map(([id, all]) => ({
        id,
        load: median(all.map((one) => one.load)),
        wall: median(all.map((one) => one.wall)),
        both: median(all.map((one) => one.both)),
      }));
      const none = { load: Number.NaN, wall: Number.NaN, both: Number.NaN };
      const of = (baseline: keyof typeof baselines) => medians.find(({ id }) => id === idOf(baseline)) ?? none;
      const rows = medians
        .sort((left, right) => right.load - left.load)
        .map(({ id, load: loading, wall, both }) => {
          const target = (times: number) => (Object.hasOwn(entryPoints, id) ? verdict(times, MOST_LOAD) : 'baseline');
          const hasRequest = Object.hasOwn(events, id);
          return [
            id,
            loading.toFixed(1),
            wall.toFixed(1),
            ratio(loading / of('empty').load),
            ratio(loading / of('client').load),
            target(loading / of('client').load),
            ratio(loading / of('trimmed').load),
            target(loading / of('trimmed').load),
            hasRequest ? both.toFixed(1) : '',
            hasRequest ? ratio(both / of('client').both) : '',
          ];
        });
      return table(
        [
          'bundle',
          'load: CPU ms',
          'wall ms',
          'to empty',
          'to client only',
          'target',
          'to client trimmed alike',
          'target',
          'load and first request: CPU ms',
          'to client only',
        ],
        rows,
      );
    });
  } finally {
    await stop();
  }
}
