import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import type { LogEntry } from '../../shared/core/log.ts';
import { comesTrue, isPending, type ManualClock, manualClock } from '../../tests/support/manual-clock.ts';
import { PmmAgent } from '../../tests/support/pmm-agent.ts';
import { type RunningContainer, startContainer } from './container.ts';
import { readContainerSettings } from './settings.ts';

let api: Server;
/** Whether the service answers. */
let isAway: boolean;
/** The paths of its requests. */
let asked: string[];
let folder: string;
let keyFile: string;
let clock: ManualClock;
let logged: LogEntry[];
let written: string[];
let container: RunningContainer | undefined;
const agents = new Set<PmmAgent>();

const replies: Record<string, (body: any) => object> = {
  '/live/v1/changes': () => ({ changes: [], next: 'c', more: false }),
  '/live/v1/gateway/admissions': ({ admissions }) => ({
    results: admissions.map(() => ({ status: 200, node_id: 'n', node_name: 'host', agents: [], services: [] })),
  }),
  '/live/v1/reports': ({ reports }) => ({
    results: reports.map(() => ({ status: 200, report: { report_after_seconds: 86_400, refused: [] } })),
  }),
};

beforeEach(async () => {
  [isAway, asked, logged, written, clock] = [false, [], [], [], manualClock()];
  folder = await mkdtemp(join(tmpdir(), 'gateway-'));
  keyFile = join(folder, 'key');
  await writeFile(keyFile, newApiKeySecret(randomBytes));
  api = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    void text(request).then((body) => {
      asked.push(path);
      response.statusCode = isAway ? 500 : 200;
      response.end(JSON.stringify(replies[path]?.(body === '' ? {} : JSON.parse(body)) ?? {}));
    });
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  for (const agent of agents) agent.close();
  agents.clear();
  if (container !== undefined) await clock.passUntil(container.stop(0));
  container = undefined;
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true });
});

