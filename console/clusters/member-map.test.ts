import { memberMapOf } from './member-map.ts';

const member = (name: string, type: string, zones: readonly (string | undefined)[], replicationSet?: string) => ({
  name,
  ...{ type, zones, replicationSet, isLive: true },
});

test('proxies are first, then others by number, and invalid zones last', () => {
  const { zones, groups } = memberMapOf(
    [
      member('db-1', 'mongodb', ['r-a'], 'rs10'),
      member('db-2', 'mongodb', ['r-b', 'r-b'], 'rs2'),
      member('proxy', 'haproxy', ['r-a', 'r-b']),
      member('cloud', 'mysql', []),
      member('lost', 'mysql', [undefined]),
    ],
    (value) => value,
  );
  expect(zones).toEqual(['r-a', 'r-b', 'Several zones', 'Unknown zone', 'No node']);
  expect(groups.map(({ name, count }) => `${name} ${count}`)).toEqual([
    'Proxies 1',
    'mysql 2',
    'Replication set rs2 1',
    'Replication set rs10 1',
  ]);
  const namesIn = (group: number) => groups[group]?.cells.map(({ members }) => members.map(({ name }) => name).join());
  expect(namesIn(0)).toEqual(['', '', 'proxy', '', '']);
  expect(namesIn(1)).toEqual(['', '', '', 'lost', 'cloud']);
  expect(namesIn(2)).toEqual(['', 'db-2', '', '', '']);
});

test('databases of which some are not live are before the proxies, and proxies are before the other databases', () => {
  const { groups } = memberMapOf(
    [
      { ...member('proxy', 'haproxy', ['r-a']), isLive: false },
      member('db-1', 'mongodb', ['r-a'], 'rs1'),
      member('db-2', 'mongodb', ['r-a'], 'rs2'),
      { ...member('db-3', 'mongodb', ['r-a'], 'rs2'), isLive: false },
    ],
    (value) => value,
  );
  expect(groups.map(({ name }) => name)).toEqual(['Replication set rs2', 'Proxies', 'Replication set rs1']);
});
