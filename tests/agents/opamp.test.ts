/** OpAMP on WebSockets: the local server with its agent gateway, and an inventory of this process. */
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { newEnrolmentTokenSecret } from '../../shared/auth/api-key-text.ts';
import { refusalMessages } from '../../shared/auth/refusal-messages.ts';
import { type AgentServer, startAgentServer } from '../support/agent-server.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { passingTime } from '../support/passing-time.ts';
import { collector, enrolled } from '../support/opamp.ts';
import { OpampSocket, RefusedSocket } from '../support/opamp-socket.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import type { Gateway } from '../../local/gateway/gateway.ts';

/** By the clock of the service. */
const START = new Date('2026-06-01T12:00:00Z');

let folder: string;
let inventory: Inventory;
let server: AgentServer;
/** Of the gateway. */
let clock: ManualClock;
/** The reply of the service while it is away. */
let outage: Awaited<ReturnType<Gateway>> | undefined;
/** Messages that the gateway forwards, with their credentials, and the times at which it has taken their replies. */
const forwarded = new EventEmitter<{ message: [authorization: string | undefined, source: string]; taken: [] }>();
const requests = new Map<string | undefined, number>();

const through =
  (gateway: Gateway): Gateway =>
  async (request) => {
    if (request.method === 'POST' && request.url === '/v1/opamp') {
      const [, authorization] = request.rawHeaders;
      requests.set(authorization, (requests.get(authorization) ?? 0) + 1);
      forwarded.emit('message', authorization, request.sourceIp);
    }
    const reply = outage ?? (await gateway(request));
    // After the microtasks of the gateway.
    setImmediate(() => setImmediate(() => forwarded.emit('taken')));
    return reply;
  };

beforeAll(async () => {
  [inventory, folder, clock] = [await startInventory(), await newDataDir(), manualClock()];
  inventory.clock.now = START;
  server = await startAgentServer(inventory, folder, { monotonic: clock, through });
});
const open = new Set<OpampSocket>();
afterEach(() => {
  for (const agent of open) agent.close();
  open.clear();
  outage = undefined;
});
afterAll(async () => {
  await clock.passUntil(server.stop());
  await inventory.stop();
  await removeDataDir(folder);
});

/** Lets time pass for the service and for the gateway. */
function pass(milliseconds: number): void {
  clock.skip(milliseconds);
  inventory.clock.now = new Date(START.getTime() + clock.now());
}

const { until, during } = passingTime(
  () => clock,
  () => server.pending > 0,
);

type Options = Partial<Parameters<typeof OpampSocket.connect>[0]>;

async function connect(key: string, more: Options = {}): Promise<OpampSocket> {
  const base = `wss://127.0.0.1:${server.port}`;
  const agent = await OpampSocket.connect({ base, authorization: `Bearer ${key}`, ...more });
  open.add(agent);
  return agent;
}

const started = { agentDescription: collector('web-1'), health: { healthy: true } };

/** A host whose collector has connected. */
async function host(more: Options = {}) {
  const { nodeId, key } = await enrolled(inventory);
  const agent = await connect(key, more);
  expect((await agent.ask(started)).errorResponse).toBeUndefined();
  return { nodeId, key, agent };
}

const collectorOf = async (nodeId: string) => {
  const path = `/v1/agents?runs_on_node_id=${nodeId}&agent_type=otel_collector&include=state`;
  return (await inventory.request('GET', path)).body.agents[0];
};

const refusalOf = (refused: Promise<OpampSocket>): Promise<RefusedSocket> =>
  refused.then(
    () => Promise.reject(new Error('connected')),
    (error: unknown) => {
      if (error instanceof RefusedSocket) return error;
      throw error;
    },
  );

