import { randomUUID } from 'node:crypto';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { itemAt } from '../../../tests/support/table.ts';
import { type Entity, type EntityOf, idOf, keyOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { nodeNameClaim, type ObjectKind } from '../table/keys.ts';
import { writePlan } from './commit.ts';
import { markRemoving } from './mark-removing.ts';
import {
  assertNotRemoving,
  assertUnchanged,
  newPlan,
  planAdd,
  planChange,
  type PlanOptions,
  planRemoval,
  type TransactionPlan,
} from './transaction-plan.ts';
import { StaleRead } from '../../../shared/db/contention.ts';
import { testClock } from '../../../tests/support/test-time.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

const { table } = useCheckedTable();

const clock = testClock();

/** Plans and writes once, without another attempt. */
async function write(fill: (plan: TransactionPlan) => void, options: PlanOptions = {}, context = contextOf({ clock })) {
  const plan = newPlan(context, options);
  fill(plan);
  await writePlan(table, plan);
}
const outcome = (fill: (plan: TransactionPlan) => void, options: PlanOptions = {}) =>
  write(fill, options).catch((error: unknown) => error);

const changed = ({ object }: EntityOf<'node'>, more: object): EntityOf<'node'> => ({
  kind: 'node',
  object: { ...object, revision: object.revision + 1, ...more },
});
const exists = async (entity: Entity) => (await itemAt(table, keyOf(entity))) !== undefined;
const refuse = () => new Error('has dependants');
/** The object as the table contains it. */
const stored = <Kind extends ObjectKind>(entity: EntityOf<Kind>): Promise<EntityOf<Kind>> =>
  getObject(table, entity.kind, idOf(entity));

async function existing(more: object = {}): Promise<EntityOf<'node'>> {
  const entity = node({ ...more });
  await addAll(table, entity);
  return stored(entity);
}

describe('an add', () => {
  test('claims its unique values', async () => {
    const entity = await existing({ region: 'eu', address: randomUUID(), container_id: randomUUID() });
    const { node_name, region, address, container_id } = entity.object;
    for (const more of [{ node_name }, { region, address }, { container_id }])
      expect(await outcome((plan) => planAdd(plan, node(more)))).toMatchObject({ kind: 'alreadyExists' });
    expect(await outcome((plan) => planAdd(plan, node({ address })))).toBeUndefined();
  });

  test('with a claim that was read as free is a stale read with its reason', async () => {
    const { node_name } = (await existing()).object;
    const refused = await outcome((plan) =>
      planAdd(plan, node({ node_name }), { claimReadAsFree: nodeNameClaim(node_name) }),
    );
    expect(refused).toBeInstanceOf(StaleRead);
    expect(refused).toMatchObject({ reason: { kind: 'alreadyExists' } });
  });

  test('with a unique value twice in a plan is refused at once', () => {
    const plan = newPlan(contextOf({ clock }));
    planAdd(plan, node({ node_name: 'twice' }));
    expect(() => planAdd(plan, node({ node_name: 'twice' }))).toThrow('Node with name "twice" already exists.');
  });

  test('refers to objects that exist or are added with it', async () => {
    expect(await outcome((plan) => planAdd(plan, service([node()])))).toMatchObject({ kind: 'notFound' });
    const [place, process] = [node(), pmmAgent(node())];
    expect(
      await outcome((plan) => {
        planAdd(plan, place);
        planAdd(plan, service([place]));
      }),
    ).toBeUndefined();
    expect(await outcome((plan) => planAdd(plan, process))).toMatchObject({ kind: 'notFound' });
  });

  test('requires an accepted type', async () => {
    const place = await existing();
    const process = pmmAgent(place);
    const [mysql, postgresql] = [service([place]), service([place], { service_type: 'postgresql' })];
    await addAll(table, process, mysql, postgresql);
    expect(await outcome((plan) => planAdd(plan, exporter(process, [mysql])))).toBeUndefined();
    expect(await outcome((plan) => planAdd(plan, exporter(process, [postgresql])))).toMatchObject({
      kind: 'failedPrecondition',
      message: 'invalid combination of service type postgresql and agent type mysqld_exporter',
    });
    expect(await outcome((plan) => planAdd(plan, exporter(process, [mysql, postgresql])))).toMatchObject({
      kind: 'failedPrecondition',
    });
  });

  test("with an existing id is a stale read, also with the object's unique values", async () => {
    const entity = await existing();
    for (const again of [node({ node_id: idOf(entity) }), entity])
      expect(await outcome((plan) => planAdd(plan, again))).toBeInstanceOf(StaleRead);
  });

  test('has an error that can be attributed to its operation', async () => {
    const { node_name } = (await existing()).object;
    const attributeTo = (error: Error) => Object.assign(error, { operation: 7 }) as never;
    expect(await outcome((plan) => planAdd(plan, node({ node_name }), { attributeTo }))).toMatchObject({
      operation: 7,
    });
    expect(await outcome((plan) => planAdd(plan, service([node()]), { attributeTo }))).toMatchObject({ operation: 7 });
  });
});

describe('a change', () => {
  test('moves the differing derived items', async () => {
    const entity = await existing({ region: 'eu', address: randomUUID() });
    await write((plan) =>
      planChange(plan, entity, changed(entity, { address: randomUUID(), custom_labels: { a: 'b' } })),
    );
    // The old address is free.
    const { region, address } = entity.object;
    expect(await outcome((plan) => planAdd(plan, node({ region, address })))).toBeUndefined();
  });

  test('of an object that has changed since the read is a stale read', async () => {
    const entity = await existing();
    await write((plan) => planChange(plan, entity, changed(entity, { address: 'b' })));
    expect(await outcome((plan) => planChange(plan, entity, changed(entity, { address: 'c' })))).toBeInstanceOf(
      StaleRead,
    );
    expect((await stored(entity)).object.address).toBe('b');
  });

  test('that another request made since the read is a stale read, not a taken unique value', async () => {
    const entity = await existing({ region: 'eu', address: randomUUID() });
    for (const more of [{ region: 'us' }, { container_id: randomUUID() }]) {
      const old = await stored(entity);
      const change = () => outcome((plan) => planChange(plan, old, changed(old, more)));
      expect(await change()).toBeUndefined();
      expect(await change()).toBeInstanceOf(StaleRead);
    }
    const { region, address } = (await stored(entity)).object;
    const other = await existing();
    expect(await outcome((plan) => planChange(plan, other, changed(other, { region, address })))).toMatchObject({
      kind: 'alreadyExists',
    });
  });

  test('of an object whose removal has begun is a stale read, and keeps the mark when read again', async () => {
    const entity = await existing();
    await write((plan) => markRemoving(plan, entity));
    const change = (old: EntityOf<'node'>) => outcome((plan) => planChange(plan, old, changed(old, { address: 'b' })));
    expect(await change(entity)).toBeInstanceOf(StaleRead);
    const marked = await stored(entity);
    expect(await change(marked)).toBeUndefined();
    expect((await stored(entity)).object).toMatchObject({ address: 'b', removing: true });
    const again = await stored(entity);
    await write((plan) => planRemoval(plan, again, refuse));
  });
});

describe('a removal', () => {
  test('frees the unique values', async () => {
    const entity = await existing({ region: 'eu', address: randomUUID(), container_id: randomUUID() });
    await write((plan) => planRemoval(plan, entity, refuse));
    const { node_name, region, address, container_id } = entity.object;
    expect(await outcome((plan) => planAdd(plan, node({ node_name, region, address, container_id })))).toBeUndefined();
  });

  test('gives its list entries to an object that the same atomic plan added before', async () => {
    const old = await existing({ region: 'eu', custom_labels: { team: 'a' } });
    const { node_name, region, custom_labels } = old.object;
    const next = node({ node_name, region, custom_labels });
    await write(
      (plan) => {
        planAdd(plan, next);
        planRemoval(plan, old, refuse);
      },
      { isAtomic: true },
    );
    expect([await exists(old), await exists(next)]).toEqual([false, true]);
    expect(await checkInvariants(table)).toEqual([]);
  });

  test('of an object with dependants fails, unless the plan removes them before', async () => {
    const place = await existing();
    const added = [service([place]), service([place])] as const;
    await addAll(table, ...added);
    const [first, second] = [await stored(added[0]), await stored(added[1])];
    expect(await outcome((plan) => planRemoval(plan, place, refuse))).toMatchObject({ message: 'has dependants' });
    expect(
      await outcome((plan) => {
        planRemoval(plan, first, refuse);
        planRemoval(plan, place, refuse);
      }),
    ).toMatchObject({ message: 'has dependants' });
    expect(await exists(first)).toBe(true);
    await write((plan) => {
      for (const entity of [first, second, place]) planRemoval(plan, entity, refuse);
    });
    expect(await exists(place)).toBe(false);
  });

  test('of an object that gets a dependant in the plan is refused at once, in either order', async () => {
    const place = await existing();
    const more = service([place]);
    const plan = newPlan(contextOf({ clock }));
    planAdd(plan, more);
    expect(() => planRemoval(plan, place, refuse)).toThrow('has dependants');
    const other = newPlan(contextOf({ clock }));
    planRemoval(other, place, refuse);
    expect(() => planAdd(other, more)).toThrow('not found');
    const dependant = service([place]);
    await addAll(table, dependant);
    const third = newPlan(contextOf({ clock }));
    planRemoval(third, place, refuse);
    expect(() => planRemoval(third, dependant, refuse)).toThrow('has dependants');
  });

  test('of an object that has changed since the read is a stale read', async () => {
    const entity = await existing();
    await write((plan) => planChange(plan, entity, changed(entity, { address: 'b' })));
    expect(await outcome((plan) => planRemoval(plan, entity, refuse))).toBeInstanceOf(StaleRead);
    expect(await exists(entity)).toBe(true);
  });
});

describe('a unique value that moves between objects', () => {
  const swap = (isAtomic: boolean) => async () => {
    const [left, right] = [
      await existing({ container_id: randomUUID() }),
      await existing({ container_id: randomUUID() }),
    ];
    const ids = [left.object.container_id, right.object.container_id] as const;
    const swapped = await outcome(
      (plan) => {
        planChange(plan, left, changed(left, { container_id: ids[1] }));
        planChange(plan, right, changed(right, { container_id: ids[0] }));
      },
      { isAtomic },
    );
    return { swapped, now: [(await stored(left)).object.container_id, (await stored(right)).object.container_id], ids };
  };

  test('may be taken before it is freed only in an atomic plan', async () => {
    const atomic = await swap(true)();
    expect([atomic.swapped, atomic.now]).toEqual([undefined, [atomic.ids[1], atomic.ids[0]]]);
    const serial = await swap(false)();
    expect(serial.swapped).toMatchObject({ kind: 'alreadyExists' });
    expect(serial.now).toEqual(serial.ids);
  });

  test('may be taken after it is freed in any plan', async () => {
    const entity = await existing({ custom_labels: { a: 'b' } });
    const next = node({ node_name: entity.object.node_name, custom_labels: { a: 'b' } });
    await write((plan) => {
      planRemoval(plan, entity, refuse);
      planAdd(plan, next);
    });
    expect([await exists(entity), await exists(next)]).toEqual([false, true]);
  });
});

describe('conditions of a plan', () => {
  test('require an object as it was read', async () => {
    const entity = await existing();
    const other = await existing();
    const change = () =>
      outcome((plan) => {
        assertUnchanged(plan, entity);
        planChange(plan, other, changed(other, { address: 'b' }));
      });
    await write((plan) => planChange(plan, entity, changed(entity, { address: 'b' })));
    expect(await change()).toBeInstanceOf(StaleRead);
    expect((await stored(other)).object.address).not.toBe('b');
  });

  test('require that an object is not being removed', async () => {
    const entity = await existing();
    await write((plan) => markRemoving(plan, entity));
    const other = node();
    const refused = await outcome((plan) => {
      assertNotRemoving(plan, entity);
      planAdd(plan, other);
    });
    expect(refused).toMatchObject({ kind: 'failedPrecondition', message: expect.stringContaining('is being removed') });
    expect(await exists(other)).toBe(false);
    const marked = await stored(entity);
    await write((plan) => planRemoval(plan, marked, refuse));
  });

  test('refuse objects outside the scope, before and after the change', async () => {
    const [ownNode, other] = [await existing(), await existing()];
    const scoped = contextOf({ scope: idOf(ownNode) });
    const plan = newPlan(scoped);
    const denied = expect.objectContaining({ kind: 'permissionDenied' });
    const [mine, theirs] = [service([ownNode]), service([other])];
    for (const attempt of [
      () => planAdd(plan, theirs),
      () => planRemoval(plan, theirs, refuse),
      () => planChange(plan, mine, { kind: 'service', object: { ...mine.object, node_ids: [idOf(other)] } }),
      () => planChange(plan, theirs, { kind: 'service', object: { ...theirs.object, node_ids: [idOf(ownNode)] } }),
    ])
      expect(attempt).toThrow(denied);
    expect(() => planAdd(plan, mine)).not.toThrow();
  });
});
