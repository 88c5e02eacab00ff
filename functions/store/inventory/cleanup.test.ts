import type { Table } from '../../../shared/db/table.ts';
import { checkInvariants, wipe } from '../../../tests/consistency/invariants.ts';
import { addAll, contextOf, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { disturbed, startTable } from '../../../tests/support/table.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { findObjects } from '../entities/get.ts';
import { takeReport } from '../heartbeats/report.ts';
import { cleanUp } from './cleanup.ts';
import { removeObject } from './remove.ts';

/** The labels of a service; three such services are more than one transaction. */
const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 'v']));

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());
afterEach(async () => {
  expect(await checkInvariants(table)).toEqual([]);
  await wipe(table);
});

const HOUR = 3_600_000;

/** An ephemeral node that is due an hour after its last report. */
const ephemeral = (more: object = {}) =>
  node({ lifetime: 'ephemeral', stale_after: '1m', offline_after: '2m', remove_after: '1h', ...more });

const later = (milliseconds: number) => new Date(Date.now() + milliseconds);

const run = async (more: { dryRun?: boolean; percent?: number; now?: Date; at?: Table } = {}) => {
  const { dryRun = false, percent = 100, now = later(2 * HOUR), at = table } = more;
  const { due, removed, kept, ...rest } = await cleanUp(at, {
    dryRun,
    maxRemovalsPercent: percent,
    writeContext: contextOf({ clock: () => now }),
  });
  return {
    ...rest,
    due,
    removed: removed.map((one) => [one.due.nodeId, one.objects]),
    kept: kept.map((one) => [one.due.nodeId, one.reason]),
  };
};

const report = (process: EntityOf<'agent'>, now: Date) =>
  takeReport(table, { pmmAgentId: idOf(process), entries: [], scope: undefined, now });

async function present(...entities: readonly Entity[]): Promise<boolean[]> {
  const found = new Set(
    (
      await findObjects(
        table,
        entities.map((one) => ({ kind: one.kind, id: idOf(one) })),
      )
    ).map(idOf),
  );
  return entities.map((one) => found.has(idOf(one)));
}

test('an ephemeral node is removed with its dependants, a permanent one stays', async () => {
  const [one, permanent] = [ephemeral(), node({ remove_after: '1h' })];
  const target = service([one]);
  await addAll(table, one, permanent, target);
  const done = await run();
  expect(done).toMatchObject({ objects: 2, thresholdExceeded: false, removed: [[idOf(one), 2]], kept: [] });
  expect(await present(one, permanent, target)).toEqual([false, true, false]);
});

test('it is due exactly remove_after its last report, or after its add when it never reported', async () => {
  const [one, silent] = [ephemeral({ node_name: 'one' }), ephemeral({ node_name: 'silent' })];
  const processes = [pmmAgent(one), pmmAgent(one)];
  await addAll(table, one, ...processes);
  const last = later(10 * HOUR);
  await report(processes[0]!, last);
  await report(processes[1]!, new Date(last.getTime() - HOUR));
  const end = new Date(last.getTime() + HOUR);
  const dueAt = async (now: Date) => (await run({ dryRun: true, now })).due;
  expect(await dueAt(new Date(end.getTime() - 1))).toEqual([]);
  expect(await dueAt(end)).toEqual([{ nodeId: idOf(one), nodeName: 'one', lastSeen: last, since: end }]);
  await addAll(table, silent);
  const [first, second] = await dueAt(end);
  // The one that has been due for longer comes first.
  expect([first?.nodeName, first?.lastSeen, second?.nodeName]).toEqual(['silent', undefined, 'one']);
});

test('a dry run removes nothing', async () => {
  const one = ephemeral();
  await addAll(table, one);
  expect(await run({ dryRun: true })).toMatchObject({ objects: 1, removed: [], kept: [[idOf(one), 'dry_run']] });
  expect(await present(one)).toEqual([true]);
});

describe('the safety threshold', () => {
  test('counts the dependants: exactly the share is removed, one object more is not', async () => {
    const one = ephemeral();
    const target = service([one]);
    const others = Array.from({ length: 6 }, () => node());
    await addAll(table, one, target, ...others);
    // Two of eight objects.
    expect(await run({ percent: 24 })).toMatchObject({
      thresholdExceeded: true,
      kept: [[idOf(one), 'threshold_exceeded']],
    });
    expect(await present(one, target)).toEqual([true, true]);
    expect(await run({ percent: 25 })).toMatchObject({
      thresholdExceeded: false,
      objects: 2,
      removed: [[idOf(one), 2]],
    });
  });

  test('of 0 percent removes nothing; nothing due needs no threshold', async () => {
    expect(await run({ percent: 0 })).toEqual({ due: [], objects: 0, thresholdExceeded: false, removed: [], kept: [] });
    const one = ephemeral();
    await addAll(table, one, node());
    expect(await run({ percent: 0 })).toMatchObject({ thresholdExceeded: true, removed: [] });
  });

  test('applies to the nodes themselves, before their dependants are counted', async () => {
    const nodes = [ephemeral(), ephemeral(), ephemeral()];
    await addAll(table, ...nodes, node());
    expect(await run({ percent: 50 })).toMatchObject({ thresholdExceeded: true, objects: 3, removed: [] });
    expect(await run({ percent: 75 })).toMatchObject({ objects: 3, removed: { length: 3 } });
  });
});

describe('in the meantime', () => {
  test('a node that reports stays', async () => {
    const one = ephemeral();
    const process = pmmAgent(one);
    await addAll(table, one, process);
    const now = later(2 * HOUR);
    const at = disturbed(table, () => report(process, now));
    expect(await run({ at, now })).toMatchObject({ removed: [], kept: [[idOf(one), 'reported']] });
    expect(await present(one, process)).toEqual([true, true]);
  });

  test('a node that another request removes is gone', async () => {
    const one = ephemeral();
    await addAll(table, one);
    const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
    const at = disturbed(table, () => removeObject(table, 'node', idOf(one), options));
    expect(await run({ at })).toMatchObject({ removed: [], kept: [[idOf(one), 'gone']] });
  });
});

test('a removal of more than one transaction is left to an Editor', async () => {
  const one = ephemeral();
  const services = Array.from({ length: 3 }, () => service([one], { custom_labels: labels }));
  for (const more of [one, ...services]) await addAll(table, more);
  expect(await run()).toMatchObject({ objects: 4, removed: [], kept: [[idOf(one), 'too_large']] });
  expect(await present(one)).toEqual([true]);
});
