import type { Table } from '../../../shared/db/table.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { MAX_REPLY_BYTES, jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import { buildIndexes } from '../inventory/build-indexes.ts';
import { areIndexesBuilt } from '../table/built-indexes.ts';
import { indexes } from '../table/table-key.ts';
import { listClusters } from './list-clusters.ts';
import { testTime } from '../../../tests/support/test-time.ts';

describe.each([
  ['the list of clusters', true],
  ['the list of services, while that of clusters is being built,', false],
] as const)('from %s', (_, isBuilt) => {
  let table: Table;
  let stop: () => Promise<void>;
  const now = testTime();
  beforeAll(async () => {
    ({ table, stop } = await startTable(/"((NODE|SERVICE|HEARTBEATS)#|CLEANUP")/));
    const [live, silent] = [node({ region: 'us', az: 'us-b' }), node({ region: 'eu', az: 'eu-a' })];
    const process = pmmAgent(live);
    const member = (cluster: string, on: readonly (typeof live)[], more: object = {}) =>
      service(on, { cluster, ...more });
    await addAll(table, live, silent, process);
    await addAll(
      table,
      member('b', [live], { environment: 'prod', version: '8.4', custom_labels: { team: 'web' } }),
      member('b', [live, silent], { environment: 'dev', service_type: 'proxysql' }),
      member('b', [silent], { environment: 'prod', version: '8.0', custom_labels: { team: 'dba' } }),
      member('a', [silent]),
      member('ba', []),
      service([live]),
    );
    await reportOf(table, process, now);
    if (isBuilt) await buildIndexes(table, { clock: () => now, isLate: () => false });
    expect(await areIndexesBuilt(table)).toBe(isBuilt);
  });
  afterAll(() => stop());

  const list = (prefix = '', size = 9, after?: [string, string], withRegions = false) =>
    listClusters(table, prefix, { size, after }, { ownerLabel: 'team', withRegions, now });
  const names = ({ objects }: Awaited<ReturnType<typeof list>>) => objects.map(({ cluster }) => cluster);

  test('counts services of a cluster by type and state, and each of its nodes once', async () => {
    const { objects } = await list('b');
    expect(objects[0]).toEqual({
      cluster: 'b',
      services: 3,
      nodes: 2,
      services_by_type: { mysql: 2, proxysql: 1 },
      services_by_state: { live: 2, never_seen: 1 },
      environments: ['dev', 'prod'],
      versions: ['8.0', '8.4'],
      owners: ['dba', 'web'],
    });
  });

  test('lists clusters in pages by name and prefix; a page that ends with the last cluster is the last page', async () => {
    expect(names(await list())).toEqual(['a', 'b', 'ba']);
    expect(names(await list('b'))).toEqual(['b', 'ba']);
    const first = await list('', 2);
    expect([names(first), first.next]).toEqual([
      ['a', 'b'],
      ['b', ''],
    ]);
    const second = await list('', 1, first.next);
    expect([names(second), second.next]).toEqual([['ba'], undefined]);
    expect(await list('none')).toEqual({ objects: [], next: undefined });
    expect(names(await list('b', 9, ['b', '']))).toEqual(['ba']);
  });

  test('shows the regions and zones of the nodes on every page when asked for', async () => {
    const places = async (size: number, after?: [string, string]) => {
      const { objects, next } = await list('', size, after, true);
      return [next, ...objects.map(({ cluster, regions, azs }) => [cluster, regions, azs])];
    };
    const [a, b, none] = [
      ['a', ['eu'], ['eu-a']],
      ['b', ['eu', 'us'], ['eu-a', 'us-b']],
      ['ba', [], []],
    ];
    expect(await places(9)).toEqual([undefined, a, b, none]);
    expect(await places(1)).toEqual([['a', ''], a]);
    expect(await places(1, ['a', ''])).toEqual([['b', ''], b]);
    expect(Object.keys((await list()).objects[0] ?? {})).not.toContain('regions');
  });

  test('a page ends before the cluster that does not fit into a reply; the next one begins with it', async () => {
    const owner = (number: number) => `${number}${'"'.repeat(150_000)}`;
    for (const cluster of ['wide-a', 'wide-b'])
      for (let number = 0; number < 6; number += 1)
        await addAll(table, service([], { cluster, custom_labels: { team: owner(number) } }));
    const first = await list('wide');
    expect([names(first), first.next]).toEqual([['wide-a'], ['wide-a', '']]);
    const second = await list('wide', 9, first.next);
    expect([names(second), second.next]).toEqual([['wide-b'], undefined]);
  });

  test('a cluster fits into a reply, however many different values its services have', async () => {
    const text = (number: number, length: number) => `${String(number).padStart(4, '0')}${'"'.repeat(length - 4)}`;
    const services = Array.from({ length: 520 }, (_, number) =>
      service([], {
        cluster: 'varied',
        environment: text(number, 128),
        version: text(number, 256),
        custom_labels: { team: text(number, 1024) },
      }),
    );
    for (const varied of services) await addAll(table, varied);
    const entries: unknown[] = [];
    let queries = 0;
    const counted = withSend(table, async (command) => {
      const reply: any = await table.client.send(command);
      if (command.constructor.name === 'QueryCommand' && command.input.IndexName === indexes.byName.name) {
        queries += 1;
        const { ExclusiveStartKey: start } = command.input;
        if (start !== undefined) expect(Object.keys(start).sort()).toEqual(['list_pk', 'list_sk', 'pk', 'sk']);
        entries.push(...reply.Items.map(({ list_sk: entry }: any) => entry));
      }
      return reply;
    });
    const page = { size: 1, after: undefined };
    const [cluster] = (await listClusters(counted, 'varied', page, { ownerLabel: 'team', withRegions: false, now }))
      .objects;
    // A query reads one entry more than it uses, to know whether more follow, and the next query begins with that one.
    expect(entries.length - new Set(entries).size).toBeLessThan(queries);
    expect(cluster!.services).toBe(520);
    for (const values of [cluster!.environments, cluster!.versions, cluster!.owners]) expect(values).toHaveLength(500);
    expect(jsonBytesInReply(JSON.stringify(cluster))).toBeLessThan(MAX_REPLY_BYTES);
  });
});
