import { setTimeout as delay } from 'node:timers/promises';
import { testInFull } from '../../shared/testing/extent.ts';
import { addNode } from '../support/add.ts';
import type { RequestCase } from './calls.ts';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { complaintsAbout, prepareAll, timed } from './outcome.ts';

let inventory: FaultyInventory;
beforeEach(async () => (inventory = await startFaultyInventory(1, processClock)));
afterEach(() => inventory.stop());

/** Every endpoint while nothing answers, and when something does again. */
async function everyEndpointWithout(engine: { goes: () => Promise<void>; comes: () => Promise<void> }) {
  const prepared = await prepareAll(inventory);
  await engine.goes();
  const outcomes = await Promise.all(
    prepared.map(({ method, path, call }) => timed(() => inventory.request(method, path, call))),
  );
  await engine.comes();
  expect(outcomes.flatMap((outcome, index) => complaintsAbout(prepared[index]!.what, outcome))).toEqual([]);
  expect(new Set(outcomes.map(({ reply }) => reply.status))).toEqual(new Set([503]));
  // Before API Gateway gives up.
  expect(Math.max(...outcomes.map(({ milliseconds }) => milliseconds))).toBeLessThan(29_000);

  // A busy machine may refuse some of the concurrent requests with 503, which clients repeat.
  const repeated = async ({ method, path, call }: RequestCase) => {
    let reply = await inventory.request(method, path, call);
    for (let tries = 1; tries < 10 && reply.status === 503; tries += 1) {
      await delay(1000);
      reply = await inventory.request(method, path, call);
    }
    return reply;
  };
  const replies = await Promise.all(prepared.map(repeated));
  const shown = replies.map(({ status, text }, index) => [prepared[index]!.what, status, status === 503 && text]);
  expect(shown).toEqual(prepared.map(({ what, status }) => [what, status, false]));
}

testInFull('connections are refused: 503 at once, and everything works when they are not', async () => {
  await everyEndpointWithout({ goes: inventory.proxy.close, comes: inventory.proxy.open });
});

test('while the engine is killed replies are a 503 at once, and everything works when it is back', async () => {
  await everyEndpointWithout({ goes: inventory.killEngine, comes: inventory.restartEngine });
});

describe('a change with a lost reply, and another change before its repetition', () => {
  async function overtaken(headers: Record<string, string>) {
    const { node_id: id } = await addNode(inventory, { address: 'first' });
    const path = `/v1/nodes/${id}`;
    let attempts = 0;
    let isOvertaken = false;
    inventory.proxy.disturb({ fault: { kind: 'lost answer' }, operations: ['TransactWriteItems'], at: [1] });
    inventory.proxy.through(async (call, forward) => {
      if (call.operation === 'TransactWriteItems' && !isOvertaken && (attempts += 1) === 2) {
        isOvertaken = true;
        await inventory.request('PATCH', path, { body: { address: 'theirs' } });
      }
      return forward(call);
    });
    const { status } = await inventory.request('PATCH', path, { body: { address: 'ours' }, headers });
    expect(isOvertaken).toBe(true);
    const { address, revision } = (await inventory.request('GET', path)).body;
    return { status, address, revision };
  }

  test.each([{}, { 'If-Match': '"1"' }])('%j: is made once, and not denied', async (headers) => {
    expect(await overtaken(headers)).toEqual({ status: 200, address: 'theirs', revision: 3 });
  });
});

test.each(['no answer', 'lost call'] as const)(
  "%s when a key's use is recorded does not refuse the key",
  async (kind) => {
    const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'fresh', role: 'Viewer' } });
    inventory.proxy.disturb({ fault: { kind }, operations: ['UpdateItem'] });
    const call = { as: null, headers: { Authorization: `Bearer ${body.key}` } };
    const { reply, milliseconds } = await timed(() => inventory.request('GET', '/v1/caller', call));
    expect(reply.status).toBe(200);
    expect(milliseconds).toBeLessThan(3000);
    expect(inventory.proxy.struck[kind]).toBeGreaterThan(0);
  },
);