test("each frame is one request with the agent's credential and address, and its reply is a frame", async () => {
  const { nodeId, key } = await enrolled(inventory);
  const agent = await connect(key);
  const sent = once(forwarded, 'message');
  const reply = await agent.ask(started);
  expect(await sent).toEqual([`Bearer ${key}`, '127.0.0.1']);
  expect(Buffer.from(reply.instanceUid)).toEqual(Buffer.from(agent.uid));
  expect(await collectorOf(nodeId)).toMatchObject({ status: 'running', state: 'live', connected: true });
  await agent.ask({ health: { healthy: false, lastError: 'no route' } });
  expect(await collectorOf(nodeId)).toMatchObject({ status: 'waiting', status_reason: 'no route' });
});

test.each([
  ['no credential', undefined, 401, 'Unauthorized'],
  ['a wrong key', 'Bearer minv_wrong', 401, 'Invalid API key'],
  ['an enrolment token', `Bearer ${newEnrolmentTokenSecret(randomBytes)}`, 401, refusalMessages.token],
])('%s is refused before the connection is established', async (_, authorization, status, message) => {
  const base = `wss://127.0.0.1:${server.port}`;
  const refused = await refusalOf(OpampSocket.connect({ base, authorization }));
  expect([refused.status, JSON.parse(refused.message)]).toEqual([status, expect.objectContaining({ message })]);
});

test.each(['Viewer', 'Relay', 'Gateway'] as const)('a %s may not connect', async (role) => {
  expect((await refusalOf(connect(inventory.keys[role]))).status).toBe(403);
});

test('browsers may not connect, also with a remembered credential', async () => {
  const headers = { Origin: 'https://attacker.example.com' };
  expect((await refusalOf(connect(inventory.keys.Editor, { headers }))).status).toBe(403);
});

test('other paths, and other requests at this path, are unchanged requests', async () => {
  expect((await refusalOf(connect(inventory.keys.Editor, { path: '/v1/nodes' }))).status).toBe(200);
  expect((await refusalOf(connect(inventory.keys.Editor, { path: '/nothing' }))).status).toBe(404);
  const base = `https://127.0.0.1:${server.port}`;
  const headers = { Authorization: `Bearer ${inventory.keys.Editor}` };
  expect((await https(base, 'GET', '/v1/opamp', { headers })).status).toBe(404);
  expect((await https(base, 'GET', '/v1/caller', { headers })).status).toBe(200);
});

