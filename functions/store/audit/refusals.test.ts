import { createHash, randomUUID } from 'node:crypto';
import type { Table } from '../../../shared/db/table.ts';
import type { LogEntry } from '../../../shared/core/log.ts';
import { withSend } from '../../../tests/support/table.ts';
import { readCollection } from '../table/read.ts';
import { changesFrom, REFUSALS_PARTITION } from '../table/keys.ts';
import { recordRefusal, type AuditRefusal, toRefusals, writeWaitingRefusals } from './refusals.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table, passing } = useTable();

let minute = Date.parse('2026-05-01T10:00:00Z');
const logged: LogEntry[] = [];
/** Each test has a minute and a process of its own: a process is recognised by its table. */
let ownTable: Table;
beforeEach(() => {
  minute += 60_000;
  logged.length = 0;
  ownTable = { ...table };
});

const refusal = (more: Partial<AuditRefusal> = {}): AuditRefusal => ({
  event: 'call.refused',
  reason: 'role',
  actor: { kind: 'api_key', id: 'key', name: 'automation' },
  subject: { kind: 'endpoint', id: 'addNode', name: 'POST /v1/nodes' },
  sourceIp: '192.0.2.7',
  requestId: randomUUID(),
  ...more,
});

const writing = (at: Table, milliseconds: number) => ({
  table: at,
  clock: () => new Date(minute + milliseconds),
  log: (entry: LogEntry) => logged.push(entry),
});
const record = (milliseconds: number, more: Partial<AuditRefusal> = {}, at = ownTable) =>
  recordRefusal(writing(at, milliseconds), refusal(more), 500);
const writeRest = (at = ownTable) => writeWaitingRefusals(writing(at, 0), 500);

async function stored() {
  const items = await readCollection(table, REFUSALS_PARTITION, changesFrom(minute));
  return items.map(toRefusals);
}

test('the first refusal is written at once, with its caller, endpoint and source', async () => {
  await record(100, { requestId: 'request' });
  expect(await stored()).toEqual([
    {
      sk: expect.stringContaining(changesFrom(minute)),
      event: 'call.refused',
      reason: 'role',
      actor_kind: 'api_key',
      actor_id: 'key',
      actor_name: 'automation',
      subject_kind: 'endpoint',
      subject_id: 'addNode',
      subject_name: 'POST /v1/nodes',
      source_ip: '192.0.2.7',
      request_id: 'request',
      count: 1,
      first_at: minute + 100,
      last_at: minute + 100,
    },
  ]);
});

test('equal refusals of a minute are one item; those of the next minute another', async () => {
  await record(0);
  await record(59_999, { requestId: 'last' });
  await record(60_000);
  await writeRest();
  expect(await stored()).toMatchObject([{ count: 2, first_at: minute, last_at: minute + 59_999, request_id: 'last' }]);
  minute += 60_000;
  expect(await stored()).toMatchObject([{ count: 1, first_at: minute }]);
});

