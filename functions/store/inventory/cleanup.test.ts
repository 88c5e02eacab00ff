import type { Table } from '../../../shared/db/table.ts';
import { isTransaction } from '../../../tests/consistency/disturbances.ts';
import { checkInvariants, wipe } from '../../../tests/consistency/invariants.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, contextOf, node, pmmAgent, service, presenceOf } from '../../../tests/support/store.ts';
import { disturbed, withSend } from '../../../tests/support/table.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { cleanUp, type CleanupLimits, type CleanupPlace } from './cleanup.ts';
import { removeObject } from './remove.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

/** The labels of a service; three such services are more than one transaction. */
const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 'v']));

const { table, passing } = useTable();
afterEach(async () => {
  expect(await checkInvariants(table)).toEqual([]);
  await wipe(table);
});

const HOUR = 3_600_000;

/** An ephemeral node that is due an hour after its last report. */
const ephemeral = (more: object = {}) =>
  node({ lifetime: 'ephemeral', stale_after: '1m', offline_after: '2m', remove_after: '1h', ...more });

const later = (milliseconds: number) => testTime(milliseconds);

const run = async (
  more: {
    dryRun?: boolean;
    percent?: number;
    now?: Date;
    at?: Table;
    from?: CleanupPlace | undefined;
    limits?: CleanupLimits;
  } = {},
) => {
  const { dryRun = false, percent = 100, now = later(2 * HOUR), at = table, from, limits } = more;
  const { due, removed, kept, ...rest } = await cleanUp(at, {
    dryRun,
    maxRemovalsPercent: percent,
    from,
    ...(limits === undefined ? {} : { limits }),
    writeContext: contextOf({ clock: () => now }),
  });
  return {
    ...rest,
    due,
    removed: removed.map((entry) => [entry.due.nodeId, entry.objects]),
    kept: kept.map((entry) => [entry.due.nodeId, entry.reason]),
  };
};

const report = (process: EntityOf<'agent'>, now: Date) => reportOf(table, process, now);

const present = (...entities: readonly Entity[]) => presenceOf(table, ...entities);

test('an ephemeral node is removed with its dependants, a permanent one stays', async () => {
  const [ephemeralNode, permanent] = [ephemeral(), node({ remove_after: '1h' })];
  const target = service([ephemeralNode]);
  await addAll(table, ephemeralNode, permanent, target);
  const done = await run();
  expect(done).toMatchObject({ objects: 2, thresholdExceeded: false, removed: [[idOf(ephemeralNode), 2]], kept: [] });
  expect(await present(ephemeralNode, permanent, target)).toEqual([false, true, false]);
});

test('a node is due exactly remove_after its last report, or after its add without reports', async () => {
  const [ephemeralNode, silent] = [ephemeral({ node_name: 'one' }), ephemeral({ node_name: 'silent' })];
  const processes = [pmmAgent(ephemeralNode), pmmAgent(ephemeralNode)];
  await addAll(table, ephemeralNode, ...processes);
  const last = later(10 * HOUR);
  await report(processes[0]!, last);
  await report(processes[1]!, new Date(last.getTime() - HOUR));
  const end = new Date(last.getTime() + HOUR);
  const dueAt = async (now: Date) => (await run({ dryRun: true, now })).due;
  expect(await dueAt(new Date(end.getTime() - 1))).toEqual([]);
  expect(await dueAt(end)).toEqual([{ nodeId: idOf(ephemeralNode), nodeName: 'one', lastSeen: last, since: end }]);
  await addAll(table, silent);
  const [first, second] = await dueAt(end);
  // The one that has been due for longer comes first.
  expect([first?.nodeName, first?.lastSeen, second?.nodeName]).toEqual(['silent', undefined, 'one']);
});

test('a dry run removes nothing', async () => {
  const ephemeralNode = ephemeral();
  await addAll(table, ephemeralNode);
  expect(await run({ dryRun: true })).toMatchObject({
    objects: 1,
    removed: [],
    kept: [[idOf(ephemeralNode), 'dry_run']],
  });
  expect(await present(ephemeralNode)).toEqual([true]);
});

