import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall, type CommandOptions } from '../../../../tests/support/command-call.ts';
import { run } from './api.ts';

/** What the command sends and prints. */
async function api(args: string[], options: object = {}, more: Omit<CommandOptions, 'args' | 'options'> = {}) {
  const call = commandCall({ args, options: { output: 'jsonl', ...options }, ...more });
  await run(call);
  return { out: call.out(), sent: call.sent.map(({ method, path, body }) => [method, path, body]) };
}

const input = (text: string) => ({ world: { readInput: () => Promise.resolve(text) } });

test('a request has the method and the path as they are given, and the reply is printed', async () => {
  expect(await api(['get', '/v1/nodes?region=eu'], {}, { answer: () => ({ nodes: [] }) })).toEqual({
    out: '{"nodes":[]}\n',
    sent: [['GET', '/v1/nodes?region=eu', undefined]],
  });
});

test('a body is the JSON object of the file or of the standard input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-api-'));
  const file = join(folder, 'body');
  await writeFile(file, '{"a":1}');
  expect((await api(['POST', '/v1/nodes'], { file })).sent).toEqual([['POST', '/v1/nodes', { a: 1 }]]);
  await rm(folder, { recursive: true });
  const { sent } = await api(['PATCH', '/v1/nodes/n'], { file: '-' }, input('{"b":2}'));
  expect(sent).toEqual([['PATCH', '/v1/nodes/n', { b: 2 }]]);
});

test('a reply that is no JSON is printed as it is', async () => {
  expect((await api(['GET', '/v1/metrics'], {}, { answer: () => new Response('up 1\n') })).out).toBe('up 1\n');
});

test.each([
  ['/v1/nodes', '/v1/nodes?page_token=a%2B1'],
  ['/v1/nodes?region=eu', '/v1/nodes?region=eu&page_token=a%2B1'],
])('--all prints the objects of all pages of %s as one list', async (path, following) => {
  const replies = [{ nodes: [1, 2], total: 3, next_page_token: 'a+1' }, { nodes: [3] }];
  const { out, sent } = await api(['GET', path], { all: true }, { answer: () => replies.shift() });
  expect([out, sent.map(([, sentPath]) => sentPath)]).toEqual(['[1,2,3]\n', [path, following]]);
});

test('--all of a reply without a list is an empty list', async () => {
  expect((await api(['GET', '/v1/nodes'], { all: true }, { answer: () => [] })).out).toBe('[]\n');
});

test.each([
  [['FETCH', '/v1'], {}, '', 'No such method: FETCH. There are: GET, POST, PUT, PATCH, DELETE.'],
  [['GET', 'v1/nodes'], {}, '', 'Not a path such as /v1/nodes: v1/nodes'],
  [['GET', '/v1/nodes/{node_id}'], {}, '', 'Not a path such as /v1/nodes: /v1/nodes/{node_id}'],
  [['POST', '/v1/nodes'], { all: true }, '', '--all is for GET.'],
  [['GET', '/v1/nodes'], { file: '-' }, '{}', 'GET takes no --file.'],
  [['DELETE', '/v1/nodes'], { file: '-' }, '{}', 'DELETE takes no --file.'],
  [['POST', '/v1/nodes'], { file: '-' }, '[]', '- contains no JSON object.'],
  [['POST', '/v1/nodes'], { file: '-' }, '{', expect.stringMatching(/^- is not JSON: /)],
])('%p with %p is refused before a request', async (args, options, text, message) => {
  const call = commandCall({ args, options: { ...options }, ...input(text) });
  await expect(run(call)).rejects.toMatchObject({ message, exit: 'usage' });
  expect(call.sent).toEqual([]);
});