async function start(more: Record<string, string> = {}): Promise<RunningContainer> {
  const environment = {
    ...{ API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}/live`, KEY_FILE: keyFile },
    ...{ HOST: '127.0.0.1', PORT: '0', HEALTH_PORT: '0', ...more },
  };
  container = await startContainer(readContainerSettings(environment), {
    log: (entry) => logged.push(entry),
    write: (line) => written.push(line),
    ...{ clock: () => new Date(clock.now()), monotonic: clock },
  });
  return container;
}

async function health({ healthPort }: RunningContainer, method = 'GET', path = '/healthz') {
  const response = await fetch(`http://127.0.0.1:${healthPort}${path}`, { method });
  return [response.status, (await response.text()).trim()];
}

/** How long an agent may take to read the end of its stream. */
const LINGER_MS = 500;

const feedReads = () => asked.filter((path) => path === '/live/v1/changes').length;

/** An agent that has connected. */
async function connected({ port }: RunningContainer, id: string): Promise<PmmAgent> {
  const agent = new PmmAgent({ ...{ port, id, generation: 3, plain: true }, authorization: 'Bearer key' });
  agents.add(agent);
  let isConnected = false;
  void agent.connected.then(() => (isConnected = true));
  const passes = () => {
    // Admissions wait for others for a moment.
    clock.advance(0.05);
    return isConnected;
  };
  expect(await comesTrue(passes)).toBe(true);
  return agent;
}

/** The end of a stream that the gateway has ended now. The agent does not end its side, and loses it a little later. */
async function endOf(agent: PmmAgent) {
  // A few turns of the event loop would not do: on a busy machine the sockets take more, and then nothing moves the clock.
  expect(await comesTrue(() => agent.isToldEnd)).toBe(true);
  clock.advance(LINGER_MS);
  return agent.ended;
}

/** The number of a ping in a message of an agent. */
const PING = 2;

/**
 * A minute in which the agents answer each ping of the gateway. With the clock alone, the pings of a minute and their time limits
 * would take a hundred turns of the event loop, and on a busy machine the sockets take more.
 */
async function passMinute(answering: readonly PmmAgent[]): Promise<void> {
  for (let part = 0; part < 3; part += 1) {
    await clock.pass(20_000);
    // An agent that has the first reply has answered earlier pings; the gateway has read that before it sends the second one.
    for (let turn = 0; turn < 2; turn += 1) await Promise.all(answering.map((agent) => agent.ask(PING)));
  }
}

test('is ready once it follows the change feed, which it retries every five seconds', async () => {
  isAway = true;
  const running = await start();
  const failures = () => logged.filter(({ message }) => message === 'the change feed cannot be followed').length;
  expect(await comesTrue(() => failures() === 1)).toBe(true);
  expect(await health(running)).toEqual([503, 'the change feed is not followed']);
  isAway = false;
  clock.advance(4999);
  expect([feedReads(), failures()]).toEqual([1, 1]);
  clock.advance(1);
  expect(await comesTrue(() => feedReads() === 2)).toBe(true);
  expect(await comesTrue(() => asked.length === 2)).toBe(true);
  let told: unknown[] = [];
  for (let turn = 0; turn < 100 && told[0] !== 200; turn += 1) told = await health(running);
  expect([told, failures()]).toEqual([[200, 'ok'], 1]);
});

test('without a key it is ready and reports that, until an operator stores one', async () => {
  await writeFile(keyFile, '');
  const running = await start();
  expect(await comesTrue(() => logged.length === 1)).toBe(true);
  expect([await health(running), asked]).toEqual([[200, 'no key is stored yet'], []]);
  await writeFile(keyFile, newApiKeySecret(randomBytes));
  clock.advance(5000);
  let told: unknown[] = [];
  for (let turn = 0; turn < 1000 && told[1] !== 'ok'; turn += 1) told = await health(running);
  expect(told).toEqual([200, 'ok']);
});

test('a stop spreads the ends of the streams, serves them until then, and finishes after them', async () => {
  const running = await start();
  const [first, second] = [await connected(running, 'p-1'), await connected(running, 'p-2')];
  const stopped = running.stop(10_000);
  expect(await endOf(first)).toEqual({ code: 14, message: 'The server stops. Try again.' });
  clock.advance(4999 - LINGER_MS);
  expect(await health(running)).toEqual([503, 'draining']);
  expect([await isPending(second.ended), await isPending(stopped)]).toEqual([true, true]);
  clock.advance(1);
  expect(await endOf(second)).toMatchObject({ code: 14 });
  container = undefined;
  await clock.passUntil(stopped);
  expect(logged).toContainEqual({ level: 'info', message: 'draining', streams: 2, seconds: 10 });
  await expect(health(running)).rejects.toThrow();
});

test('a drain for a deployment ends the streams over ten minutes, however often requested, and accepts no connections', async () => {
  const running = await start();
  const [first, second] = [await connected(running, 'p-1'), await connected(running, 'p-2')];
  expect(await health(running, 'POST', '/drain')).toEqual([202, 'draining']);
  await endOf(first);
  expect(await health(running, 'POST', '/drain')).toEqual([202, 'draining']);
  clock.advance(20_000);
  await expect(fetch(`http://127.0.0.1:${running.port}/v1/readyz`)).rejects.toThrow();
  expect(await isPending(second.ended)).toBe(true);
  expect(logged.filter(({ message }) => message === 'draining')).toEqual([
    { level: 'info', message: 'draining', streams: 2, seconds: 600 },
  ]);
});

test('prints its metrics every minute: a loss of streams for five minutes, refusals once, and nothing while draining', async () => {
  const running = await start({ METRICS_NAMESPACE: 'inventory' });
  let many: PmmAgent[] = [];
  for (let index = 0; index < 20; index += 1) many.push(await connected(running, `p-${index}`));
  const refused = new PmmAgent({ port: running.port, id: 'p', generation: 3, plain: true });
  refused.connected.catch(() => undefined);
  agents.add(refused);
  let isRefused = false;
  void refused.ended.then(() => (isRefused = true));
  expect(await comesTrue(() => (clock.advance(0.05), isRefused))).toBe(true);
  const minutes = async () => {
    const before = written.length;
    await passMinute(many);
    return written.slice(before).map((line) => {
      const { Streams, RefusedAdmissions, StreamsFall, _aws } = JSON.parse(line);
      return [_aws.CloudWatchMetrics[0].Namespace, Streams, RefusedAdmissions, StreamsFall];
    });
  };
  expect(await minutes()).toEqual([['inventory', 20, 1, 0]]);
  for (const agent of many.slice(5)) agent.close();
  many = many.slice(0, 5);
  expect(await comesTrue(() => logged.filter(({ message }) => message === 'an agent disconnected').length === 15)).toBe(
    true,
  );
  for (let minute = 0; minute < 5; minute += 1) expect(await minutes()).toEqual([['inventory', 5, 0, 75]]);
  expect(await minutes()).toEqual([['inventory', 5, 0, 0]]);
  await health(running, 'POST', '/drain');
  many = [];
  expect(await minutes()).toEqual([]);
});

test('without a namespace it prints nothing', async () => {
  await start();
  await clock.pass(180_000);
  expect(written).toEqual([]);
});
