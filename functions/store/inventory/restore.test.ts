import type { Table } from '../../../shared/db/table.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service, presenceOf } from '../../../tests/support/store.ts';
import { disturbed, withSend } from '../../../tests/support/table.ts';
import { type Entity, type EntityOf, idOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { readHistory } from '../history/object-history.ts';
import { listRemovals } from '../history/removal-record.ts';
import { removeObject } from './remove.ts';
import { restoreRemoval } from './restore.ts';
import { testClock, testTime } from '../../../tests/support/test-time.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

/** The labels of a service; three such services are more than one transaction. */
const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 'v']));

const { table } = useCheckedTable();

const WEEK = 7 * 86_400_000;

const ticking = testClock();

/** Removes an object with its dependants; resolves to the id of the removal. */
async function remove(entity: Entity): Promise<string> {
  const options = { force: true, ifMatch: undefined, writeContext: contextOf({ clock: ticking }) };
  await removeObject(table, entity.kind, idOf(entity), options);
  const { objects } = await listRemovals(table, { size: 1, after: undefined }, testTime());
  return objects[0]!.removalId;
}

const restore = async (removalId: string, at = table, clock = ticking) => {
  const { restored, kept } = await restoreRemoval(at, removalId, contextOf({ clock }));
  return { restored: restored.map(({ id }) => id), kept: kept.map(({ object, error }) => [object.id, error.kind]) };
};

const present = (...entities: readonly Entity[]) => presenceOf(table, ...entities);

async function host() {
  const place = node();
  const process = pmmAgent(place);
  const target = service([place]);
  const agent = exporter(process, [target], { registered: true });
  await addAll(table, place, process, target, agent);
  return { place, process, target, agent };
}

test('objects return with their ids, referenced ones first', async () => {
  const { place, process, target, agent } = await host();
  const removalId = await remove(place);
  expect(await restore(removalId)).toEqual({ restored: [place, target, process, agent].map(idOf), kept: [] });
  const { last_change: _, ...returned } = (await getObject(table, 'node', idOf(place))).object;
  expect(returned).toEqual({ ...place.object, revision: 2, updated_at: expect.any(String) });
});

test('an agent returns without the claim of its natural key', async () => {
  const { place, agent } = await host();
  await restore(await remove(place));
  expect((await getObject(table, 'agent', idOf(agent))).object).not.toHaveProperty('registered');
});

test('the removal stays in the history of the object', async () => {
  const entity = node();
  await addAll(table, entity);
  await restore(await remove(entity));
  const asked = { kind: 'node', id: idOf(entity), scope: undefined } as const;
  const { objects } = await readHistory(table, asked, { size: 9, after: undefined, now: testTime() });
  expect(objects.map(({ action }) => action)).toEqual(['added', 'removed', 'added']);
});

test('a removal is restored once, and within a week', async () => {
  const entity = node();
  await addAll(table, entity);
  const removalId = await remove(entity);
  const late = restore(removalId, table, () => testTime(WEEK + 1000));
  await expect(late).rejects.toMatchObject({ kind: 'notFound' });
  await restore(removalId);
  await expect(restore(removalId)).rejects.toMatchObject({ kind: 'notFound' });
});

test('of two simultaneous requests one restores it', async () => {
  const entity = node();
  await addAll(table, entity);
  const removalId = await remove(entity);
  const second = restore(
    removalId,
    disturbed(table, () => restore(removalId)),
  );
  await expect(second).rejects.toMatchObject({ kind: 'notFound' });
  expect(await present(entity)).toEqual([true]);
});

describe('all or nothing', () => {
  test('a taken name refuses the restoration', async () => {
    const { place, target } = await host();
    const removalId = await remove(place);
    const other = node({ node_name: place.object.node_name });
    await addAll(table, other);
    await expect(restore(removalId)).rejects.toMatchObject({ kind: 'alreadyExists' });
    expect(await present(place, target)).toEqual([false, false]);
    await remove(other);
    expect((await restore(removalId)).restored).toHaveLength(4);
  });

  test('a missing dependency is a failed precondition, because the removal itself was found', async () => {
    const { place, target } = await host();
    const ofService = await remove(target);
    await remove(place);
    await expect(restore(ofService)).rejects.toMatchObject({ kind: 'failedPrecondition' });
  });

  test('an object that exists again refuses the restoration', async () => {
    const { place } = await host();
    const removalId = await remove(place);
    await addAll(table, node({ node_id: idOf(place), last_change: undefined }));
    await expect(restore(removalId)).rejects.toMatchObject({
      kind: 'alreadyExists',
      message: `Node with ID "${idOf(place)}" already exists.`,
    });
    await remove(await getObject(table, 'node', idOf(place)));
  });
});

