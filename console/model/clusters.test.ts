import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { clusterGroups, clusterProperties, fits } from './clusters.ts';

const cluster = (name: string, more: Partial<Cluster> = {}): Cluster => ({
  ...{ cluster: name, services: 1, nodes: 1, environments: [], versions: [], owners: [] },
  ...{ services_by_type: { mysql: 1 }, services_by_state: { live: 1 } },
  ...more,
});

const clusters = [
  cluster('a', {
    environments: ['prod'],
    owners: ['dba'],
    regions: ['eu'],
    azs: ['eu-a'],
    services_by_state: { live: 2, offline: 1 },
  }),
  cluster('b', {
    environments: ['prod', 'stage'],
    regions: ['eu', 'us'],
    versions: ['8.4'],
    services_by_type: { mysql: 1, proxysql: 1 },
  }),
  cluster('c'),
];

test('clusters are grouped by worst state and by values of services and nodes, with the states of their services', () => {
  expect(clusterGroups(clusters, 'state')).toEqual([
    { value: 'offline', count: 1, counts: { live: 2, offline: 1 } },
    { value: 'live', count: 2, counts: { live: 2 } },
  ]);
  expect(clusterGroups(clusters, 'environment')).toEqual([
    { value: 'prod', count: 2, counts: { offline: 1, live: 3 } },
    { value: '(none)', count: 1, counts: { live: 1 } },
    { value: 'stage', count: 1, counts: { live: 1 } },
  ]);
  expect(clusterGroups(clusters, 'type').map(({ value, count }) => [value, count])).toEqual([
    ['mysql', 3],
    ['proxysql', 1],
  ]);
  const regions = clusterGroups(clusters, 'region').map(({ value, count }) => [value, count]);
  expect(regions).toEqual([
    ['eu', 2],
    ['(none)', 1],
    ['us', 1],
  ]);
});

test('each group equals what its filter selects', () => {
  for (const by of clusterProperties)
    for (const { value, count } of clusterGroups(clusters, by))
      expect([by, value, clusters.filter((cluster) => fits(cluster, { [by]: value })).length]).toEqual([
        by,
        value,
        count,
      ]);
  expect(clusters.filter((cluster) => fits(cluster, { environment: 'prod', state: 'live' }))).toEqual([clusters[1]]);
});
