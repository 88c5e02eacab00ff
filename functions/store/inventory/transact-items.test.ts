import { targetOf } from '../../../shared/db/item-writes.ts';
import { randomUUID } from 'node:crypto';
import type { Table } from '../../../shared/db/table.ts';
import { manualClock } from '../../../tests/support/manual-clock.ts';
import { contextOf, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable } from '../../../tests/support/table.ts';
import type { EntityOf } from '../entities/entity.ts';
import { feedTimeKnown } from '../history/feed-time.ts';
import { changeIdOf, nameOfKey, timeOfChange } from '../table/keys.ts';
import { countTransactItems, toTransactItems, transactItemsAt } from './transact-items.ts';
import { bytesIn } from './transaction-bytes.ts';
import { assertUnchanged, newPlan, planAdd, planChange, planRemoval } from './transaction-plan.ts';

const NOW = Date.parse('2026-05-01T10:00:00Z');
const at = (milliseconds: number) => ({ clock: () => new Date(NOW + milliseconds) });

const emptyTable = (): Table => ({ ...fakeTable(() => ({ Items: [] })), name: randomUUID() });

const changed = ({ object }: EntityOf<'node'>): EntityOf<'node'> => ({
  kind: 'node',
  object: { ...object, revision: 2 },
});

const keys = (steps: ReturnType<typeof transactItemsAt>) => steps.map((step) => targetOf(step));
const changeIds = (steps: ReturnType<typeof transactItemsAt>) =>
  keys(steps).flatMap(({ pk, sk }) =>
    String(pk).startsWith('CHANGE#') ? [`${String(pk).slice(-1)}${String(sk)}`] : [],
  );

test('claims precede references, references objects, and objects their change records', () => {
  const plan = newPlan(contextOf());
  const place = node({ node_id: 'n', node_name: 'name' });
  planAdd(plan, place);
  planAdd(plan, service([node({ node_id: 'other' })], { service_id: 's', service_name: 'service' }));
  plan.first.push({ delete: { pk: 'first', sk: 'x' } });
  const places = keys(transactItemsAt(plan, 0)).map((key) => `${String(key.pk)} ${String(key.sk)}`);
  const indexOf = (start: string) => places.findIndex((place) => place.startsWith(start));
  const order = [
    'first',
    'NODE_NAME#name',
    'NODE#other GUARD',
    'NODE#n NODE',
    'NODE#other SERVICE#',
    'HEARTBEATS#',
    'CHANGE#',
  ];
  const indexes = order.map(indexOf);
  expect(indexes).toEqual([...indexes].sort((left, right) => left - right));
  expect(indexes[0]).toBe(0);
  expect(countTransactItems(plan)).toBe(places.length);
});

test('the changes of a transaction have one time, one partition and consecutive ids', () => {
  const plan = newPlan(contextOf());
  for (let index = 0; index < 3; index += 1) planAdd(plan, node());
  const ids = changeIds(transactItemsAt(plan, NOW));
  expect(ids.map(timeOfChange)).toEqual([NOW, NOW, NOW]);
  expect(new Set(ids.map((id) => id.slice(0, -2))).size).toBe(1);
  expect(ids.map((id) => id.slice(-2))).toEqual(['00', '01', '02']);
});

test('an object that the plan writes needs no other condition', () => {
  const [entity, other] = [node(), node()];
  const plan = newPlan(contextOf());
  assertUnchanged(plan, entity);
  assertUnchanged(plan, other);
  planChange(plan, entity, changed(entity));
  const steps = transactItemsAt(plan, 0);
  const names = keys(steps).map(nameOfKey);
  expect(new Set(names).size).toBe(names.length);
  expect(steps.filter((step) => 'check' in step)).toHaveLength(1);
});

test('removals are recorded in one item, adds in none', () => {
  const process = pmmAgent(node());
  const plan = newPlan(contextOf(), { removalId: 'removal' });
  planAdd(plan, process);
  const records = () => keys(transactItemsAt(plan, NOW)).filter(({ pk }) => pk === 'REMOVALS');
  expect(records()).toEqual([]);
  for (const entity of [node(), node()]) planRemoval(plan, entity, () => new Error('never'));
  expect(records()).toEqual([expect.objectContaining({ sk: expect.stringContaining('removal#') })]);
});
describe('the time', () => {
  const timeOf = async (plan: Parameters<typeof toTransactItems>[1], table = emptyTable()) =>
    timeOfChange(changeIds(await toTransactItems(table, plan))[0]!);

  test("is the clock's, unless the feed is ahead", async () => {
    const table = emptyTable();
    const write = (milliseconds: number) => {
      const plan = newPlan(contextOf(at(milliseconds)));
      planAdd(plan, node());
      return timeOf(plan, table);
    };
    expect(await write(500)).toBe(NOW + 500);
    expect(await write(0)).toBeGreaterThanOrEqual(NOW + 500);
    expect(feedTimeKnown(table, new Date(0))).toBeGreaterThanOrEqual(NOW + 500);
  });

  test('is later than the last change of each object', async () => {
    const last = changeIdOf(0, NOW + 90_000, 'aaaaaa', 0);
    const old = node({ last_change: last });
    const plan = newPlan(contextOf(at(0)));
    planAdd(plan, node());
    planChange(plan, old, changed(old));
    expect(await timeOf(plan)).toBe(NOW + 90_001);
    const returning = newPlan(contextOf(at(0)));
    planAdd(returning, node({ last_change: changeIdOf(1, NOW + 5, 'aaaaaa', 0) }));
    expect(await timeOf(returning)).toBe(NOW + 6);
  });

  test('is later than earlier changes of this process, also at the same clock reading', async () => {
    const table = { ...emptyTable(), monotonic: manualClock() };
    const write = (add: EntityOf<'node'>) => {
      const plan = newPlan(contextOf(at(0)));
      planAdd(plan, add);
      return timeOf(plan, table);
    };
    expect(await write(node())).toBe(NOW);
    expect(await write(node())).toBe(NOW + 1);
    expect(await write(node({ last_change: changeIdOf(1, NOW + 5, 'aaaaaa', 0) }))).toBe(NOW + 6);
    expect(await write(node())).toBe(NOW + 7);
  });

  test('is later than the time that an earlier attempt found', async () => {
    const plan = newPlan(contextOf({ ...at(0), minTimestamp: NOW + 70_000 }));
    planAdd(plan, node());
    expect(await timeOf(plan)).toBe(NOW + 70_001);
  });
});

const bytesOf = ({ object }: EntityOf<'node'>) => Buffer.byteLength(JSON.stringify(object));

test('the bytes of a plan are those of its objects, before and after', () => {
  const [entity, other] = [node({ model: 'é' }), node()];
  const plan = newPlan(contextOf());
  expect(bytesIn(plan)).toBe(0);
  planChange(plan, entity, changed(entity));
  planRemoval(plan, other, () => new Error('never'));
  expect(bytesIn(plan)).toBe(bytesOf(entity) + bytesOf(changed(entity)) + bytesOf(other));
});