test('while the service is away, connections are refused with a time to wait', async () => {
  outage = { statusCode: 503, headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const { status, headers } = await refusalOf(connect(inventory.keys.Editor));
  expect([status, Number(headers['retry-after'])]).toEqual([503, expect.any(Number)]);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(5);
});

test('a silent agent stays live for an hour through its connection, and calls the service at its interval', async () => {
  const { nodeId, key, agent } = await host();
  for (let minutes = 0; minutes < 60; minutes += 4) {
    pass(240_000);
    await during(agent.next());
    expect(await collectorOf(nodeId)).toMatchObject({ state: 'live', connected: true });
  }
  // And its first message.
  expect(requests.get(`Bearer ${key}`)).toBe(16);
});

test("an agent's node is stale 15 s after a lost connection, unless it has returned", async () => {
  const [gone, back] = [await host(), await host()];
  gone.agent.close();
  back.agent.close();
  await Promise.all([gone.agent.closed, back.agent.closed]);
  const again = await connect(back.key);
  await again.ask(started);
  const sent = once(forwarded, 'message');
  pass(20_000);
  await during(sent);
  await until(async () => (await collectorOf(gone.nodeId)).state === 'stale');
  // Later looks find nothing more that is due.
  await clock.pass(5000);
  expect(await collectorOf(back.nodeId)).toMatchObject({ state: 'live', connected: true });
});

test('a removed key loses its connection with its next message', async () => {
  const { key, agent } = await host();
  const { body } = await inventory.request('GET', '/v1/caller', {
    as: null,
    headers: { Authorization: `Bearer ${key}` },
  });
  expect((await inventory.request('DELETE', `/v1/api-keys/${body.id}`)).status).toBe(204);
  pass(300_000);
  expect(await during(agent.closed)).toEqual([1008, 'Invalid API key']);
  expect(agent.replies.at(-1)?.errorResponse).toMatchObject({ type: 1, errorMessage: 'Invalid API key' });
  expect((await refusalOf(connect(key))).status).toBe(401);
});

test("during an hour's outage connections stay, messages get the time to wait, and all is stored afterwards", async () => {
  const { nodeId, agent } = await host();
  outage = { statusCode: 503, headers: { 'Content-Type': 'application/json', 'Retry-After': '20' }, body: '{}' };
  const { errorResponse } = await agent.ask({ health: { healthy: false, lastError: 'lost' } });
  expect([errorResponse?.type, errorResponse?.retryInfo?.retryAfterNanoseconds]).toEqual([2, 20_000_000_000n]);
  for (let minutes = 0; minutes < 60; minutes += 6) {
    const taken = once(forwarded, 'taken');
    pass(360_000);
    await during(taken);
  }
  expect((await collectorOf(nodeId)).state).not.toBe('live');
  outage = undefined;
  pass(360_000);
  // The service asks for what was lost.
  expect((await during(agent.next())).flags).toBe(1n);
  await agent.ask({ ...started, health: { healthy: false, lastError: 'lost' } });
  expect(await collectorOf(nodeId)).toMatchObject({ state: 'live', status: 'waiting', status_reason: 'lost' });
});

test('the eleventh message of a minute gets the time to wait without a request', async () => {
  const { key, agent } = await host();
  for (let count = 0; count < 9; count += 1) expect((await agent.ask()).errorResponse).toBeUndefined();
  expect((await agent.ask()).errorResponse?.type).toBe(2);
  for (let count = 0; count < 5; count += 1) expect((await agent.ask()).errorResponse?.type).toBe(2);
  expect(requests.get(`Bearer ${key}`)).toBe(11);
});

test('an agent gets another uid, and the gateway reports under it', async () => {
  const { nodeId, agent } = await host();
  const { agentIdentification } = await agent.ask({ flags: 1n });
  agent.uid = agentIdentification?.newInstanceUid ?? new Uint8Array();
  pass(300_000);
  const { flags } = await during(agent.next());
  expect([flags, agent.uid.length]).toEqual([0n, 16]);
  expect(await collectorOf(nodeId)).toMatchObject({ state: 'live' });
});

test.each([
  ['text', 'hello', 1003],
  ['more than 5 MB', new Uint8Array(5 * 1024 * 1024 + 1), 1009],
])('%s ends the connection', async (_, frame, code) => {
  const { agent } = await host();
  agent.sendFrame(frame);
  expect((await during(agent.closed))[0]).toBe(code);
});

test('a message of 5 MB is served, without its configuration', async () => {
  const { agent } = await host();
  const size = 5 * 1024 * 1024 - 200;
  // effective_config: field 6, with a length of four bytes.
  const length = [0x80 | (size & 0x7f), 0x80 | ((size >> 7) & 0x7f), 0x80 | ((size >> 14) & 0x7f), size >> 21];
  agent.sendFrame(Buffer.concat([agent.frame(), Buffer.from([0x32, ...length]), Buffer.alloc(size, 97)]));
  expect((await agent.next()).errorResponse).toBeUndefined();
});

test.each([
  ['another header', new Uint8Array([1, 0]), 'A message must begin with the header 0.'],
  ['no message', new Uint8Array([0, 0xff, 0xff]), 'The frame contains no AgentToServer message.'],
  ['a short uid', new Uint8Array([0, 0x0a, 1, 1]), 'The instance uid must have 16 bytes.'],
])('%s is refused with a message, and the connection stays', async (_, frame, message) => {
  const { agent } = await host();
  agent.sendFrame(frame);
  expect((await agent.next()).errorResponse).toMatchObject({ type: 1, errorMessage: message });
  expect((await agent.ask()).errorResponse).toBeUndefined();
});

test('more messages than an agent may send ahead end its connection, and other agents are served', async () => {
  const [loud, other] = [await host(), await host()];
  for (let count = 0; count < 300; count += 1) loud.agent.sendFrame(new Uint8Array([0]));
  expect((await during(loud.agent.closed))[0]).toBe(1008);
  expect((await other.agent.ask()).errorResponse).toBeUndefined();
});