test('refusals with another reason, caller, endpoint or source are counted separately', async () => {
  await record(0);
  await record(0, { reason: 'scope' });
  await record(0, { actor: { kind: 'api_key', id: 'other', name: 'other' } });
  await record(0, { subject: { kind: 'endpoint', id: 'addService', name: 'POST /v1/services' } });
  await record(0, { sourceIp: '192.0.2.8' });
  await writeRest();
  expect((await stored()).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
});

test('the counts of several processes add up', async () => {
  const others = [{ ...table }, { ...table }];
  for (const [index, other] of others.entries()) await record(index, {}, other);
  expect(await stored()).toMatchObject([{ count: 2, first_at: minute, last_at: minute + 1 }]);
});

test('waiting counts are written after a second', async () => {
  await record(0);
  await record(1);
  expect(await stored()).toMatchObject([{ count: 1 }]);
  passing.advance(1001);
  while ((await stored())[0]?.count !== 2) await new Promise(setImmediate);
});

test('64 source addresses of one caller and reason are distinguished, further ones are counted together', async () => {
  const slotOf = (ip: string) => Number.parseInt(createHash('sha256').update(ip).digest('hex').slice(0, 8), 16) % 64;
  const bySlot = new Map<number, string>();
  for (let index = 0; bySlot.size < 64; index += 1) bySlot.set(slotOf(`192.0.2.${index}`), `192.0.2.${index}`);
  const addresses = [...bySlot.values()];
  for (const sourceIp of [...addresses, '198.51.100.1', '198.51.100.2', addresses[0]!])
    await record(0, { sourceIp }, { ...table });
  const counts = await stored();
  expect(new Set(counts.map(({ source_ip: ip }) => ip))).toEqual(new Set([...addresses, undefined]));
  expect(counts).toHaveLength(65);
  expect(counts.find(({ source_ip: ip }) => ip === undefined)).toMatchObject({ count: 2 });
  expect(counts.find(({ source_ip: ip }) => ip === addresses[0])).toMatchObject({ count: 2 });
});

test('a write that fails is logged, does not fail the request, and is written with the next one', async () => {
  let isBroken = true;
  let writes = 0;
  const send = (command: any) => {
    writes += 1;
    if (isBroken) throw new Error('no reply');
    return table.client.send(command);
  };
  const broken = withSend(table, send);
  await record(0, {}, broken);
  expect(logged).toMatchObject([{ level: 'error', message: 'refusal was not recorded' }]);
  expect(await stored()).toEqual([]);
  // Not by a timer: the table would be called as long as the fault lasts.
  passing.advance(5000);
  await new Promise(setImmediate);
  expect(writes).toBe(1);
  isBroken = false;
  await record(1, {}, broken);
  await writeRest(broken);
  expect(await stored()).toMatchObject([{ count: 2, first_at: minute, last_at: minute + 1 }]);
});

test('a count that could not be written follows a second after another successful one', async () => {
  let failures = 1;
  const send = (command: any) => {
    if (failures-- > 0) throw new Error('no reply');
    return table.client.send(command);
  };
  const broken = { ...table, client: { send } as never };
  await record(0, {}, broken);
  await record(1, { sourceIp: '192.0.2.8' }, broken);
  expect(await stored()).toMatchObject([{ source_ip: '192.0.2.8' }]);
  passing.advance(1001);
  while ((await stored()).length < 2) await new Promise(setImmediate);
});

test('a write in progress that fails when the process ends is repeated with the rest', async () => {
  const reply = Promise.withResolvers<never>();
  let writes = 0;
  const send = (command: any) => {
    writes += 1;
    return writes === 1 ? reply.promise : table.client.send(command);
  };
  const slow = { ...table, client: { send } as never };
  const first = record(0, {}, slow);
  const rest = writeRest(slow);
  reply.reject(new Error('no reply'));
  await Promise.all([first, rest]);
  expect(await stored()).toMatchObject([{ count: 1 }]);
});

test('refusals of one endpoint do not displace the details of another', async () => {
  for (let host = 0; host < 70; host += 1) await record(0, { sourceIp: `192.0.2.${host}` });
  await record(0, {
    sourceIp: '198.51.100.1',
    subject: { kind: 'endpoint', id: 'addService', name: 'POST /v1/services' },
  });
  expect(await stored()).toContainEqual(
    expect.objectContaining({ subject_id: 'addService', source_ip: '198.51.100.1', count: 1 }),
  );
});

test('more kinds than may be written at once follow one by one, with one timer', async () => {
  let timers = 0;
  const after: typeof passing.after = (...args) => {
    // Not those of deadlines.
    if (args[0] === 1001) timers += 1;
    return passing.after(...args);
  };
  const watched = { ...table, monotonic: { ...passing, after } };
  const by = (key: number) => ({ actor: { kind: 'api_key' as const, id: `key ${key}`, name: 'k' } });
  await record(0, by(0), watched);
  expect(timers).toBe(0);
  for (let key = 1; key < 13; key += 1) await record(0, by(key), watched);
  expect([(await stored()).length, timers]).toEqual([10, 1]);
  for (const count of [11, 12, 13]) {
    await passing.untilWaiting(1001);
    passing.advance(1001);
    while ((await stored()).length < count) await new Promise(setImmediate);
    expect(await stored()).toHaveLength(count);
  }
});

test('a process without refusals ends without a write', async () => {
  await expect(writeRest({ ...table })).resolves.toBeUndefined();
});

test('a write that is repeated because its reply was lost counts once', async () => {
  const send = async (command: any) => {
    await table.client.send(command);
    return table.client.send(command);
  };
  const repeating = withSend(table, send);
  await record(0, {}, repeating);
  expect(await stored()).toMatchObject([{ count: 1, source_ip: '192.0.2.7' }]);
});

test('times are in order, whichever process wrote last', () => {
  const item = { sk: 'x', event: 'call.refused', reason: 'role', request_id: 'r', count: 2 };
  expect(toRefusals({ ...item, first_at: 9, last_at: 5 })).toMatchObject({ first_at: 5, last_at: 9 });
  expect(toRefusals({ ...item, first_at: 5, last_at: 9 })).toMatchObject({ first_at: 5, last_at: 9 });
});
