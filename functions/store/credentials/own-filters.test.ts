import { itemAt, putItem } from '../../../tests/support/table.ts';
import { savedFilterKey, TTL_ATTRIBUTE } from '../table/keys.ts';
import { filtersOfKey, filtersOfUser, keepOwnFilters, ownFilterKeys } from './own-filters.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

test("an owner's private filters live to its new end, not those of a user with the same id", async () => {
  const ownKeys = [savedFilterKey(filtersOfKey('x'), 'nodes', 'a'), savedFilterKey(filtersOfKey('x'), 'services', 'b')];
  const other = savedFilterKey(filtersOfUser('x'), 'nodes', 'a');
  for (const key of [...ownKeys, other]) await putItem(table, { ...key, [TTL_ATTRIBUTE]: 5 });
  expect(await ownFilterKeys(table, filtersOfKey('x'))).toEqual(ownKeys);
  await keepOwnFilters(table, filtersOfKey('x'), 7);
  const ends = await Promise.all([...ownKeys, other].map(async (key) => (await itemAt(table, key))![TTL_ATTRIBUTE]));
  expect(ends).toEqual([7, 7, 5]);
});

test('a filter that is removed at the same time stays removed', async () => {
  const key = savedFilterKey(filtersOfKey('y'), 'nodes', 'a');
  const send = async (command: any) =>
    command.constructor.name === 'QueryCommand' ? { Items: [key] } : table.client.send(command);
  await keepOwnFilters({ ...table, client: { send } as never }, filtersOfKey('y'), 7);
  expect(await itemAt(table, key)).toBeUndefined();
});
