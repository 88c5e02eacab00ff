import { EventBridgeClient, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { scan } from '../../../tests/consistency/invariants.ts';
import { addHost, addNode } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { publishStatesOnSchedule } from '../state-events/handler.ts';
import { EVENT_SOURCE, publishWith, senderTo } from './handler.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

/** The table's changes in the form in which its stream passes them to Lambda: JSON, with binary values in base 64. */
async function stream(): Promise<DynamoDBStreamEvent> {
  const items = (await scan(inventory.table)).filter(({ pk }) => /^(CHANGE#|STATE_CHANGES$)/.test(String(pk)));
  const sorted = items.sort((left, right) => (String(left['sk']) < String(right['sk']) ? -1 : 1));
  const Records = sorted.map((item, index): DynamoDBRecord => {
    const image = marshall({ ...item, fields: undefined }, { removeUndefinedValues: true });
    const NewImage = { ...image, fields: { B: Buffer.from(item['fields'] as Uint8Array).toString('base64') } };
    return { eventName: 'INSERT', dynamodb: { SequenceNumber: `n${index}`, NewImage: NewImage } };
  });
  return JSON.parse(JSON.stringify({ Records }));
}

/** A bus that accepts events, except those that `refuses` selects. */
function bus(refuses: (entry: PutEventsRequestEntry) => boolean = () => false) {
  const calls: PutEventsRequestEntry[][] = [];
  const publish = publishWith((entries) => {
    calls.push(entries);
    return Promise.resolve(entries.map((entry) => (refuses(entry) ? { ErrorCode: 'InternalFailure' } : {})));
  });
  return { calls, publish };
}

test('every change becomes an event, as in the feed', async () => {
  const node = await addNode(inventory);
  await inventory.request('PATCH', `/v1/nodes/${node.node_id}`, { body: { distro: 'd' } });
  await inventory.request('DELETE', `/v1/nodes/${node.node_id}`);
  const { calls, publish } = bus();
  expect(await publish(await stream())).toEqual({ batchItemFailures: [] });
  const events = calls.flat();
  expect(events.map(({ DetailType }) => DetailType)).toEqual(['Node added', 'Node changed', 'Node removed']);
  expect(events.every(({ Source }) => Source === EVENT_SOURCE)).toBe(true);
  expect(events.map(({ Resources }) => Resources)).toEqual(Array(3).fill([`node/${node.node_id}`]));
  const feed = (await inventory.request('GET', '/v1/changes')).body.changes;
  expect(events.map(({ Detail }) => JSON.parse(Detail!))).toEqual(
    feed.map((change: object) => ({ ...change, complete: true })),
  );
});

test('a state change becomes an event of its node, named by the new state', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  inventory.clock.now = testTime(3_600_000);
  await publishStatesOnSchedule(inventory.dependencies)();
  const { calls, publish } = bus();
  await publish(await stream());
  const event = calls.flat().at(-1)!;
  expect([event.DetailType, event.Resources]).toEqual(['Node offline', [`node/${nodeId}`]]);
  const { changes } = (await inventory.request('GET', '/v1/changes?kinds=state')).body;
  expect(JSON.parse(event.Detail!)).toEqual({ ...changes[0], complete: true });
});

test('an audit entry that is no change becomes an event, as in the audit', async () => {
  const body = { name: 'automation', role: 'Viewer', time_to_live: '1d' };
  expect((await inventory.request('POST', '/v1/api-keys', { body })).status).toBe(201);
  expect(
    (await inventory.request('GET', '/v1/nodes', { as: null, headers: { Authorization: 'Bearer x' } })).status,
  ).toBe(401);
  const { entries } = (await inventory.request('GET', '/v1/audit')).body;
  const items = (await scan(inventory.table)).filter(({ pk }) => String(pk).startsWith('AUDIT#'));
  const Records = items.map((item, index): DynamoDBRecord => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: `n${index}`, NewImage: marshall(item) as any },
  }));
  const { calls, publish } = bus();
  expect(await publish(JSON.parse(JSON.stringify({ Records })))).toEqual({ batchItemFailures: [] });
  const events = calls.flat();
  expect(events.map(({ DetailType }) => DetailType)).toEqual(
    expect.arrayContaining(['api_key.added', 'api_key.refused']),
  );
  const byId = (left: any, right: any) => (left.audit_id < right.audit_id ? -1 : 1);
  expect(events.map(({ Detail }) => JSON.parse(Detail!)).sort(byId)).toEqual([...entries].sort(byId));
  for (const { Source, Resources, Detail } of events)
    expect([Source, Resources]).toEqual([EVENT_SOURCE, [`audit/${JSON.parse(Detail!).audit_id}`]]);
});

