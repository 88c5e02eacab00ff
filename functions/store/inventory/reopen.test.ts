import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { checkInvariants } from '../../../tests/consistency/invariants.ts';
import { addAll, addHost, contextOf, service } from '../../../tests/support/store.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { dependentsKey } from '../table/keys.ts';
import { removeObject } from './remove.ts';
import { reopenClosed } from './reopen.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
beforeEach(async () => ({ table, stop } = await startTable(/HEARTBEATS#|GUARD|CLEANUP/)));
afterEach(() => stop());

/** Closes an object as an older version did: only the dependents counter had a mark, and there was no record. */
const close = (entity: Entity) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: dependentsKey(entity.kind, idOf(entity)),
      UpdateExpression: 'SET removing = :yes',
      ExpressionAttributeValues: { ':yes': true },
    }),
  );

const inTime = () => false;
const clock = () => testTime();

test('objects that an older version left closed accept dependants again, and nothing is removed', async () => {
  const { place, process, target } = await addHost(table);
  for (const entity of [place, process, target]) await close(entity);
  await expect(addAll(table, service([place]))).rejects.toThrow('is being removed');
  const ids = [place, target, process].map((entity) => ({ kind: entity.kind, id: idOf(entity) }));
  expect(await reopenClosed(table, { clock, isLate: inTime })).toEqual(ids);
  await addAll(table, service([place]));
  for (const entity of [place, process, target])
    expect(await getObject(table, entity.kind, idOf(entity))).toBeDefined();
  expect(await checkInvariants(table)).toEqual([]);
});

test('a removal of the present version that has begun continues', async () => {
  const { place } = await addHost(table);
  const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 'v']));
  for (let index = 0; index < 3; index += 1) await addAll(table, service([place], { custom_labels: labels }));
  let writes = 0;
  const send = (command: any) => {
    if (command.constructor.name === 'TransactWriteCommand') writes += 1;
    if (writes > 1) throw new Error('interrupted');
    return table.client.send(command);
  };
  const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
  const interrupted = withSend(table, send);
  await expect(removeObject(interrupted, 'node', idOf(place), options)).rejects.toThrow('interrupted');
  expect(await reopenClosed(table, { clock, isLate: inTime })).toEqual([]);
  expect((await getObject(table, 'node', idOf(place))).object.removing).toBe(true);
  expect(await checkInvariants(table, { inProgress: true })).toEqual([]);
});

test('a removal that begins after the search read the object is not undone', async () => {
  const { place } = await addHost(table);
  await close(place);
  const begin = { force: true, ifMatch: undefined, writeContext: contextOf() };
  const send = async (command: any) => {
    if (command.constructor.name === 'TransactWriteCommand') await removeObject(table, 'node', idOf(place), begin);
    return table.client.send(command);
  };
  expect(await reopenClosed(withSend(table, send), { clock, isLate: inTime })).toEqual([]);
  expect(await checkInvariants(table)).toEqual([]);
});

test('the inventory is searched once, and a search without time is continued', async () => {
  const { place, target } = await addHost(table);
  await close(target);
  let pages = 0;
  // Time for the nodes only.
  expect(await reopenClosed(table, { clock, isLate: () => (pages += 1) > 1 })).toEqual([]);
  await close(place);
  expect(await reopenClosed(table, { clock, isLate: inTime })).toEqual([{ kind: 'service', id: idOf(target) }]);
  const commands: string[] = [];
  const send = (command: any) => {
    commands.push(command.constructor.name);
    return table.client.send(command);
  };
  expect(await reopenClosed(withSend(table, send), { clock, isLate: inTime })).toEqual([]);
  expect(commands).toEqual(['BatchGetCommand']);
});
