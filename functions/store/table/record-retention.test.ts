import { compose } from '../../runtime/dependencies.ts';
import { CHANGE_DAYS } from '../../domain/records/retention.ts';
import { addNode } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { scan } from '../../../tests/consistency/invariants.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { keepRecordsFor, recordDays } from './record-retention.ts';

const DAY_MS = 86_400_000;

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(async () => {
  keepRecordsFor(CHANGE_DAYS);
  await inventory.stop();
});

const composedWith = (days?: string) =>
  compose(
    { TABLE_NAME: 't', SERVICE_VERSION: '1', ...(days === undefined ? {} : { AUDIT_RETENTION_DAYS: days }) },
    () => inventory.table,
  );

test('a process keeps records as long as its environment states, or 30 days', () => {
  composedWith('365');
  expect(recordDays()).toBe(365);
  composedWith();
  expect(recordDays()).toBe(30);
  expect(() => composedWith('29')).toThrow('AUDIT_RETENTION_DAYS');
});

test('each kind of record is kept and shown for the configured time', async () => {
  keepRecordsFor(365);
  const { next: cursor } = (await inventory.request('GET', '/v1/changes?since=now')).body;
  const { node_id: id } = await addNode(inventory);
  await inventory.request('POST', '/v1/api-keys', { body: { name: 'automation', role: 'Viewer' } });
  await inventory.request('GET', '/v1/nodes', { as: null, headers: { Authorization: 'Bearer x' } });
  const ends = new Map(
    (await scan(inventory.table))
      .filter(({ pk }) => /^(CHANGE#|AUDIT#)/.test(String(pk)))
      .map(({ pk, ttl }) => [
        String(pk).replace(/^(CHANGE#).*/, '$1'),
        Math.round((Number(ttl) * 1000 - testTime().getTime()) / DAY_MS),
      ]),
  );
  expect(Object.fromEntries(ends)).toEqual({ 'CHANGE#': 365, 'AUDIT#ACCESS': 365, 'AUDIT#REFUSED': 365 });
  // Each once: the keys of the test are in the audit too.
  const events = async () => [
    ...new Set((await inventory.request('GET', '/v1/audit')).body.entries.map(({ event }: any) => String(event))),
  ];
  const read = async () => ({
    events: (await events()).sort(),
    feed: (await inventory.request('GET', `/v1/changes?since=${cursor}`)).status,
    history: (await inventory.request('GET', `/v1/nodes/${id}/history`)).body.changes?.length,
  });
  const all = { events: ['api_key.added', 'api_key.refused', 'node.added'], feed: 200, history: 1 };
  inventory.clock.now = testTime(200 * DAY_MS);
  expect(await read()).toEqual(all);
  expect((await inventory.request('GET', '/v1/version')).body.retention_days).toBe(365);
  keepRecordsFor(30);
  expect(await read()).toEqual({ events: [], feed: 410, history: 0 });
});
