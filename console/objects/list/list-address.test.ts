import { listAddressOf, queryOf } from './list-address.ts';

const columns = [{ id: 'name', sortBy: 'node_name' }, { id: 'updated_at', sortBy: 'updated_at' }, { id: 'insights' }];

test.each<[Record<string, string>, number, string | undefined]>([
  [{ sort: '-updated_at', page: '3', region: 'eu-1' }, 3, 'updated_at'],
  [{ sort: 'name' }, 1, 'node_name'],
  [{ sort: '-label.rack' }, 1, 'label.rack'],
  [{ page: '2' }, 2, undefined],
  [{ region: 'eu-1' }, 1, undefined],
])('the address %j gives the page and the order, and results from them', (query, pageIndex, sortBy) => {
  const address = listAddressOf(query, columns);
  expect([address.pageIndex, address.order?.sortBy]).toEqual([pageIndex, sortBy]);
  expect(queryOf(address)).toEqual(query);
});

test.each<Record<string, string>>([
  { sort: 'gone' },
  { sort: 'insights' },
  { page: '0' },
  { page: '-1' },
  { page: '1e3' },
  { page: 'x' },
])('%j is the first page in the order of the API', (query) =>
  expect(queryOf(listAddressOf(query, columns))).toEqual({}),
);
