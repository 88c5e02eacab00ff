import { ApiFailure } from '../api/client.tsx';
import { closePage } from '../testing/page.tsx';
import { type Reply, showReplies } from '../testing/replies.tsx';
import { anyKind, type BulkAction, type BulkResult, firstRequestOf, runBulk, undoBulk } from './bulk.tsx';
import type { InventoryObject } from './kinds.tsx';

const node = (number: number, more: object = {}) =>
  ({
    ...{ node_id: `n${number}`, node_name: `db-${number}`, node_type: 'generic', revision: 1, custom_labels: {} },
    ...more,
  }) as unknown as InventoryObject;
const agent = (number: number) =>
  ({
    ...{ agent_id: `a${number}`, agent_type: 'pmm_agent', revision: 1, custom_labels: {} },
  }) as unknown as InventoryObject;
const agents = (count: number) => Array.from({ length: count }, (_, index) => agent(index));

afterEach(closePage);

const ok = (revision: number) => ({ status: 200, body: { revision } });

/** Runs an action against these replies. @returns its requests, and the results after each of them. */
async function run(objects: readonly InventoryObject[], action: BulkAction, replies: readonly Reply[]) {
  const requests = await showReplies((_, count) => replies[count - 1]!);
  const progress: (readonly BulkResult<InventoryObject>[])[] = [];
  const options = {
    progress: (results: (typeof progress)[number]) => progress.push(results),
    signal: new AbortController().signal,
  };
  const failure = await runBulk(objects, action, options).catch((error: unknown) => error);
  return { operations: requests.map(({ body }) => JSON.parse(body).operations), progress, failure };
}

const failures = (results: readonly BulkResult<InventoryObject>[] = []) => results.map(({ failure }) => failure);

test('51 objects are two requests, and each reports its progress', async () => {
  const objects = agents(51);
  const all = { results: Array(50).fill(ok(2)) };
  const { operations, progress } = await run(objects, { verb: 'disable' }, [all, { results: [ok(2)] }]);
  expect(operations.map((part: unknown[]) => part.length)).toEqual([50, 1]);
  expect(progress.map((results) => results.length)).toEqual([50, 51]);
  expect(operations[1]).toEqual([{ op: 'changeAgent', id: 'a50', body: { disabled: true } }]);
  expect(firstRequestOf(objects, { verb: 'enable' }).count).toBe(50);
});

test("each action uses the operation of its object's kind", () => {
  const first = (action: BulkAction) => firstRequestOf([node(1), agent(1)], action).request.body;
  expect(first({ verb: 'set_label', label: 'team', value: 'shop' })).toEqual({
    operations: [
      { op: 'changeNode', id: 'n1', body: { custom_labels: { team: 'shop' } } },
      { op: 'changeAgent', id: 'a1', body: { custom_labels: { team: 'shop' } } },
    ],
  });
  expect(first({ verb: 'remove_label', label: 'team' })).toMatchObject({
    operations: [{ body: { custom_labels: { team: null } } }, {}],
  });
  expect(first({ verb: 'remove', force: true })).toMatchObject({
    operations: [{ op: 'removeNode', id: 'n1', force: true }, { op: 'removeAgent' }],
  });
  expect([anyKind.idOf(agent(1)), anyKind.nameOf(node(1))]).toEqual(['a1', 'db-1']);
});

test('operations that a busy server refused are sent three times in all, before waiting ones', async () => {
  const busy = { results: [{ status: 503, error: { message: 'Busy.' } }, ok(2)] };
  const again = { results: [{ status: 503, error: { message: 'Busy.' } }] };
  const action: BulkAction = { verb: 'enable' };
  const { operations, progress } = await run([agent(1), agent(2)], action, [busy, again, again]);
  expect(operations.map((part: { id: string }[]) => part.map(({ id }) => id))).toEqual([['a1', 'a2'], ['a1'], ['a1']]);
  expect(progress.map((results) => failures(results))).toEqual([[undefined], [undefined], [undefined, 'Busy.']]);
  // The whole request was refused for this reason.
  const refused = { status: 503, message: 'Busy.' };
  const second = await run([agent(1)], action, [refused, refused, { results: [ok(2)] }]);
  expect([second.operations.length, failures(second.progress.at(-1))]).toEqual([3, [undefined]]);
});

test('a refused request is thrown, and earlier objects are done', async () => {
  const objects = agents(51);
  const denied = { status: 403, message: 'Denied.' };
  const { progress, failure } = await run(objects, { verb: 'disable' }, [{ results: Array(50).fill(ok(2)) }, denied]);
  expect([progress.length, failure]).toEqual([1, expect.any(ApiFailure)]);
});

test('an absent object is a success only for a removal, and a failure without a message has its status', async () => {
  const results = [
    { status: 404, error: { message: 'Not found.' } },
    { status: 500 },
    { status: 299 },
    { status: 300 },
  ];
  const objects = [node(1), node(2), node(3), node(4)];
  const removal = await run(objects, { verb: 'remove', force: false }, [{ results }]);
  const said = 'The server returned status';
  expect(failures(removal.progress[0])).toEqual([undefined, `${said} 500.`, undefined, `${said} 300.`]);
  expect(removal.progress[0]!.map(({ isGone }) => isGone)).toEqual([true, false, false, false]);
  const change = await run(agents(4), { verb: 'enable' }, [{ results }]);
  expect(failures(change.progress[0])[0]).toBe('Not found.');
});

test('an undo restores only what the action changed', async () => {
  const requests = await showReplies(() => ({ results: [ok(3), { status: 409, error: { message: 'Changed.' } }] }));
  const result = (object: InventoryObject, revision: number | undefined) => ({
    object,
    revision,
    failure: undefined,
    isGone: false,
  });
  const labelled = node(1, { custom_labels: { team: 'shop' } });
  const results = [
    ...[result(labelled, 2), result(node(2), 2), result(node(3), 3), result(node(4), 1), result(node(5), undefined)],
  ];
  const undone = await undoBulk(results, { verb: 'set_label', label: 'team', value: 'new' });
  expect(undone.map(({ object, failure }) => [anyKind.idOf(object), failure])).toEqual([
    ['n3', 'Its former state is unknown.'],
    ['n1', undefined],
    ['n2', 'Changed.'],
  ]);
  expect(JSON.parse(requests[0]!.body).operations).toEqual([
    { op: 'changeNode', id: 'n1', if_match: 2, body: { custom_labels: { team: 'shop' } } },
    { op: 'changeNode', id: 'n2', if_match: 2, body: { custom_labels: { team: null } } },
  ]);
  await undoBulk([result(agent(1), 2)], { verb: 'disable' });
  expect(JSON.parse(requests[1]!.body).operations[0].body).toEqual({ disabled: false });
});