test('a call contains at most ten events within its size, and a larger event is sent without its fields', async () => {
  for (let count = 0; count < 12; count += 1) await addHost(inventory);
  const labels = (text: string) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`l${index}`, text.repeat(1000)]));
  // Each is an event of 60 KB; five of them exceed one call.
  for (let count = 0; count < 5; count += 1) await addNode(inventory, { custom_labels: labels('x') });
  await addNode(inventory, { custom_labels: labels('語') });
  const { calls, publish } = bus();
  await publish(await stream());
  expect(calls.flat()).toHaveLength(30);
  for (const call of calls) {
    expect(call.length).toBeLessThanOrEqual(10);
    expect(Buffer.byteLength(JSON.stringify(call.map(({ Detail }) => Detail).join('')))).toBeLessThan(300_000);
    expect(call.reduce((sum, { Detail }) => sum + Buffer.byteLength(Detail!), 0)).toBeLessThan(256 * 1024);
  }
  const complete: any[] = calls.flat().map(({ Detail }) => JSON.parse(Detail!));
  expect(complete.map((detail) => detail.complete)).toEqual([...Array(29).fill(true), false]);
  expect(Object.keys(complete[29])).not.toContain('after');
});

test('an event above the size limit begins the next call', async () => {
  const labels = (text: string) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`l${index}`, text.repeat(1000)]));
  for (let count = 0; count < 3; count += 1) {
    const { node_id: id } = await addNode(inventory, { custom_labels: labels('x') });
    await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { custom_labels: labels('y') } });
  }
  const event = await stream();
  const { calls, publish } = bus();
  // Only the changes: they contain the labels before and after, more than 100 KB.
  await publish({ Records: event.Records.filter((_, index) => index % 2 === 1) });
  const sizes = calls.map((call) => call.map(({ Detail }) => Buffer.byteLength(Detail!)));
  expect(sizes.flat().every((bytes) => bytes > 100_000)).toBe(true);
  expect(sizes.map((call) => call.length)).toEqual([2, 1]);
});

test('a refused event is delivered again with all later ones, and without a reply of the bus all are', async () => {
  for (let count = 0; count < 15; count += 1) await addNode(inventory, { node_name: `n${count}` });
  const event = await stream();
  const { calls, publish } = bus(({ Detail }) => Detail!.includes('"n12"'));
  expect(await publish(event)).toEqual({ batchItemFailures: [{ itemIdentifier: 'n12' }] });
  expect(calls).toHaveLength(2);
  const dead = publishWith(() => Promise.reject(new Error('no answer')));
  expect(await dead(event)).toEqual({ batchItemFailures: [{ itemIdentifier: 'n0' }] });
});

test("events are sent to the deployment's bus, else to the default bus", async () => {
  const bodies: any[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(body);
      response.end('{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new EventBridgeClient({ endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1', credentials });
  const entry = { Source: EVENT_SOURCE, DetailType: 'Node added', Detail: '{}' };
  const arn = 'arn:aws:events:eu-west-1:123456789012:event-bus/inventory';
  expect(await senderTo(arn, client)([entry])).toEqual([{ EventId: '1' }]);
  await senderTo(undefined, client)([entry]);
  client.destroy();
  server.close();
  expect(bodies.map(({ Entries }) => Entries)).toEqual([[{ ...entry, EventBusName: arn }], [entry]]);
});
