import { addAll, contextOf, node } from '../../../tests/support/store.ts';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { changeObject } from '../inventory/entities.ts';
import { changeKey } from '../table/keys.ts';
import { readHistory } from './object-history.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const MONTH = 30 * 86_400_000;

/** A node with four changes: its add, and three changes of its address. */
async function changedNode() {
  const entity = node({ address: '0' });
  await addAll(table, entity);
  const id = entity.object.node_id;
  for (const address of ['1', '2', '3'])
    await changeObject(table, { kind: 'node', id, ifMatch: undefined, writeContext: contextOf() }, (old) => ({
      ...old,
      address,
    }));
  return id;
}

const asked = (id: string, scope?: string) => ({ kind: 'node', id, scope }) as const;
const page = (size: number, after?: [string, string], now = testTime()) => ({ size, after, now });
const addresses = ({ objects }: Awaited<ReturnType<typeof readHistory>>) =>
  objects.map(({ after }) => after?.['address']);

test('lists changes newest first across pages, and a page with the first change is the last one', async () => {
  const id = await changedNode();
  const whole = await readHistory(table, asked(id), page(4));
  expect([addresses(whole), whole.next]).toEqual([['3', '2', '1', '0'], undefined]);
  const first = await readHistory(table, asked(id), page(3));
  expect(addresses(first)).toEqual(['3', '2', '1']);
  const second = await readHistory(table, asked(id), page(3, first.next));
  expect([addresses(second), second.next]).toEqual([['0'], undefined]);
});

test('changes are shown for 30 days, to the millisecond', async () => {
  const id = await changedNode();
  const { objects } = await readHistory(table, asked(id), page(4));
  const second = Date.parse(objects[2]!.time);
  const at = (time: number) => readHistory(table, asked(id), page(9, undefined, new Date(time)));
  expect(addresses(await at(second + MONTH))).toEqual(['3', '2', '1']);
  expect(addresses(await at(second + MONTH + 1))).toEqual(['3', '2']);
});

test('a missing change ends the history', async () => {
  const id = await changedNode();
  const { objects } = await readHistory(table, asked(id), page(4));
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: changeKey(objects[2]!.change_id) }));
  const left = await readHistory(table, asked(id), page(4));
  expect([addresses(left), left.next]).toEqual([['3', '2'], undefined]);
});

test('a missing object, and one outside the scope, are an error on each page', async () => {
  await expect(readHistory(table, asked('missing'), page(1))).rejects.toMatchObject({ kind: 'notFound' });
  const id = await changedNode();
  const { next } = await readHistory(table, asked(id), page(1));
  for (const after of [undefined, next])
    await expect(readHistory(table, asked(id, 'another'), page(1, after))).rejects.toMatchObject({
      kind: 'permissionDenied',
    });
  expect(addresses(await readHistory(table, asked(id, id), page(1)))).toEqual(['3']);
});

test('a token of another object is refused as a service error', async () => {
  const [entity, other] = [await changedNode(), await changedNode()];
  const { next } = await readHistory(table, asked(other), page(1));
  await expect(readHistory(table, asked(entity), page(1, next))).rejects.toThrow('a change of another object');
});
