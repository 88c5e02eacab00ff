/** 10,000 targets, from the function as it is deployed: its bundle, in a process of its own with the heap of its memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { build } from 'esbuild';
import { newMachine } from './support/machine.ts';
import { putObjectsAlone } from './support/stored-objects.ts';
import { bundleOptions, entryPoints } from '../infra/assets/bundle.ts';
import { MEMORY_MB } from '../infra/functions/function-size.ts';
import { startEngine } from '../local/engine/engine.ts';
import type { Engine } from '../local/engine/engine-type.ts';
import { ensureTable } from '../local/engine/table.ts';
import { eventOf } from './costs/invocation.ts';
import { type EngineServer, serveEngine } from './support/engine-http.ts';

const TARGETS = 10_000;

const MEGABYTE = 1024 * 1024;

/** What a function can return. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LAMBDA_BYTES = 6 * MEGABYTE;

/** What the gateway can pass on. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const GATEWAY_BYTES = 10 * MEGABYTE;

const TABLE = 'large-discovery';

let folder: string;
let engine: Engine;
let server: EngineServer;
/** The agents that must be found, each where it listens. */
let expected: Map<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-discovery-'));
  const bundled = build({ ...bundleOptions, entryPoints: [entryPoints['discoverTargets']!], outfile: bundle() });
  engine = await startEngine({ environment: process.env });
  server = await serveEngine(engine);
  const table = engine.open(TABLE);
  await ensureTable(table);
  const machines = Array.from({ length: TARGETS / 2 }, (_, number) => newMachine(number));
  // Agents that do not listen are of a type that the function does not read.
  const read = machines.flat().filter(({ kind, object }) => kind !== 'agent' || object['listen_port'] !== undefined);
  await Promise.all([putObjectsAlone(table, read), bundled]);
  table.client.destroy();
  expected = new Map(
    machines.flatMap((objects) => {
      const address = objects.flatMap((object) => (object.kind === 'node' ? [object.object.address] : []))[0]!;
      return objects.flatMap(({ kind, object }) =>
        kind === 'agent' && typeof object['listen_port'] === 'number'
          ? [[object.agent_id, `${address}:${object['listen_port']}`] as const]
          : [],
      );
    }),
  );
  expect(expected.size).toBe(TARGETS);
});

afterAll(async () => {
  await server.stop();
  await engine.stop();
  await rm(folder, { recursive: true });
});

const bundle = () => join(folder, 'index.mjs');

/** Calls the function once, as Lambda does, and prints what Lambda would carry. */
const child = `
  const [file] = process.argv.slice(1);
  const { handler } = await import(file);
  const event = JSON.parse(await new Response(process.stdin).text());
  const result = await handler(event, {});
  process.stdout.write(JSON.stringify(result), () => process.exit());
`;

interface InvocationResult {
  result: APIGatewayProxyResult;
  /** In Lambda's envelope. */
  lambdaBytes: number;
}

async function invoke(query: string, headers: Record<string, string>): Promise<InvocationResult> {
  const event = eventOf({ method: 'GET', url: `/v1/discovery/prometheus${query}`, headers });
  const file = pathToFileURL(bundle()).href;
  const heap = `--max-old-space-size=${Math.floor(MEMORY_MB * 0.9)}`;
  const node = spawn(process.execPath, [heap, '--input-type=module', '-e', child, file], {
    env: {
      TABLE_NAME: TABLE,
      SERVICE_VERSION: '0.0.0',
      BUILD_COMMIT: 'test',
      BUILD_TIME: '2026-01-01T00:00:00.000Z',
      LOG_LEVEL: 'error',
      AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  node.stdin.end(JSON.stringify(event));
  const [printed, [code]] = await Promise.all([text(node.stdout), once(node, 'exit')]);
  expect(code).toBe(0);
  return { result: JSON.parse(printed), lambdaBytes: Buffer.byteLength(printed) };
}

/** What the gateway passes on, and the targets in it; the reply must be whole, and within both limits. */
function targetsIn({ result, lambdaBytes }: InvocationResult): Map<string, string> {
  expect(result.statusCode).toBe(200);
  expect(lambdaBytes).toBeLessThanOrEqual(LAMBDA_BYTES);
  const sent = Buffer.from(result.body, result.isBase64Encoded === true ? 'base64' : 'utf8');
  expect(sent.length).toBeLessThanOrEqual(GATEWAY_BYTES);
  const groups: { targets: string[]; labels: Record<string, string> }[] = JSON.parse(
    (result.isBase64Encoded === true ? gunzipSync(sent) : sent).toString(),
  );
  for (const { labels } of groups)
    expect(labels).toMatchObject({ __scheme__: 'http', __meta_inventory_label_team: 'payments' });
  const targetsByAgent = new Map(
    groups.map(({ targets, labels }) => [labels['__meta_inventory_agent_id']!, targets.join()]),
  );
  expect(targetsByAgent.size).toBe(groups.length);
  return targetsByAgent;
}

test('a client that accepts gzip gets all targets, compressed in the function', async () => {
  const carried = await invoke('', { 'Accept-Encoding': 'gzip' });
  expect(carried.result).toMatchObject({
    isBase64Encoded: true,
    headers: { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding', 'Content-Type': 'application/json' },
  });
  expect(targetsIn(carried)).toEqual(expected);
});

test('a client that does not accept gzip gets an error, never a part of the list', async () => {
  const { result, lambdaBytes } = await invoke('', {});
  expect(result.statusCode).toBe(413);
  expect(JSON.parse(result.body)).toMatchObject({ code: 8, status: 'RESOURCE_EXHAUSTED' });
  expect(lambdaBytes).toBeLessThan(2000);
});

test('the documented parts are within the limits without compression, and complete together', async () => {
  const docs = await readFile(new URL('../docs/large-discovery.md', import.meta.url), 'utf8');
  const queries = [...docs.matchAll(/^ +- url: \S+\/v1\/discovery\/prometheus(\?shard=\S+)$/gm)].map(
    ([, query = '']) => query,
  );
  expect(queries).toEqual(['?shard=0/2', '?shard=1/2']);
  const carried = await Promise.all(queries.map((query) => invoke(query, { 'Accept-Encoding': 'identity' })));
  const [first, second] = carried.map(targetsIn);
  expect(first!.size + second!.size).toBe(TARGETS);
  expect(new Map([...first!, ...second!])).toEqual(expected);
});

test('each of 16 parts has about a sixteenth, and they are complete together', async () => {
  const targetsByAgent = new Map<string, string>();
  for (let index = 0; index < 16; index += 1) {
    const part = targetsIn(await invoke(`?shard=${index}/16`, {}));
    expect(part.size).toBeGreaterThan(TARGETS / 32);
    expect(part.size).toBeLessThan(TARGETS / 8);
    for (const [agentId, address] of part) {
      expect(targetsByAgent.has(agentId)).toBe(false);
      targetsByAgent.set(agentId, address);
    }
  }
  expect(targetsByAgent).toEqual(expected);
});
