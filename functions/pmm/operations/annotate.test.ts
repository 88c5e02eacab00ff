import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { uniqueName } from '../../../tests/pmm/pmm-client.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';
import { addService } from '../../../tests/support/add.ts';
import { accessEventKey, ACCESS_EVENTS_PARTITION, ANNOTATIONS_PARTITION } from '../../store/table/keys.ts';
import { readCollection } from '../../store/table/read.ts';

const { inventory, client } = await startPmmInventory({ isChecked: false });

const annotate = async (body: object) => {
  const reply = await inventory.request('POST', '/v1/management/annotations', { body, as: 'Editor' });
  return [reply.status, reply.body.message];
};
const stored = (partition: string) => readCollection(inventory.table, partition);
const names = (count: number, name: string) => Array.from({ length: count }, () => name);

test('an annotation is stored apart from access events, and the audit still contains it', async () => {
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

test('an annotation is an entry of the audit', async () => {
  const sent = { text: uniqueName('deployed'), tags: ['a', ''], service_names: [] };
  expect(await client.post('/v1/management/annotations', sent)).toEqual({});
  const { body } = await inventory.request('GET', '/v1/audit?event=annotation.added');
  const [entry] = body.entries.filter(({ subject }: any) => subject.name === sent.text);
  expect(entry).toMatchObject({ subject: { kind: 'annotation' }, after: { tags: ['a'] } });
  const send = async (more: object) =>
    (await client.send('POST', '/v1/management/annotations', { ...sent, ...more })).body;
  expect(await send({ text: '' })).toMatchObject({ code: 3 });
  expect(await send({ node_name: 'no' })).toMatchObject({ code: 5, message: 'Node with name "no" not found.' });
  expect(await send({ service_names: ['no'] })).toMatchObject({
    code: 5,
    message: 'Service with name "no" not found.',
  });
});

test('an annotation is limited to 4 KB and 64 names, and a larger one is refused', async () => {
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
