import { manualClock } from '../../../tests/support/manual-clock.ts';
import type { Table } from '../../../shared/db/table.ts';
import { TransactionCanceledException } from '../../../shared/db/table-errors.ts';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import {
  addAll,
  contextOf,
  exporter,
  external,
  node,
  pmmAgent,
  service,
  presenceOf,
} from '../../../tests/support/store.ts';
import { disturbed, disturbedBefore, withSend } from '../../../tests/support/table.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { listRemovals, readRemoval } from '../history/removal-record.ts';
import { findForcedRemoval } from '../jobs/forced-removals.ts';
import { changeObject } from './entities.ts';
import { countCascade, removeObject } from './remove.ts';
import { TEST_TIME, testClock, testTime } from '../../../tests/support/test-time.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

/** The labels of a service; three such services are more than one transaction. */
const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 'v']));

const { table } = useCheckedTable();

const clock = testClock();

const remove = (entity: Entity, more: { force?: boolean; ifMatch?: number[]; scope?: string; at?: Table } = {}) =>
  removeObject(more.at ?? table, entity.kind, idOf(entity), {
    force: more.force ?? false,
    ifMatch: more.ifMatch,
    writeContext: contextOf({ clock, scope: more.scope }),
  });

const present = (...entities: readonly Entity[]) => presenceOf(table, ...entities);

async function host() {
  const place = node();
  const process = pmmAgent(place);
  const target = service([place]);
  const agent = exporter(process, [target]);
  await addAll(table, place, process, target, agent);
  return { place, process, target, agent };
}

describe('without force', () => {
  test('an object without dependants is removed, and a missing one is not found', async () => {
    const entity = node();
    await addAll(table, entity);
    await remove(entity);
    expect(await present(entity)).toEqual([false]);
    await expect(remove(entity)).rejects.toMatchObject({ kind: 'notFound' });
  });

  test('a removal with dependants fails, names them, and writes nothing', async () => {
    const { place, process, target, agent } = await host();
    const messages = [place, process, target].map(async (entity) =>
      remove(entity).then(
        () => 'removed',
        (error: unknown) => String(error),
      ),
    );
    expect(await Promise.all(messages)).toEqual([
      expect.stringMatching(/Node with ID ".*" has pmm-agent\.$/),
      expect.stringMatching(/pmm-agent with ID ".*" has agents\.$/),
      expect.stringMatching(/Service with ID ".*" has agents\.$/),
    ]);
    expect(await present(place, process, target, agent)).toEqual([true, true, true, true]);
    for (const entity of [agent, process]) await remove(entity);
    await expect(remove(place)).rejects.toThrow('has services');
    for (const entity of [target, place]) await remove(entity);
    expect(await present(place, process, target, agent)).toEqual([false, false, false, false]);
  });

  test('If-Match must contain the present revision', async () => {
    const entity = node({ revision: 3 });
    await addAll(table, entity);
    await expect(remove(entity, { ifMatch: [2] })).rejects.toMatchObject({ kind: 'revisionMismatch' });
    await remove(entity, { ifMatch: [2, 3] });
    expect(await present(entity)).toEqual([false]);
  });

  test('a simultaneously added dependant prevents the removal', async () => {
    const entity = node();
    await addAll(table, entity);
    const at = disturbed(table, () => addAll(table, service([entity])));
    await expect(remove(entity, { at })).rejects.toThrow('has services');
  });

  test('the removal is listed, with the time at which it began', async () => {
    const entity = node();
    await addAll(table, entity);
    const before = TEST_TIME;
    await remove(entity);
    const { objects } = await listRemovals(table, { size: 1, after: undefined }, testTime());
    expect(objects[0]).toMatchObject({ objects: [{ id: idOf(entity) }], actor: { id: 'test' } });
    expect(objects[0]!.removedAt.getTime()).toBeGreaterThanOrEqual(before);
  });
});

describe('with force', () => {
  test('a node is removed with its agents and the services that run only there', async () => {
    const { place, process, target, agent } = await host();
    expect(await countCascade(table, idOf(place))).toBe(4);
    await remove(place, { force: true });
    expect(await present(place, process, target, agent)).toEqual([false, false, false, false]);
    const { objects } = await listRemovals(table, { size: 1, after: undefined }, testTime());
    expect(objects[0]?.objects.map(({ id }) => id)).toEqual([agent, process, target, place].map(idOf));
  });

  test('nothing is removed outside the scope', async () => {
    const { place, target } = await host();
    const other = external({ services: [target] });
    await addAll(table, other);
    await expect(remove(place, { force: true, scope: idOf(place) })).rejects.toMatchObject({
      kind: 'permissionDenied',
    });
    expect(await present(place, target, other)).toEqual([true, true, true]);
  });

  test('a simultaneously added dependant is removed too', async () => {
    const { place } = await host();
    const more = service([place]);
    await remove(place, { force: true, at: disturbed(table, () => addAll(table, more)) });
    expect(await present(place, more)).toEqual([false, false]);
  });
});