describe('the safety threshold', () => {
  test('counts dependants: exactly the share is removed, not one object more', async () => {
    const ephemeralNode = ephemeral();
    const target = service([ephemeralNode]);
    const others = Array.from({ length: 6 }, () => node());
    await addAll(table, ephemeralNode, target, ...others);
    // Two of eight objects.
    expect(await run({ percent: 24 })).toMatchObject({
      thresholdExceeded: true,
      kept: [[idOf(ephemeralNode), 'threshold_exceeded']],
    });
    expect(await present(ephemeralNode, target)).toEqual([true, true]);
    expect(await run({ percent: 25 })).toMatchObject({
      thresholdExceeded: false,
      objects: 2,
      removed: [[idOf(ephemeralNode), 2]],
    });
  });

  test('of 0 percent removes nothing, and applies only to due nodes', async () => {
    const nothing = { due: [], objects: 0, thresholdExceeded: false, removed: [], kept: [], next: undefined };
    expect(await run({ percent: 0 })).toEqual(nothing);
    const ephemeralNode = ephemeral();
    await addAll(table, ephemeralNode, node());
    expect(await run({ percent: 0 })).toMatchObject({ thresholdExceeded: true, removed: [] });
  });

  test('applies to the nodes before their dependants are counted', async () => {
    const nodes = [ephemeral(), ephemeral(), ephemeral()];
    await addAll(table, ...nodes, node());
    expect(await run({ percent: 50 })).toMatchObject({ thresholdExceeded: true, objects: 3, removed: [] });
    expect(await run({ percent: 75 })).toMatchObject({ objects: 3, removed: { length: 3 } });
  });
});

describe('between the count and the removal', () => {
  test('a node that reports stays', async () => {
    const ephemeralNode = ephemeral();
    const process = pmmAgent(ephemeralNode);
    await addAll(table, ephemeralNode, process);
    const now = later(2 * HOUR);
    const at = disturbed(table, () => report(process, now));
    expect(await run({ at, now })).toMatchObject({ removed: [], kept: [[idOf(ephemeralNode), 'reported']] });
    expect(await present(ephemeralNode, process)).toEqual([true, true]);
  });

  test('a node that another request removes is absent', async () => {
    const ephemeralNode = ephemeral();
    await addAll(table, ephemeralNode);
    const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
    const at = disturbed(table, () => removeObject(table, 'node', idOf(ephemeralNode), options));
    expect(await run({ at })).toMatchObject({ removed: [], kept: [[idOf(ephemeralNode), 'gone']] });
  });
});

test('a removal above one transaction is left to an Editor', async () => {
  const ephemeralNode = ephemeral();
  const services = Array.from({ length: 3 }, () => service([ephemeralNode], { custom_labels: labels }));
  for (const more of [ephemeralNode, ...services]) await addAll(table, more);
  expect(await run()).toMatchObject({ objects: 4, removed: [], kept: [[idOf(ephemeralNode), 'too_large']] });
  expect(await present(ephemeralNode)).toEqual([true]);
});

describe('a removal of many nodes', () => {
  /** Removes 20 nodes, of which the eighth takes this time. */
  async function removalOf(milliseconds: number) {
    await addAll(table, ...Array.from({ length: 20 }, () => ephemeral()));
    let writes = 0;
    const slow = withSend(table, (command) => {
      if (isTransaction(command) && ++writes === 8) passing.advance(milliseconds);
      return table.client.send(command);
    });
    return run({ at: slow });
  }

  test('ends after 15 seconds, and the next call removes the others', async () => {
    const { removed, kept, next } = await removalOf(15_000);
    // Removals that had begun beside the eighth one end, too.
    expect(removed.length).toBeGreaterThanOrEqual(8);
    expect(removed.length).toBeLessThan(16);
    expect(kept).toEqual(kept.map(([id]) => [id, 'no_time']));
    expect(next).toMatchObject({ phase: 'remove', objects: 20 });
    const rest = 20 - removed.length;
    expect(kept).toHaveLength(rest);
    expect(await run({ from: next })).toMatchObject({ removed: { length: rest }, kept: [], next: undefined });
  });

  test('continues until then', async () => {
    expect(await removalOf(14_999)).toMatchObject({ removed: { length: 20 }, kept: [], next: undefined });
  });
});

