import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../shared/core/errors.ts';
import { contextOf, node } from '../../../tests/support/store.ts';
import { disturbed, fakeTable, itemAt } from '../../../tests/support/table.ts';
import { type Entity, keyOf } from '../entities/entity.ts';
import { commit, commitOnce, fitsOneTransaction, TransactionTooLarge, writePlan } from './commit.ts';
import { changeObject } from './entities.ts';
import { countTransactItems } from './transact-items.ts';
import { MAX_TRANSACTION_BYTES } from './transaction-bytes.ts';
import { assertUnchanged, newPlan, planAdd, planChange, type TransactionPlan } from './transaction-plan.ts';
import { getObject } from '../entities/get.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const exists = async (entity: Entity) => (await itemAt(table, keyOf(entity))) !== undefined;

/** A node that adds this many items to a plan: one for each of its labels. */
const labelled = (labels: number) =>
  node({ custom_labels: Object.fromEntries(Array.from({ length: labels }, (_, index) => [`k${index}`, 'v'])) });

/** A plan of this many items. */
function planOf(items: number): TransactionPlan {
  const plan = newPlan(contextOf());
  const least = node();
  planAdd(plan, least);
  const leastItems = countTransactItems(plan);
  for (let left = items - leastItems; left > 0; left = items - countTransactItems(plan))
    planAdd(plan, labelled(Math.min(32, Math.max(0, left - leastItems))));
  expect(countTransactItems(plan)).toBe(items);
  return plan;
}

/** A plan of two nodes with this many bytes in all. */
function largePlan(bytes: number, nodes = 2): TransactionPlan {
  const plan = newPlan(contextOf());
  const empty = Array.from({ length: nodes }, () => node({ model: '' }));
  const rest = bytes - empty.reduce((sum, { object }) => sum + Buffer.byteLength(JSON.stringify(object)), 0);
  for (const [index, { object }] of empty.entries())
    planAdd(plan, { kind: 'node', object: { ...object, model: 'x'.repeat(index === 0 ? rest : 0) } });
  return plan;
}

describe('a transaction', () => {
  test('has at most 100 items', async () => {
    expect([fitsOneTransaction(planOf(100)), fitsOneTransaction(planOf(101))]).toEqual([true, false]);
    await writePlan(table, planOf(100));
    const refused = writePlan(table, planOf(101));
    await expect(refused).rejects.toBeInstanceOf(TransactionTooLarge);
    await expect(refused).rejects.toMatchObject({ items: 101, kind: 'failedPrecondition' });
  });

  test('has a limit of bytes, but one object always fits', async () => {
    expect(fitsOneTransaction(largePlan(MAX_TRANSACTION_BYTES))).toBe(true);
    expect(fitsOneTransaction(largePlan(MAX_TRANSACTION_BYTES + 1))).toBe(false);
    const none = fakeTable((command) => (command === 'QueryCommand' ? { Items: [] } : {}));
    await expect(writePlan(none, largePlan(MAX_TRANSACTION_BYTES))).resolves.toBeUndefined();
    await expect(writePlan(none, largePlan(MAX_TRANSACTION_BYTES + 1))).rejects.toMatchObject({ items: undefined });
    await expect(writePlan(none, largePlan(MAX_TRANSACTION_BYTES + 1, 1))).resolves.toBeUndefined();
  });

  test('with only conditions is not written', async () => {
    const plan = newPlan(contextOf());
    assertUnchanged(plan, node());
    const none = fakeTable(() => {
      throw new Error('not to be called');
    });
    await expect(writePlan(none, plan)).resolves.toBeUndefined();
    plan.removalMarks.push({ delete: { pk: 'x', sk: 'x' } });
    await expect(writePlan(none, plan)).rejects.toThrow('not to be called');
  });
});

test('a plan is filled again after a concurrent change', async () => {
  const entity = node({ address: 'a' });
  await commit(table, contextOf(), (plan) => planAdd(plan, entity));
  const id = entity.object.node_id;
  const change = (more: object) =>
    changeObject(table, { kind: 'node', id, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
      ...old,
      ...more,
    }));
  let fills = 0;
  const result = await commit(
    disturbed(table, () => change({ region: 'eu' })),
    contextOf(),
    async (plan) => {
      fills += 1;
      const old = await getObject(table, 'node', id);
      const { revision } = old.object;
      planChange(plan, old, { kind: 'node', object: { ...old.object, address: 'b', revision: revision + 1 } });
      return fills;
    },
  );
  expect(result).toBe(2);
  expect((await getObject(table, 'node', id)).object).toMatchObject({ address: 'b', region: 'eu', revision: 3 });
});

test('without time it is not tried again', async () => {
  const entity = node();
  let fills = 0;
  const failing = commit(
    disturbed(table, () => commit(table, contextOf(), (plan) => planAdd(plan, entity))),
    contextOf(),
    (plan) => {
      fills += 1;
      planAdd(plan, entity);
    },
    { patienceMs: -1 },
  );
  await expect(failing).rejects.toBeInstanceOf(ApiError);
  expect(fills).toBe(1);
});

describe('under an Idempotency-Key', () => {
  const idempotency = () => ({ callerId: 'c', keyHash: randomUUID(), requestHash: 'r' });
  const add = (entity: ReturnType<typeof node>, key: ReturnType<typeof idempotency> | undefined, at = table) =>
    commitOnce(
      at,
      { writeContext: contextOf(), idempotency: key },
      async (plan) => {
        await Promise.resolve();
        planAdd(plan, entity);
        return entity.object.node_name;
      },
      (name) => ({ name }),
    );

  test('a request takes effect once, and a repetition gets the stored result', async () => {
    const key = idempotency();
    const [first, second] = [node(), node()];
    const name = first.object.node_name;
    expect(await add(first, key)).toEqual({ result: name });
    expect(await add(second, key)).toEqual({ repeated: { name } });
    expect(await exists(second)).toBe(false);
    // The repeated request would fail now: its name is taken.
    expect(await add(first, key)).toEqual({ repeated: { name } });
  });

  test('simultaneous requests take effect once', async () => {
    const key = idempotency();
    const first = node();
    const name = first.object.node_name;
    expect(
      await add(
        node(),
        key,
        disturbed(table, () => add(first, key)),
      ),
    ).toEqual({ repeated: { name } });
  });

  test('a request without an effect returns its own error', async () => {
    const entity = node();
    await add(entity, undefined);
    await expect(add(node({ node_name: entity.object.node_name }), idempotency())).rejects.toMatchObject({
      kind: 'alreadyExists',
    });
  });

  test('a table that does not answer is not read again', async () => {
    const commands: string[] = [];
    const silent = fakeTable((command) => {
      commands.push(command);
      throw new ApiError('unavailable', 'no reply');
    });
    await expect(add(node(), idempotency(), silent)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(commands).not.toContain('GetCommand');
  });

  test('each request without a key takes effect', async () => {
    const [first, second] = [node(), node()];
    for (const entity of [first, second])
      expect(await add(entity, undefined)).toEqual({ result: entity.object.node_name });
    expect([await exists(first), await exists(second)]).toEqual([true, true]);
  });
});