describe('a removal above one transaction', () => {
  /** A node with three services that run only there, and one that also runs elsewhere. */
  async function full() {
    const [place, other] = [node(), node()];
    const services = Array.from({ length: 3 }, () => service([place], { custom_labels: labels }));
    const shared = service([place, other]);
    await addAll(table, place, other, shared);
    for (const member of services) await addAll(table, member);
    return { place, other, services, shared };
  }

  test('is complete under one removal id, and what runs elsewhere stays', async () => {
    const { place, other, services, shared } = await full();
    await remove(place, { force: true });
    expect(new Set(await present(place, ...services))).toEqual(new Set([false]));
    expect(await present(other, shared)).toEqual([true, true]);
    expect((await getObject(table, 'service', idOf(shared))).object).toMatchObject({
      node_ids: [idOf(other)],
      revision: 2,
    });
    expect(await findForcedRemoval(table, 'node', idOf(place))).toBeUndefined();
    const { objects } = await listRemovals(table, { size: 3, after: undefined }, testTime());
    const [first, ...more] = objects.filter(({ removalId }) => removalId === objects[0]!.removalId);
    expect([first!.objects.length, more]).toEqual([4, []]);
    expect((await readRemoval(table, first!.removalId, testTime())).length).toBeGreaterThan(1);
  });

  test('is refused for a caller with a scope, and writes nothing', async () => {
    const { place, services } = await full();
    const refused = remove(place, { force: true, scope: idOf(place) });
    await expect(refused).rejects.toMatchObject({ kind: expect.stringMatching(/permissionDenied|failedPrecondition/) });
    expect(new Set(await present(place, ...services))).toEqual(new Set([true]));
    await remove(place, { force: true });
  });

  describe('beside other writes', () => {
    test.each([2, 3])(
      'succeeds when another request removes its rest before transaction %d, because it had an effect',
      async (transaction) => {
        const { place, services } = await full();
        const at = disturbedBefore(table, transaction, () => remove(place, { force: true }));
        await expect(remove(place, { force: true, at })).resolves.toBeUndefined();
        expect(new Set(await present(place, ...services))).toEqual(new Set([false]));
      },
    );

    test('succeeds when another request removes one of its services, although that one was in its last transaction', async () => {
      const { place, services } = await full();
      const at = disturbedBefore(table, 2, () => remove(services[0]!, { force: true }));
      await expect(remove(place, { force: true, at })).resolves.toBeUndefined();
      expect(new Set(await present(place, ...services))).toEqual(new Set([false]));
    });

    test('is not found when another request removes all objects before the first transaction, because it had no effect', async () => {
      const { place } = await full();
      const at = disturbedBefore(table, 1, () => remove(place, { force: true }));
      await expect(remove(place, { force: true, at })).rejects.toMatchObject({ kind: 'notFound' });
    });

    test('ends when a label of the object changes, also with If-Match, and is refused before its start', async () => {
      const change = (place: EntityOf<'node'>) =>
        changeObject(
          table,
          { kind: 'node', id: idOf(place), ifMatch: undefined, writeContext: contextOf({ clock }) },
          (old) => ({ ...old, custom_labels: { a: 'b' } }),
        );
      const early = (await full()).place;
      const refused = remove(early, { force: true, ifMatch: [1], at: disturbedBefore(table, 1, () => change(early)) });
      await expect(refused).rejects.toMatchObject({ kind: 'revisionMismatch' });
      expect(await findForcedRemoval(table, 'node', idOf(early))).toBeUndefined();
      const late = (await full()).place;
      const at = disturbedBefore(table, 3, () => change(late));
      await expect(remove(late, { force: true, ifMatch: [1], at })).resolves.toBeUndefined();
    });
  });

  test('reports that it has begun when conflicts prevent its end', async () => {
    const { place, services } = await full();
    const monotonic = manualClock();
    let count = 0;
    const send = (command: any) => {
      if (command.constructor.name !== 'TransactWriteCommand') return table.client.send(command);
      count += 1;
      if (count === 1) return table.client.send(command);
      monotonic.advance(10_000);
      const CancellationReasons = [{ Code: 'TransactionConflict' }];
      return Promise.reject(new TransactionCanceledException({ message: 'x', CancellationReasons }));
    };
    const at = { ...table, client: { send } as never, monotonic };
    await expect(remove(place, { force: true, at })).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('The removal is not finished.'),
    });
    expect(new Set(await present(place, ...services))).toEqual(new Set([true]));
    await remove(place, { force: true });
  });

  test('begins no transaction after its time', async () => {
    const { place } = await full();
    const monotonic = manualClock();
    let count = 0;
    const send = (command: any) => {
      if (command.constructor.name === 'TransactWriteCommand') {
        count += 1;
        monotonic.advance(3_600_000);
      }
      return table.client.send(command);
    };
    const at = { ...table, client: { send } as never, monotonic };
    await expect(remove(place, { force: true, at })).rejects.toThrow('The removal is not finished.');
    expect(count).toBe(1);
    await remove(place, { force: true });
  });

  test('continues under its first id after an interruption, and accepts no dependants until then', async () => {
    const { place, services } = await full();
    const writes: string[] = [];
    const send = (command: any) => {
      if (command.constructor.name === 'TransactWriteCommand') writes.push('write');
      if (writes.length > 1) throw new Error('interrupted');
      return table.client.send(command);
    };
    await expect(remove(place, { force: true, at: withSend(table, send) })).rejects.toThrow('interrupted');
    const begun = await findForcedRemoval(table, 'node', idOf(place));
    expect(begun).toMatchObject({ kind: 'node', id: idOf(place) });
    await expect(addAll(table, service([place]))).rejects.toThrow('is being removed');
    expect(await checkInvariants(table, { inProgress: true })).toEqual([]);
    await remove(place, { force: true });
    expect(new Set(await present(place, ...services))).toEqual(new Set([false]));
    const { objects } = await listRemovals(table, { size: 1, after: undefined }, testTime());
    expect(objects[0]?.removalId).toBe(begun?.removalId);
  });
});
