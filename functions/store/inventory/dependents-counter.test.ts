import { StaleRead } from '../../../shared/db/contention.ts';
import { transact } from '../../../shared/db/transact.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { itemAt, putItem } from '../../../tests/support/table.ts';
import type { Dependency } from '../entities/derived-items.ts';
import { dependentsKey } from '../table/keys.ts';
import {
  count,
  dependentsChange,
  type DependentsChange,
  dependentsItem,
  newDependentsCounter,
  refusalOf,
  unattributed,
} from './dependents-counter.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const AT = 1000;
let ids = 0;

/** A counter in the table; resolves to the id of its object. */
async function counter(more: object = {}): Promise<string> {
  ids += 1;
  const id = `id ${ids}`;
  const zeros = { services: 0, agents: 0, pmm_agents: 0, insights: 0 };
  await putItem(table, { ...dependentsKey('node', id), type: 'generic', ...zeros, at: AT, ...more });
  return id;
}

const stored = (id: string) => itemAt(table, dependentsKey('node', id));

const dependency = (id: string, more: Partial<Dependency> = {}): Dependency => ({
  kind: 'node',
  id,
  counter: 'services',
  ...more,
});
const requires = (id: string, more: Partial<Dependency> = {}) => ({
  ...dependency(id, more),
  attributeTo: unattributed,
});

async function write(id: string, fill: (change: DependentsChange) => void, at = AT + 1) {
  const context = contextOf();
  const change = dependentsChange({ dependentsChanges: new Map() }, 'node', id);
  fill(change);
  const error: unknown = await transact(table, [dependentsItem(change, context, at)]).catch(
    (reason: unknown) => reason,
  );
  return { error, minTimestamp: context.minTimestamp };
}

test('only objects with possible dependants have a counter', () => {
  const place = node();
  const process = pmmAgent(place);
  expect(newDependentsCounter(place)).toEqual({
    ...dependentsKey('node', place.object.node_id),
    type: 'generic',
    services: 0,
    agents: 0,
    pmm_agents: 0,
    insights: 0,
  });
  expect(newDependentsCounter(service())).toMatchObject({ type: 'mysql' });
  expect(newDependentsCounter(process)).toMatchObject({ type: 'pmm_agent' });
  expect(newDependentsCounter(exporter(process, []))).toBeUndefined();
});

test('changes of one counter are combined in one item', () => {
  const plan = { dependentsChanges: new Map<string, DependentsChange>() };
  const change = dependentsChange(plan, 'node', 'x');
  count(change, 'services', 1);
  count(dependentsChange(plan, 'node', 'x'), 'services', 1);
  count(dependentsChange(plan, 'node', 'x'), 'agents', -1);
  expect(change.deltas).toEqual(
    new Map([
      ['services', 2],
      ['agents', -1],
    ]),
  );
  expect(dependentsChange(plan, 'service', 'x')).not.toBe(change);
  expect(plan.dependentsChanges.size).toBe(2);
});

describe('a dependant', () => {
  const add = (change: DependentsChange) => {
    change.required.push(requires(change.id));
    change.mustNotBeRemoving = true;
    count(change, 'services', 1);
  };

  test('is counted, and only its loss is noted with its time', async () => {
    const id = await counter();
    expect(await write(id, add)).toMatchObject({ error: undefined });
    expect(await stored(id)).toMatchObject({ services: 1, agents: 0, at: AT });
    await write(id, (change) => {
      count(change, 'services', -1);
      change.losesDependant = true;
    });
    expect(await stored(id)).toMatchObject({ services: 0, at: AT + 1 });
    // One is lost and another one is added: the numbers stay, the time does not.
    await write(
      id,
      (change) => {
        change.losesDependant = true;
      },
      AT + 7,
    );
    expect(await stored(id)).toMatchObject({ services: 0, at: AT + 7 });
  });

  test('needs a later time than the last loss, which the next attempt knows', async () => {
    const id = await counter();
    for (const at of [AT - 1, AT]) {
      const { error, minTimestamp } = await write(id, add, at);
      expect(error).toBeInstanceOf(StaleRead);
      expect(minTimestamp).toBe(AT);
    }
    expect((await write(id, add, AT + 1)).error).toBeUndefined();
    const without = await counter({ at: undefined });
    expect((await write(without, add, 0)).error).toBeUndefined();
  });

  test('of a missing object, or of one being removed, is refused', async () => {
    expect((await write('missing', add)).error).toMatchObject({ kind: 'notFound' });
    const id = await counter({ removing: true });
    expect((await write(id, add)).error).toMatchObject({
      kind: 'failedPrecondition',
      message: `Node with ID "${id}" is being removed.`,
    });
    const lost = (change: DependentsChange) => {
      change.losesDependant = true;
      count(change, 'services', -1);
    };
    expect((await write(await counter({ removing: true, services: 1 }), lost)).error).toBeUndefined();
    // Another removal took a dependant at the same time: the loss is not refused, it needs a later time.
    expect((await write(await counter({ removing: true, services: 1 }), lost, AT)).error).toBeInstanceOf(StaleRead);
    // It existed when the plan was made.
    expect((await write('gone', lost)).error).toBeInstanceOf(StaleRead);
  });

  test('requires a type that all dependencies accept', async () => {
    const wrongType = (type: string) => new ApiError('failedPrecondition', `not ${type}`);
    const withTypes =
      (...lists: (readonly string[])[]) =>
      (change: DependentsChange) => {
        for (const types of lists) change.required.push(requires(change.id, { types, wrongType }));
      };
    const id = await counter();
    expect((await write(id, withTypes(['generic', 'container'], ['generic']))).error).toBeUndefined();
    const refused = { kind: 'failedPrecondition', message: 'not generic' };
    for (const lists of [[['container']], [['generic'], ['container']], [[]]])
      expect((await write(id, withTypes(...lists))).error).toMatchObject(refused);
    expect((await write('missing', withTypes([]))).error).toMatchObject({ kind: 'notFound' });
  });
});

