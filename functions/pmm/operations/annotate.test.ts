import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { addService } from '../../../tests/support/add.ts';
import { accessEventKey, ACCESS_EVENTS_PARTITION, ANNOTATIONS_PARTITION } from '../../store/table/keys.ts';
import { readCollection } from '../../store/table/read.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startInventory()));
afterAll(() => inventory.stop());

const annotate = async (body: object) => {
  const reply = await inventory.request('POST', '/v1/management/annotations', { body, as: 'Editor' });
  return [reply.status, reply.body.message];
};
const stored = (partition: string) => readCollection(inventory.table, partition);
const names = (count: number, name: string) => Array.from({ length: count }, () => name);

test('an annotation is stored apart from the events of access, and is in the audit as before', async () => {
  const { service_name: name } = await addService(inventory);
  expect(await annotate({ text: 'deployed', tags: ['t'], service_names: names(64, 'missing') })).toEqual([
    ...[404, expect.stringContaining('not found')],
  ]);
  expect(await annotate({ text: 'deployed', tags: ['t'], service_names: [name] })).toEqual([200, undefined]);
  expect(await stored(ANNOTATIONS_PARTITION)).toMatchObject([{ event: 'annotation.added', subject_name: 'deployed' }]);
  expect((await stored(ACCESS_EVENTS_PARTITION)).map(({ event }) => event)).not.toContain('annotation.added');
  const [annotation] = await stored(ANNOTATIONS_PARTITION);
  // An earlier version stored it among the events of access.
  const earlier = {
    ...annotation,
    ...accessEventKey('session.added', inventory.dependencies.clock().getTime(), 'abcdef'),
  };
  await inventory.table.client.send(new PutCommand({ TableName: inventory.table.name, Item: earlier }));
  const { body } = await inventory.request('GET', '/v1/audit?event=annotation.added');
  expect(body.entries).toMatchObject(names(2, 'deployed').map((text) => ({ subject: { name: text } })));
});

test('an annotation has at most 4 KB and 64 names: a larger one is refused, and nothing is stored', async () => {
  const before = await stored(ANNOTATIONS_PARTITION);
  expect(await annotate({ text: 'x', service_names: names(65, 'n') })).toEqual([
    ...[400, 'invalid AddAnnotationRequest.ServiceNames: Must have at most 64 entries.'],
  ]);
  expect(await annotate({ text: 'x', tags: names(65, 't') })).toEqual([
    ...[400, 'invalid AddAnnotationRequest.Tags: Must have at most 64 entries.'],
  ]);
  const tooLarge = [400, 'An annotation has at most 4096 bytes of JSON.'];
  expect(await annotate({ text: 'x', tags: names(64, 'ä'.repeat(32)) })).toEqual(tooLarge);
  expect(await annotate({ text: 'x', node_name: 'n'.repeat(5000) })).toEqual(tooLarge);
  expect(await stored(ANNOTATIONS_PARTITION)).toEqual(before);
  expect(await annotate({ text: 'x', tags: names(64, 't'.repeat(58)) })).toEqual([200, undefined]);
});
