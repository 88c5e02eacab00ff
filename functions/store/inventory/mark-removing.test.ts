import { StaleRead } from '../../../shared/db/contention.ts';
import { addAll, contextOf, node, service } from '../../../tests/support/store.ts';
import { itemAt, putItem } from '../../../tests/support/table.ts';
import { type Entity, idOf, itemOf, keyOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { dependentsKey } from '../table/keys.ts';
import { writePlan } from './commit.ts';
import { markRemoving } from './mark-removing.ts';
import { newPlan, planChange } from './transaction-plan.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

async function mark(entity: Entity): Promise<void> {
  const plan = newPlan(contextOf());
  markRemoving(plan, entity);
  await writePlan(table, plan);
}
const marks = async (entity: Entity) =>
  Promise.all(
    [keyOf(entity), dependentsKey('node', idOf(entity))].map(async (key) => (await itemAt(table, key))?.['removing']),
  );

test('the object and its dependents counter are marked, and the revision stays', async () => {
  const entity = node({ revision: 3 });
  await addAll(table, entity);
  await mark(entity);
  expect(await marks(entity)).toEqual([true, true]);
  expect((await itemAt(table, keyOf(entity)))?.['revision']).toBe(3);
});

test('neither is marked when the object has changed since the read, or has no counter', async () => {
  const [changed, alone] = [node({ revision: 3 }), node()];
  await addAll(table, changed);
  await expect(mark({ ...changed, object: { ...changed.object, revision: 2 } })).rejects.toBeInstanceOf(StaleRead);
  expect(await marks(changed)).toEqual([undefined, undefined]);
  await putItem(table, itemOf(alone));
  await expect(mark(alone)).rejects.toBeInstanceOf(StaleRead);
  expect(await marks(alone)).toEqual([undefined, undefined]);
  expect(await itemAt(table, dependentsKey('node', idOf(alone)))).toBeUndefined();
});

test('references of a marked object change only through the removal of another object', async () => {
  const [entity, other] = [node(), node()];
  const target = service([entity, other]);
  await addAll(table, entity, other, target);
  await mark(target);
  const marked = await getObject(table, 'service', idOf(target));
  const object = { ...marked.object, node_ids: [idOf(other)], revision: marked.object.revision + 1 };
  const change = (isCascade: boolean) => {
    const plan = newPlan(contextOf());
    planChange(plan, marked, { kind: 'service', object }, { isCascade });
    return writePlan(table, plan);
  };
  await expect(change(false)).rejects.toThrow('is being removed');
  await change(true);
  expect((await getObject(table, 'service', idOf(target))).object).toMatchObject({
    node_ids: [idOf(other)],
    removing: true,
  });
});