describe('a removal', () => {
  const remove = (deltas: Partial<Record<'services' | 'agents', number>>) => (change: DependentsChange) => {
    for (const [name, delta] of Object.entries(deltas)) count(change, name as 'services', delta);
    change.removed = { onDependants: (left) => new Error(JSON.stringify(left)) };
  };

  test('removes the counter when its transaction removes all dependants', async () => {
    const [free, used] = [await counter(), await counter({ services: 2, agents: 1 })];
    expect((await write(free, remove({}))).error).toBeUndefined();
    expect((await write(used, remove({ services: -2, agents: -1 }))).error).toBeUndefined();
    expect([await stored(free), await stored(used)]).toEqual([undefined, undefined]);
  });

  test('with remaining dependants is refused with their numbers', async () => {
    const id = await counter({ services: 2, insights: 1 });
    expect((await write(id, remove({ services: -1 }))).error).toMatchObject({
      message: JSON.stringify({ services: 1, agents: 0, pmm_agents: 0, insights: 1 }),
    });
    expect(await stored(id)).toBeDefined();
  });

  test('before the last loss, or without a counter, is a stale read', async () => {
    const id = await counter();
    const early = await write(id, remove({}), AT);
    expect([early.error, early.minTimestamp]).toEqual([expect.any(StaleRead), AT]);
    expect((await write('missing', remove({}))).error).toBeInstanceOf(StaleRead);
  });
});

describe('the counter of an added object', () => {
  const added = (change: DependentsChange) => (change.added = newDependentsCounter(node({ node_id: change.id }))!);

  test('contains the dependants that are added with it, and the time', async () => {
    await write('added', (change) => {
      added(change);
      count(change, 'services', 2);
    });
    expect(await stored('added')).toMatchObject({ type: 'generic', services: 2, agents: 0, at: AT + 1 });
    expect((await write('added', added)).error).toBeInstanceOf(StaleRead);
  });

  test('refuses a dependant of a wrong type at once', async () => {
    const wrongType = () => new ApiError('failedPrecondition', 'wrong type');
    await expect(
      write('never', (change) => {
        added(change);
        change.required.push(requires('never', { types: ['container'], wrongType }));
      }),
    ).rejects.toThrow('wrong type');
  });
});

test('a possible dependency is checked without a write', () => {
  const of = (counterItem: object | undefined, more: Partial<Dependency> = {}) =>
    refusalOf(dependency('x', more), counterItem === undefined ? undefined : { ...counterItem });
  expect(of({ type: 'generic' })).toBeUndefined();
  expect(of({ type: 'generic' }, { types: ['generic'] })).toBeUndefined();
  expect(of(undefined)).toMatchObject({ kind: 'notFound' });
  expect(of({ type: 'generic', removing: true })).toMatchObject({ kind: 'failedPrecondition' });
  const wrongType = () => new ApiError('failedPrecondition', 'wrong');
  expect(of({ type: 'generic' }, { types: ['container'], wrongType })).toMatchObject({ message: 'wrong' });
});