describe('more objects than fit one transaction', () => {
  async function removed() {
    const place: EntityOf<'node'> = node();
    const services = Array.from({ length: 3 }, () => service([place], { custom_labels: labels }));
    await addAll(table, place);
    for (const member of services) await addAll(table, member);
    return { place, services, removalId: await remove(place) };
  }

  test('return one by one; others are kept with the reason and can return later', async () => {
    const { place, services, removalId } = await removed();
    const [first] = services;
    const other = service([], { service_name: first!.object.service_name });
    await addAll(table, other);
    const { restored, kept } = await restore(removalId);
    expect(new Set(restored)).toEqual(new Set([place, ...services.slice(1)].map(idOf)));
    expect(kept).toEqual([[idOf(first!), 'alreadyExists']]);
    await remove(other);
    expect(await restore(removalId)).toEqual({ restored: [idOf(first!)], kept: [] });
    await expect(restore(removalId)).rejects.toMatchObject({ kind: 'notFound' });
  });

  /** The table; before each transaction `work` runs, with the number of the transaction. */
  function watched(work: (transaction: number) => Promise<unknown>): Table {
    let count = 0;
    const send = async (command: any) => {
      if (command.constructor.name === 'TransactWriteCommand') {
        count += 1;
        await work(count);
      }
      return table.client.send(command);
    };
    return withSend(table, send);
  }

  test('are restored by one of two simultaneous requests, and the other finds nothing', async () => {
    const { place, services, removalId } = await removed();
    const winner: unknown[] = [];
    const at = watched(async (transaction) => {
      if (transaction === 1) winner.push(await restore(removalId));
    });
    await expect(restore(removalId, at)).rejects.toMatchObject({ kind: 'notFound' });
    expect(winner).toMatchObject([{ restored: { length: 4 }, kept: [] }]);
    expect(new Set(await present(place, ...services))).toEqual(new Set([true]));
  });

  test('are restored by one request at a time, and a second one is refused at every moment', async () => {
    const { removalId } = await removed();
    const others: unknown[] = [];
    const at = watched(async (transaction) => {
      if (transaction > 1) others.push(await restore(removalId).catch((error: unknown) => error));
    });
    expect(await restore(removalId, at)).toMatchObject({ restored: { length: 4 }, kept: [] });
    expect(others.length).toBeGreaterThanOrEqual(4);
    const message = expect.stringContaining('another request is restoring it');
    for (const failure of others.slice(0, 4)) expect(failure).toMatchObject({ kind: 'notFound', message });
  });

  test('can be restored again at once, because the reservation ends with its request', async () => {
    const { services, removalId } = await removed();
    const others = services.map(({ object }) => service([], { service_name: object.service_name }));
    for (const other of others) await addAll(table, other);
    expect((await restore(removalId)).kept).toHaveLength(3);
    for (const other of others) await remove(other);
    expect((await restore(removalId)).restored).toHaveLength(3);
  });

  test('are restored by a later request when the first process ended', async () => {
    const { removalId } = await removed();
    const at = watched((transaction) =>
      transaction > 2 ? Promise.reject(new Error('the process ended')) : Promise.resolve(),
    );
    await expect(restore(removalId, at)).rejects.toThrow('the process ended');
    await expect(restore(removalId)).rejects.toMatchObject({ kind: 'notFound' });
    expect(await restore(removalId, table, () => testTime(21_000))).toMatchObject({
      restored: { length: 3 },
      kept: [],
    });
  });

  test('stay kept if they exist again', async () => {
    const { place, removalId } = await removed();
    await addAll(table, node({ node_id: idOf(place), node_name: place.object.node_name }));
    expect((await restore(removalId)).kept).toEqual([[idOf(place), 'alreadyExists']]);
    await remove(await getObject(table, 'node', idOf(place)));
  });
});
