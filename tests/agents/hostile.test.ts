import { addHost } from '../support/add.ts';
import { type AgentServer, startAgentServer } from '../support/agent-server.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { passingTime } from '../support/passing-time.ts';
import { PmmAgent } from '../support/pmm-agent.ts';
import { encode } from '../support/protobuf.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';

let inventory: Inventory;
let server: AgentServer;
let folder: string;
let clock: ManualClock;
let healthy: PmmAgent;

const { during } = passingTime(
  () => clock,
  () => server.pending > 0,
);

async function start(): Promise<PmmAgent> {
  const { pmmAgentId: id } = await addHost(inventory);
  const authorization = `Bearer ${inventory.keys.Editor}`;
  const agent = new PmmAgent({ port: server.port, generation: 3, id, authorization });
  await during(agent.connected);
  return agent;
}

beforeAll(async () => {
  [inventory, folder, clock] = [await startInventory(), await newDataDir(), manualClock()];
  server = await startAgentServer(inventory, folder, { monotonic: clock });
  healthy = await start();
});
afterEach(async () => {
  // Each of these concerns its own stream alone.
  await healthy.ask(2);
});
afterAll(async () => {
  healthy.close();
  await clock.passUntil(server.stop());
  await inventory.stop();
  await removeDataDir(folder);
});

const header = (length: number, flag = 0) =>
  Buffer.from([flag, ...[24, 16, 8, 0].map((shift) => (length >>> shift) & 255)]);

test.each([
  ['bytes that are no message', Buffer.concat([header(3), Buffer.from([0xff, 0xff, 0xff])]), 14],
  ['a length of 4 GB', header(0xffff_ffff), 8],
  ['a compressed message', Buffer.concat([header(1, 1), Buffer.from('x')]), 12],
  ['a large message', Buffer.concat([header(100_000), Buffer.alloc(100_000, 0x0a)]), 8],
])('%s ends the stream', async (_, bytes, code) => {
  const agent = await start();
  agent.writeRaw(bytes);
  expect(await during(agent.ended)).toMatchObject({ code, message: expect.stringMatching(/./) });
});

test('too many messages end the stream', async () => {
  const agent = await start();
  for (let index = 0; index < 1000; index += 1) void agent.ask(2);
  expect(await during(agent.ended)).toEqual({ code: 8, message: 'Too many messages.' });
});

test('unknown payloads are answered, query analytics acknowledged, and the stream stays', async () => {
  const agent = await start();
  await agent.ask(60, Buffer.from('x'));
  await agent.ask(4, encode([[1, 'a bucket']]));
  await agent.ask(4, Buffer.alloc(3_000_000, 0x0a));
  await agent.ask(5, encode([[1, 'an action']]));
  await agent.ask(2);
  agent.close();
});

test('an unrequested reply, an unknown status and an answer to nothing are ignored', async () => {
  const agent = await start();
  agent.answerUnasked();
  agent.write(
    encode([
      [1, 9],
      [2047, encode([[1, 12]])],
    ]),
  );
  agent.write(encode([[16, Buffer.alloc(0)]]));
  await agent.ask(
    3,
    encode([
      [1, 'an agent'],
      [2, 99],
    ]),
  );
  await agent.ask(
    3,
    encode([
      [1, 'an agent of nobody'],
      [2, 2],
      [3, 70_000],
    ]),
  );
  await agent.ask(2);
  agent.close();
});

test('many agents connect at once', async () => {
  const agents = await Promise.all(Array.from({ length: 40 }, start));
  await Promise.all(agents.map((agent) => agent.ask(2)));
  for (const agent of agents) agent.close();
  await during(Promise.all(agents.map((agent) => agent.ended)));
});
