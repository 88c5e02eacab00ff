/** The writes of an Editor with owners, when another request is the first to write the same objects. */
import type { Table } from '../../../shared/db/table.ts';
import { addAll, addIn, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { disturbed } from '../../../tests/support/table.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { findObjects, getObject } from '../entities/get.ts';
import { addObject, changeObject, importObject } from './entities.ts';
import { markRemoving } from './mark-removing.ts';
import { commit } from './commit.ts';
import { removeObject } from './remove.ts';
import { restoreRemoval } from './restore.ts';
import { listRemovals } from '../history/removal-record.ts';
import { writeAtomically } from './write-many.ts';
import { testClock, testTime } from '../../../tests/support/test-time.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

const { table } = useCheckedTable();

const ofA = { custom_labels: { team: 'a' } };
const ofB = { custom_labels: { team: 'b' } };
const clock = testClock();
const teamA = () => contextOf({ clock, limit: { label: 'team', owners: ['a'] } });
const denied = { kind: 'permissionDenied' };

async function added<One extends Entity>(...entities: readonly [One, ...Entity[]]): Promise<One> {
  await addAll(table, ...entities);
  return entities[0];
}

const stored = async (entity: Entity) =>
  (await findObjects(table, [{ kind: entity.kind, id: idOf(entity) }]))[0]?.object;

const giveToB = (entity: Entity) =>
  changeObject(
    table,
    { kind: entity.kind, id: idOf(entity), ifMatch: undefined, writeContext: contextOf({ clock }) },
    (old) => ({
      ...old,
      ...ofB,
    }),
  );

const removal = { force: false, ifMatch: undefined, writeContext: contextOf({ clock }) };

/** Removes the object and adds one of team b with the same id and the same revision, as an import can. */
async function replaceByOneOfB(entity: Entity): Promise<void> {
  await removeObject(table, entity.kind, idOf(entity), removal);
  await addIn(contextOf({ clock }), table, { ...entity, object: { ...entity.object, ...ofB } } as Entity);
}

/** What others can do to an object between the check and the write of its team a. */
const meanwhile = { 'given to another team': giveToB, 'replaced by one of another team': replaceByOneOfB };

/** The writes of team a to an object of its own, or below it. */
const writes = {
  'a change': (at, id) =>
    changeObject(at, { kind: 'node', id, ifMatch: undefined, writeContext: teamA() }, (old) => ({
      ...old,
      region: 'changed',
    })),
  'a removal': (at, id) => removeObject(at, 'node', id, { ...removal, writeContext: teamA() }),
  'a forced removal': (at, id) => removeObject(at, 'node', id, { ...removal, force: true, writeContext: teamA() }),
  'an import': async (at, id) => {
    const seen = await getObject(table, 'node', id);
    const next = ({ object }: Entity) => ({ ...object, region: 'changed' });
    const target = { kind: 'node', id, seen, writeContext: teamA() } as const;
    return importObject(at, target, { make: () => Promise.resolve({ ...seen.object }), next });
  },
  'an add below it': async (at, id) => {
    const parent = await getObject(table, 'node', id);
    const addition = { kind: 'service', idempotency: undefined, writeContext: teamA() } as const;
    return addObject(at, addition, () => service([parent], ofA).object);
  },
} satisfies Record<string, (at: Table, id: string) => Promise<unknown>>;

describe.each(Object.entries(meanwhile))('when an object of a team is %s between check and write', (_, replace) => {
  test.each(Object.entries(writes))('%s is checked again and refused', async (_name, write) => {
    const entity = await added(node(ofA));
    const at = disturbed(table, () => replace(entity));
    await expect(write(at, idOf(entity))).rejects.toMatchObject(denied);
    expect(await stored(entity)).toMatchObject(ofB);
    expect(await stored(entity)).not.toHaveProperty('region');
  });

  test('a step of an earlier plan is refused', async () => {
    const entity = await added(node(ofA));
    const old = await getObject(table, 'node', idOf(entity));
    const next = { ...old, object: { ...old.object, region: 'changed', revision: 2 } } as Entity;
    const at = disturbed(table, () => replace(entity));
    await expect(writeAtomically(at, [{ old, next }], teamA())).rejects.toMatchObject({ kind: 'revisionMismatch' });
    expect(await stored(entity)).not.toHaveProperty('region');
  });

  test('the mark of a removal is refused', async () => {
    const entity = await added(node(ofA));
    const old = await getObject(table, 'node', idOf(entity));
    await replace(entity);
    const marked = commit(table, teamA(), (plan) => markRemoving(plan, old), { patienceMs: -1 });
    await expect(marked).rejects.toBeDefined();
    expect(await stored(entity)).not.toHaveProperty('removing');
  });
});

test('a forced removal is refused as a whole when a dependant was given to another team at the same time', async () => {
  const place = node(ofA);
  const target = service([place], ofA);
  const process = pmmAgent(place, ofA);
  const watching = exporter(process, [target], ofA);
  await added(place, target, process, watching);
  const at = disturbed(table, () => giveToB(watching));
  const forced = removeObject(at, 'node', idOf(place), { ...removal, force: true, writeContext: teamA() });
  await expect(forced).rejects.toMatchObject(denied);
  for (const entity of [place, target, process, watching]) expect(await stored(entity)).toBeDefined();
});

test('a restoration is refused when its parent was given to another team at the same time', async () => {
  const place = await added(node(ofA));
  const target = await added(service([place], ofA));
  await removeObject(table, 'service', idOf(target), removal);
  const { objects } = await listRemovals(table, { size: 100, after: undefined }, testTime());
  const { removalId } = objects.find((listed) => listed.objects.some(({ id }) => id === idOf(target)))!;
  const at = disturbed(table, () => giveToB(place));
  await expect(restoreRemoval(at, removalId, teamA())).rejects.toMatchObject(denied);
  expect(await stored(target)).toBeUndefined();
});
