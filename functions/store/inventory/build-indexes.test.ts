import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { checkInvariants, wipe } from '../../../tests/consistency/invariants.ts';
import { addAll, contextOf, node, service } from '../../../tests/support/store.ts';
import { disturbedBefore, itemAt } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { idOf } from '../entities/entity.ts';
import { listClusters } from '../lists/list-clusters.ts';
import { listNodes } from '../lists/list-nodes.ts';
import { listServices } from '../lists/list-services.ts';
import { areIndexesBuilt } from '../table/built-indexes.ts';
import { jobKey, labelIndexPartition, nodeNameClaim, serviceNameClaim } from '../table/keys.ts';
import { buildIndexes } from './build-indexes.ts';
import { changeObject } from './entities.ts';
import { removeObject } from './remove.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable(/"(NODE|SERVICE|HEARTBEATS|CLEANUP)/);

const now = testTime();
const clock = () => now;
const place = node({ node_name: 'old', address: '10.0.0.1' });
const member = service([place], { service_name: 'old', address: '10.0.0.2', cluster: 'c' });
const clusterOf = { pk: labelIndexPartition('service', 'cluster', 'c'), sk: 'old' };
const claims = [nodeNameClaim('old'), serviceNameClaim('old')];

/** A table of its own connection, as another process has it: it does not know what this one knows. */
const anew = (): Table => ({ ...table, client: { send: (command: any) => table.client.send(command) } as never });

/** The objects as a version without the list of clusters and those by address wrote them. */
beforeEach(async () => {
  await wipe(table);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: jobKey('indexing') }));
  await addAll(table, place, member);
  for (const Key of [clusterOf, ...claims])
    await table.client.send(
      new UpdateCommand({ TableName: table.name, Key, UpdateExpression: 'REMOVE list_pk, list_sk' }),
    );
});

const page = { size: 9, after: undefined };
const reader = { scope: undefined, now };

async function answers(at: Table) {
  const clusters = await listClusters(at, '', page, { ownerLabel: 'team', withRegions: false, now });
  const nodes = await listNodes(at, { address: '10.0.0.1' }, page, reader);
  const services = await listServices(at, { selector: 'address=10.0.0.2' }, page, reader);
  return [clusters.objects.map(({ cluster }) => cluster), nodes.objects.length, services.objects.length];
}

test('lists are correct before and after the entries were written', async () => {
  const before = anew();
  expect([await answers(before), await areIndexesBuilt(before)]).toEqual([[['c'], 1, 1], false]);
  await buildIndexes(table, { clock, isLate: () => false });
  const after = anew();
  expect([await answers(after), await areIndexesBuilt(after)]).toEqual([[['c'], 1, 1], true]);
  expect(await itemAt(table, clusterOf)).toMatchObject({ list_pk: 'CLUSTERS', object_id: idOf(member) });
  expect((await Promise.all(claims.map((claim) => itemAt(table, claim)))).map((item) => item?.['list_pk'])).toEqual([
    'NODES#address#10.0.0.1',
    'SERVICES#address#10.0.0.2',
  ]);
  expect(await checkInvariants(table)).toEqual([]);
});

test('an interrupted search is continued by the next call', async () => {
  let looks = 0;
  await buildIndexes(table, { clock, isLate: () => (looks += 1) > 1 });
  expect(await areIndexesBuilt(anew())).toBe(false);
  await buildIndexes(table, { clock, isLate: () => false });
  expect([await areIndexesBuilt(anew()), await itemAt(table, clusterOf)]).toEqual([
    true,
    expect.objectContaining({ list_pk: 'CLUSTERS' }),
  ]);
});

test('a service that changes during the search gets its present entry', async () => {
  const writeContext = contextOf();
  const moved = disturbedBefore(table, 1, async () => {
    await changeObject(table, { kind: 'service', id: idOf(member), ifMatch: undefined, writeContext }, (old) => ({
      ...old,
      cluster: 'd',
    }));
  });
  await buildIndexes(moved, { clock, isLate: () => false });
  expect(await itemAt(table, clusterOf)).toBeUndefined();
  expect((await answers(anew()))[0]).toEqual(['d']);
  expect(await checkInvariants(table)).toEqual([]);
});

test('objects without the entries can be changed and removed', async () => {
  const writeContext = contextOf();
  await changeObject(table, { kind: 'service', id: idOf(member), ifMatch: undefined, writeContext }, (old) => ({
    ...old,
    address: '10.0.0.3',
    cluster: 'd',
  }));
  expect(await itemAt(table, serviceNameClaim('old'))).toMatchObject({ list_pk: 'SERVICES#address#10.0.0.3' });
  for (const entity of [member, place])
    await removeObject(table, entity.kind, idOf(entity), { force: false, ifMatch: undefined, writeContext });
  expect(await checkInvariants(table)).toEqual([]);
});
