import { randomUUID } from 'node:crypto';
import type { Table } from '../../../shared/db/table.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { disturbed } from '../../../tests/support/table.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { findObjects, getObject } from '../entities/get.ts';
import { commit } from './commit.ts';
import { addObject, changeObject, importObject, placeOf } from './entities.ts';
import { markRemoving } from './mark-removing.ts';
import { removeObject } from './remove.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

const { table } = useCheckedTable();

const change = (
  id: string,
  more: object,
  { scope, ifMatch, at = table }: { scope?: string; ifMatch?: number[]; at?: Table } = {},
) =>
  changeObject(at, { kind: 'node', id, ifMatch, writeContext: contextOf({ scope }) }, (old) => ({ ...old, ...more }));

async function existing(more: object = {}) {
  const entity = node({ ...more });
  await addAll(table, entity);
  return entity;
}

test('an add reads what it needs again for each attempt', async () => {
  const entity = node();
  let made = 0;
  const addition = { kind: 'node', idempotency: undefined, writeContext: contextOf() } as const;
  const added = await addObject(table, addition, () => {
    made += 1;
    return entity.object;
  });
  expect([idOf(added), made]).toEqual([idOf(entity), 1]);
});

describe('a change', () => {
  test('increases the revision and the time', async () => {
    const entity = await existing({ address: 'a' });
    const { object } = await change(idOf(entity), { address: 'b' });
    expect(object).toMatchObject({ address: 'b', revision: 2 });
    expect(object.updated_at >= entity.object.updated_at).toBe(true);
  });

  test('that changes nothing is not written', async () => {
    const entity = await existing();
    expect((await change(idOf(entity), { address: entity.object.address })).object.revision).toBe(1);
    expect((await getObject(table, 'node', idOf(entity))).object.revision).toBe(1);
  });

  test('requires the revision of If-Match, and the scope', async () => {
    const entity = await existing();
    const id = idOf(entity);
    await expect(change(id, { address: 'b' }, { ifMatch: [2] })).rejects.toMatchObject({
      kind: 'revisionMismatch',
      message: 'Node is at revision 1.',
    });
    await expect(change(id, { address: 'b' }, { scope: 'another' })).rejects.toMatchObject({
      kind: 'permissionDenied',
    });
    await expect(change('missing', {})).rejects.toMatchObject({ kind: 'notFound' });
    expect((await change(id, { address: 'b' }, { ifMatch: [1], scope: id })).object.revision).toBe(2);
  });

  test('keeps a concurrent change', async () => {
    const entity = await existing();
    const at = disturbed(table, () => change(idOf(entity), { region: 'eu' }));
    expect((await change(idOf(entity), { address: 'b' }, { at })).object).toMatchObject({
      region: 'eu',
      address: 'b',
      revision: 3,
    });
  });

  test('that another request makes at the same time is made once', async () => {
    const entity = await existing({ address: randomUUID() });
    const at = disturbed(table, () => change(idOf(entity), { region: 'eu' }));
    expect((await change(idOf(entity), { region: 'eu' }, { at })).object).toMatchObject({ region: 'eu', revision: 2 });
  });

  test("of a reference is refused during the object's removal, a change of other fields is not", async () => {
    const [place, other] = [await existing(), await existing()];
    const target = service([place]);
    await addAll(table, target);
    const asked = { kind: 'service', id: idOf(target), ifMatch: undefined, writeContext: contextOf() } as const;
    const now = await getObject(table, 'service', idOf(target));
    await commit(table, contextOf(), (plan) => markRemoving(plan, now));
    for (const ids of [[idOf(other)], [], [idOf(place), idOf(other)]])
      await expect(changeObject(table, asked, (old) => ({ ...old, node_ids: ids }))).rejects.toMatchObject({
        kind: 'failedPrecondition',
      });
    await expect(changeObject(table, asked, (old) => ({ ...old, port: 1 }))).resolves.toBeDefined();
    await removeObject(table, 'service', idOf(target), { force: false, ifMatch: undefined, writeContext: contextOf() });
  });

  test('of a marked object fails when the object has changed since the read', async () => {
    const entity = await existing();
    await change(idOf(entity), { address: 'b' });
    const writeContext = contextOf();
    await expect(
      commit(table, writeContext, (plan) => markRemoving(plan, entity), { patienceMs: -1 }),
    ).rejects.toBeDefined();
    expect((await getObject(table, 'node', idOf(entity))).object).not.toHaveProperty('removing');
  });
});

describe('an import', () => {
  const imported = (entity: Entity, seen: Entity | undefined, address: string, at = table) =>
    importObject(
      at,
      { kind: entity.kind, id: idOf(entity), seen, writeContext: contextOf() },
      {
        make: () => Promise.resolve({ ...entity.object, address }),
        next: (old) => ({ ...old.object, address }),
      },
    );
  const address = async (entity: Entity) =>
    (await findObjects(table, [{ kind: entity.kind, id: idOf(entity) }]))[0]?.object['address'];

  test('adds, changes or keeps an object', async () => {
    const entity = node();
    expect(await imported(entity, undefined, 'a')).toBe('added');
    const seen = await getObject(table, 'node', idOf(entity));
    expect(await imported(entity, seen, 'a')).toBe('unchanged');
    expect(await imported(entity, seen, 'b')).toBe('changed');
    expect(await address(entity)).toBe('b');
  });

  test('reads an object again that was changed or added since the read', async () => {
    const entity = node();
    expect(
      await imported(
        entity,
        undefined,
        'b',
        disturbed(table, () => imported(entity, undefined, 'a')),
      ),
    ).toBe('changed');
    const seen = await getObject(table, 'node', idOf(entity));
    await change(idOf(entity), { region: 'us' });
    expect(await imported(entity, seen, 'c')).toBe('changed');
    expect((await getObject(table, 'node', idOf(entity))).object).toMatchObject({ address: 'c', region: 'us' });
  });

  test('is refused with the name of another object', async () => {
    const other = await existing();
    const entity = node({ node_name: other.object.node_name });
    await expect(imported(entity, undefined, 'a')).rejects.toMatchObject({ kind: 'alreadyExists' });
  });
});

test('an agent has the place of its pmm_agent', async () => {
  const place = node();
  const process = pmmAgent(place);
  const agent = exporter(process, []);
  await addAll(table, place, process, agent);
  expect(await placeOf(table, {})).toEqual({});
  expect(await placeOf(table, { pmm_agent_id: idOf(process) })).toEqual({
    pmm_agent_id: idOf(process),
    runs_on_node_id: idOf(place),
  });
  await expect(placeOf(table, { pmm_agent_id: idOf(agent) })).rejects.toMatchObject({ kind: 'failedPrecondition' });
  await expect(placeOf(table, { pmm_agent_id: randomUUID() })).rejects.toMatchObject({ kind: 'notFound' });
});
