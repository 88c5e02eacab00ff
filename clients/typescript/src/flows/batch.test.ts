import { type BatchOperation, type BatchResult, createClient } from '../index.ts';
import { batch } from './batch.ts';

const operations: BatchOperation[] = [
  { op: 'addNode', ref: 'n', body: { node_type: 'generic', node_name: 'n', address: 'a' } },
  { op: 'addNode', ref: 'm', body: { node_type: 'generic', node_name: 'm', address: 'b' } },
  { op: 'removeNode', id: '$n' },
  { op: 'removeNode', id: '$m' },
];

/** Runs the rest of a batch; with the operations that are sent, and the calls of `onRequest`. */
async function resume(done: readonly BatchResult[]) {
  const sent: unknown[] = [];
  const requests: number[][] = [];
  const client = createClient({
    url: 'https://inventory.example',
    fetch: (_, { body }) => {
      const { operations: all }: { operations: unknown[] } = JSON.parse(body as string);
      sent.push(...all);
      return Promise.resolve(Response.json({ results: all.map(() => ({ status: 204 })) }));
    },
  });
  const results = await batch(client, operations, { done, onRequest: (...range) => requests.push(range) });
  return { sent, requests, statuses: results.map(({ status }) => status) };
}

test('operations with a result are not sent again, and later ones have their ids', async () => {
  const done = [
    { status: 201, id: '1' },
    { status: 201, id: '2' },
  ] as BatchResult[];
  expect(await resume(done)).toEqual({
    sent: [
      { op: 'removeNode', id: '1' },
      { op: 'removeNode', id: '2' },
    ],
    requests: [[2, 4]],
    statuses: [201, 201, 204, 204],
  });
});

test('an operation that refers to one that failed earlier is not sent', async () => {
  const done = [{ status: 409 }, { status: 201, id: '2' }] as BatchResult[];
  expect(await resume(done)).toEqual({
    sent: [{ op: 'removeNode', id: '2' }],
    requests: [[2, 4]],
    statuses: [409, 201, 400, 204],
  });
});
