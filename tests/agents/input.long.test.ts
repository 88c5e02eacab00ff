import { randomBytes, randomInt } from 'node:crypto';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { addHost } from '../support/add.ts';
import { startGatewayInProcess, type TestGateway } from '../support/agent-gateway.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { PmmAgent } from '../support/pmm-agent.ts';
import { encode, type WireField } from '../support/protobuf.ts';

/** Messages and frames in all. */
const INPUTS = 100_000;
const PER_STREAM = 200;

/** Of the memory in use, against that after a tenth of the inputs. */
const MAX_GROWTH = 1.05;

let inventory: Inventory;
let gateway: TestGateway;
let healthy: PmmAgent;

async function start(): Promise<PmmAgent> {
  const authorization = `Bearer ${inventory.keys.Editor}`;
  const agent = new PmmAgent({ port: gateway.port, plain: true, generation: 3, id: ids.pop()!, authorization });
  await agent.connected;
  return agent;
}

const ids: string[] = [];
beforeAll(async () => {
  inventory = await startInventory();
  gateway = await startGatewayInProcess(inventory);
  for (let index = 0; index < 5; index += 1) ids.push((await addHost(inventory)).pmmAgentId);
  healthy = await start();
}, 60_000);
afterAll(async () => {
  healthy.close();
  await gateway.stop();
  await inventory.stop();
});

const pick = <T>(...values: T[]): T => values[randomInt(values.length)]!;

function wholeMessage(): Buffer {
  const fields: WireField[] = Array.from({ length: randomInt(1, 5) }, () => [
    pick(1, 2, 3, 4, 5, 8, 9, 16, 17, 60, 2047, 5000),
    pick<number | Buffer>(randomInt(2 ** 31), randomBytes(randomInt(40)), encode([[1, randomInt(99)]])),
  ]);
  return encode(fields);
}

function randomMessage(): Buffer {
  const message = wholeMessage();
  return pick(message, message, message.subarray(0, randomInt(message.length + 1)), randomBytes(randomInt(200)));
}

function frameWith(message: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

function randomFrame(): Buffer {
  const message = randomMessage();
  const header = Buffer.alloc(5);
  header.writeUInt8(randomInt(20) === 0 ? randomInt(256) : 0);
  header.writeUInt32BE(randomInt(20) === 0 ? randomInt(2 ** 32 - 1) : message.length, 1);
  return Buffer.concat([header, message]);
}

/** Bytes of HTTP/2 without sense, after its preface or without it. */
async function randomConnection(): Promise<number> {
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  const frames = Array.from({ length: PER_STREAM }, () => {
    const payload = randomBytes(randomInt(60));
    const head = Buffer.alloc(9);
    head.writeUIntBE(randomInt(20) === 0 ? randomInt(2 ** 24) : payload.length, 0, 3);
    head.writeUInt8(randomInt(12), 3);
    head.writeUInt8(randomInt(256), 4);
    head.writeUInt32BE(randomInt(2 ** 31), 5);
    return Buffer.concat([head, payload]);
  });
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
  socket.write(Buffer.concat([pick(preface, randomBytes(24)), ...frames]));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume();
  await Promise.race([closed, pause(50)]);
  socket.resetAndDestroy();
  return frames.length;
}

/** A stream of an agent that answers nothing; half of them send whole messages only. */
async function randomStream(): Promise<number> {
  const session = connectHttp2(`http://127.0.0.1:${gateway.port}`).on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/agent.v1.AgentService/Connect',
    'content-type': 'application/grpc',
    authorization: `Bearer ${inventory.keys.Editor}`,
    'pmm-agent-id': pick(...ids),
    'pmm-agent-version': '3.4.1',
  });
  stream.on('error', () => undefined);
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.write(
    frameWith(
      encode([
        [1, 1],
        [2, Buffer.alloc(0)],
      ]),
    ),
  );
  await Promise.race([new Promise((resolve) => stream.once('response', resolve)), closed]);
  // The others never read.
  if (randomInt(4) > 0) stream.resume();
  const isWhole = randomInt(2) === 0;
  for (let index = 0; index < PER_STREAM && !stream.destroyed; index += 1)
    stream.write(isWhole ? frameWith(wholeMessage()) : randomFrame());
  await Promise.race([closed, pause(50)]);
  if (randomInt(2) === 0) stream.close(constants.NGHTTP2_CANCEL);
  session.destroy();
  await closed;
  return PER_STREAM;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use after garbage collections. */
async function memory(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    await pause(200);
  }
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}

async function sendInputs(inputs: number): Promise<void> {
  for (let sent = 0; sent < inputs;) {
    sent += await (randomInt(3) === 0 ? randomConnection() : randomStream());
    // Other streams go on.
    if (randomInt(10) === 0) await healthy.ask(2);
  }
  await healthy.ask(2);
}

test(`${INPUTS} generated frames and messages do not affect the gateway, its memory or other streams`, async () => {
  await sendInputs(INPUTS / 10);
  const before = await memory();
  await sendInputs(INPUTS);
  // The log of the test grows with each stream.
  inventory.logged.length = 0;
  // Time-outs of connections that their clients gave up end within this time.
  const end = Date.now() + 60_000;
  let growth = (await memory()) / before;
  while (growth > MAX_GROWTH && Date.now() < end) growth = (await memory()) / before;
  expect(growth).toBeLessThanOrEqual(MAX_GROWTH);
  expect((await start()).headers[':status']).toBe(200);
}, 1_800_000);
