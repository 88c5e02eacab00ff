/** Any bytes as a body cause no service fault, and store no part of a configuration in the table or the log. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inFull, testInFull } from '../../shared/testing/extent.ts';
import fc from '../../shared/testing/fast-check.ts';
import { checkInvariants } from '../consistency/invariants.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { collector, post, written } from '../support/opamp.ts';

const RUNS = inFull(1000, 8);

/** Bodies in one run, sent at the same time. */
const AT_ONCE = 50;

const CANARY = 'canary-of-a-configuration';

const START = new Date('2026-06-01T12:00:00Z');

let inventory: Inventory;
// The bodies are under test, not the credentials.
beforeAll(async () => {
  inventory = await startInventory({ authorizerCacheSeconds: 300 });
  inventory.clock.now = START;
});
afterAll(() => inventory.stop());

const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);

/** effective_config: a map of files, one of which has a body. */
const effectiveConfig = field(6, field(1, field(1, field(2, field(1, Buffer.from(CANARY))))));

/** A few starts, so that messages also meet sessions that exist, and some exceed their rate in either extent. */
const uids = Array.from({ length: inFull(40, 2) }, (_, index) => new Uint8Array(16).fill(index + 1));

const message: fc.Arbitrary<Uint8Array> = fc
  .record({
    uid: fc.constantFrom(...uids),
    sequence: fc.bigInt(0n, 2n ** 64n - 1n),
    capabilityBits: fc.bigInt(0n, 2n ** 16n - 1n),
    name: fc.string({ unit: 'binary', maxLength: 20 }),
    error: fc.string({ unit: 'binary', maxLength: 300 }),
    parts: fc.array(fc.constantFrom('description', 'health', 'disconnect', 'flags'), { maxLength: 3 }),
  })
  .map(({ uid, sequence, capabilityBits, name, error, parts }) => {
    const has = (part: string) => parts.some((candidate) => candidate === part);
    const bytes = written({
      instanceUid: uid,
      sequenceNum: sequence,
      capabilities: capabilityBits,
      ...(has('description') ? { agentDescription: collector(name.toWellFormed()) } : {}),
      ...(has('health') ? { health: { healthy: false, lastError: error.toWellFormed() } } : {}),
      ...(has('disconnect') ? { agentDisconnect: {} } : {}),
      ...(has('flags') ? { flags: 1n } : {}),
    });
    return Buffer.concat([bytes, effectiveConfig]);
  });

/** A message with a part that is cut off, repeated or replaced. */
const altered = fc
  .tuple(message, fc.nat(400), fc.nat(400), fc.uint8Array({ maxLength: 8 }))
  .map(([bytes, from, to, inserted]) =>
    Buffer.concat([bytes.subarray(0, Math.max(from, to)), inserted, bytes.subarray(Math.min(from, to))]),
  );

const body = fc.oneof(
  { weight: 1, arbitrary: message },
  { weight: 6, arbitrary: altered },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);

test('no body causes a fault, or stores part of a configuration', async () => {
  const seen = new Map<number, number>();
  // A second per run, however long it takes: the rates of the sessions depend on the bodies alone.
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(body, fc.boolean()), { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (bodies) => {
        inventory.clock.now = new Date(START.getTime() + (runs += 1) * 1000);
        const replies = await Promise.all(
          bodies.map(([bytes, gzip]) => post(inventory, inventory.keys.Editor, bytes, { gzip })),
        );
        for (const { status } of replies) seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(replies.filter(({ status }) => ![200, 400, 429].includes(status))).toEqual([]);
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  // The bodies are of all kinds.
  expect([...seen.keys()].sort()).toEqual([200, 400, 429]);
  const { Items = [] } = await inventory.table.client.send(new ScanCommand({ TableName: inventory.table.name }));
  expect(JSON.stringify([Items, inventory.logged])).not.toContain(CANARY);
  expect(await checkInvariants(inventory.table)).toEqual([]);
});

testInFull('1,000 agents with one key register at once, each once', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `fleet-${index}`);
  const register = (name: string, index: number) => {
    const uid = Buffer.alloc(16, 255);
    uid.writeUInt32BE(index);
    const bytes = written({ instanceUid: uid, agentDescription: collector(name), health: { healthy: true } });
    return post(inventory, inventory.keys.Editor, bytes);
  };
  const rounds = [];
  for (let start = 0; start < names.length; start += AT_ONCE)
    rounds.push(
      ...(await Promise.all(names.slice(start, start + AT_ONCE).map((name, at) => register(name, start + at)))),
    );
  expect(new Set(rounds.map(({ status }) => status))).toEqual(new Set([200]));
  const { body: list } = await inventory.request('GET', '/v1/nodes?name_prefix=fleet-&page_size=1000&include=state');
  expect(list.nodes.map(({ node_name: name }: any) => name).sort()).toEqual(names.sort());
  expect(new Set(list.nodes.map(({ state }: any) => state))).toEqual(new Set(['live']));
  expect(await checkInvariants(inventory.table)).toEqual([]);
});