describe('a cleanup in several calls', () => {
  /** Two heartbeats of each partition for a call: as good as always fewer than all. */
  const limits = { perPartition: 2, heartbeats: 1 };
  const NODES = 60;
  /** As many nodes, each with a service, as one transaction can add. */
  const ADDED_AT_ONCE = 5;

  /** All calls of one cleanup. */
  async function all(more: Parameters<typeof run>[0] = {}) {
    const results: Awaited<ReturnType<typeof run>>[] = [];
    let from: CleanupPlace | undefined;
    do {
      results.push(await run({ ...more, from, limits }));
      from = results.at(-1)!.next;
    } while (from !== undefined);
    return {
      calls: results.length,
      removed: results.flatMap(({ removed }) => removed.map(([id]) => id)),
      due: results.flatMap(({ due }) => due.map(({ nodeId }) => nodeId)),
      last: results.at(-1)!,
    };
  }

  const add = async (due: number) => {
    const nodes = Array.from({ length: NODES }, (_, index) => (index < due ? ephemeral() : node()));
    for (let start = 0; start < NODES; start += ADDED_AT_ONCE)
      await addAll(table, ...nodes.slice(start, start + ADDED_AT_ONCE).flatMap((place) => [place, service([place])]));
    return { nodes, due: nodes.slice(0, due).map(idOf) };
  };

  test('removes each due node', async () => {
    const { due } = await add(12);
    const { removed, calls } = await all({ percent: 20 });
    expect(calls).toBeGreaterThan(3);
    expect(removed.sort()).toEqual(due.toSorted());
    expect((await all({ dryRun: true })).due).toEqual([]);
  });

  test('applies the safety threshold to the whole inventory, and a part of it removes nothing', async () => {
    const { nodes, due } = await add(13);
    const { removed, last } = await all({ percent: 20 });
    expect([removed, last.thresholdExceeded]).toEqual([[], true]);
    expect((await present(...nodes)).every(Boolean)).toBe(true);
    expect(last.kept.every(([id, reason]) => due.includes(id!) && reason === 'threshold_exceeded')).toBe(true);
  });

  test('lists each due node once in a dry run', async () => {
    const { due } = await add(10);
    const { due: dueIds, removed, last } = await all({ dryRun: true });
    expect([dueIds.sort(), removed, last.objects]).toEqual([due.toSorted(), [], 20]);
  });

  test('leaves nodes that become due after its start to the next one, so that lost reports remove nothing', async () => {
    const { due } = await add(3);
    const fresh = ephemeral();
    const process = pmmAgent(fresh);
    await addAll(table, fresh, process);
    const now = later(2 * HOUR);
    await report(process, later(HOUR + 60_000));
    const first = await run({ now, limits });
    let from = first.next;
    const removed: unknown[] = [];
    while (from !== undefined) {
      // Later than when it began: the last node has become due.
      const result = await run({ now: later(3 * HOUR), from, limits });
      removed.push(...result.removed.map(([id]) => id));
      from = result.next;
    }
    expect(removed.sort()).toEqual(due.toSorted());
    expect(await present(fresh)).toEqual([true]);
  });

  describe('whose time of 15 seconds ends', () => {
    /** The table, whose commands of a kind take a time. */
    const slow = (kind: RegExp, milliseconds: number): Table => {
      const send = async (command: any) => {
        const reply = await table.client.send(command);
        if (kind.test(command.constructor.name)) passing.advance(milliseconds);
        return reply;
      };
      return withSend(table, send);
    };
    const from = (after: string): CleanupPlace => ({
      phase: 'remove',
      asOf: later(2 * HOUR).getTime(),
      after,
      objects: 9,
    });
    const addDue = async (count: number) => {
      const nodes = Array.from({ length: count }, () => ephemeral());
      for (const place of nodes) await addAll(table, place);
      return nodes.map(idOf).sort();
    };

    test('before the first removal continues at the same place', async () => {
      const ids = await addDue(2);
      const done = await run({ at: slow(/Query/, 15_000), from: from('0') });
      expect(done).toMatchObject({ removed: [], kept: ids.map((id) => [id, 'no_time']), next: from('0') });
    });

    test('continues after the last removed node, and reads each node once', async () => {
      const ids = await addDue(9);
      const first = await run({ at: slow(/TransactWrite/, 15_000), from: from('0') });
      expect(first).toMatchObject({ removed: { length: 8 }, kept: [[ids[8], 'no_time']], next: from(ids[7]!) });
      const second = await run({ from: first.next });
      expect(second).toMatchObject({ due: { length: 1 }, removed: [[ids[8], 1]], next: undefined });
    });

    test('reads no further heartbeats', async () => {
      const due = (await addDue(60)).length;
      // A range of heartbeats takes 16 queries.
      const foundIn = async (ranges: number) => {
        const at = slow(/Query/, 15_000 / 16 / ranges);
        return (await run({ dryRun: true, limits: { perPartition: 1, heartbeats: 1000 }, at })).due.length;
      };
      const [fewest, two] = [await foundIn(1), await foundIn(2)];
      expect(fewest).toBeLessThan(two);
      expect(two).toBeLessThan(due);
    });
  });
});
