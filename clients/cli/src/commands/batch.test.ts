import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall, type SentRequest } from '../../../../tests/support/command-call.ts';
import type { Settings } from '../connection/settings.ts';
import { run } from './batch.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-batch-'))));
afterEach(() => rm(folder, { recursive: true }));

const remove = (id: string) => ({ op: 'removeNode', id });
const add = { op: 'addAgent', body: { agent_type: 'node_exporter' } };

/** `batch -f -` with these operations, and a reply with these statuses. */
function batch(input: unknown, options: object = {}, statuses: readonly number[] = [], failure?: Error) {
  const rest = [...statuses];
  const call = commandCall({
    options: { file: '-', output: 'csv', ...options },
    world: { readInput: () => Promise.resolve(JSON.stringify(input)) },
    answer: ({ body }: SentRequest) => {
      if (failure !== undefined) throw failure;
      const results = body.operations.map(() => {
        const status = rest.shift() ?? 200;
        return status < 300
          ? { status, outcome: 'removed', id: 'i' }
          : { status, error: { code: 5, message: 'Absent.', details: [] } };
      });
      return { results };
    },
  });
  const ended = run({
    ...call,
    name: 'batch',
    settings: () => Promise.resolve({ url: 'http://inventory' } as Settings),
  });
  return { call, ended };
}

test('lists the result of each operation, and failures make the batch partial', async () => {
  const { call, ended } = batch([remove('a'), remove('b')], { output: 'markdown' }, [299, 300]);
  expect(await ended).toBe('partial');
  expect(call.out().split('\n').slice(2)).toEqual([
    '| 0 | removeNode | 299 | removed | i | - |',
    '| 1 | removeNode | 300 | - | - | Absent. |',
    '',
  ]);
  expect(call.sent.map(({ body }) => body.operations)).toEqual([[remove('a'), remove('b')]]);
});

test('a batch whose operations all succeed is done, also as the field `operations` of an object', async () => {
  const { call, ended } = batch({ operations: [remove('a')] });
  expect(await ended).toBeUndefined();
  expect(call.sent[0]?.body).toEqual({ operations: [remove('a')] });
});

test('programs get the whole error', async () => {
  const { call, ended } = batch([remove('a')], { output: 'jsonl' }, [404]);
  await ended;
  expect(JSON.parse(call.out())).toEqual({
    ...{ operation: 0, op: 'removeNode', status: 404 },
    error: { code: 5, message: 'Absent.', details: [] },
  });
});

test('--atomic is one request', async () => {
  const { call, ended } = batch([remove('a')], { atomic: true });
  await ended;
  expect(call.sent[0]?.body).toEqual({ operations: [remove('a')], atomic: true });
  expect(call.out()).toContain('0,removeNode,200');
});

test('an empty list sends nothing, and shows nothing', async () => {
  const { call, ended } = batch([]);
  expect(await ended).toBeUndefined();
  expect([call.out(), call.sent]).toEqual(['', []]);
});

test.each([
  [[], { file: undefined }, 'Give a file: -f FILE.'],
  [[], { atomic: true, progressFile: 'p' }, '--atomic takes no --progress-file: it is one request.'],
  ['text', {}, '- contains no list of operations.'],
  [[{}], {}, '- contains no list of operations.'],
  [[{ op: 1 }], {}, '- contains no list of operations.'],
])('%j with %j is refused', async (input, options, message) => {
  const { call, ended } = batch(input, options);
  await expect(ended).rejects.toMatchObject({ message, exit: 'usage' });
  expect(call.sent).toEqual([]);
});

describe('with a progress file', () => {
  const stored = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;

  /** Interrupts a batch, and stores this progress in its file. */
  async function interrupted(operations: object[], progress: object) {
    const progressFile = join(folder, 'progress');
    await expect(batch(operations, { progressFile }, [], new TypeError('cut')).ended).rejects.toBeDefined();
    const { results, sent } = await stored(progressFile);
    expect([results, sent]).toEqual([[], operations.length]);
    await writeFile(progressFile, JSON.stringify({ ...(await stored(progressFile)), ...progress }));
    return progressFile;
  }

  const done = { status: 200, outcome: 'removed', id: 'before' };

  test('an interrupted batch continues after the known results, and removes the file', async () => {
    const progressFile = await interrupted([remove('a'), remove('b')], { results: [done], sent: 2 });
    const { call, ended } = batch([remove('a'), remove('b')], { progressFile });
    expect(await ended).toBeUndefined();
    expect(call.sent.map(({ body }) => body.operations)).toEqual([[remove('b')]]);
    expect(call.out()).toContain('0,removeNode,200,removed,before,\n1,removeNode,200,removed,i,\n');
    expect(existsSync(progressFile)).toBe(false);
  });

  test('additions whose reply was lost are sent again only with --repeat', async () => {
    const operations = [remove('a'), add, add];
    const progressFile = await interrupted(operations, { results: [done], sent: 3 });
    const refused = batch(operations, { progressFile });
    await expect(refused.ended).rejects.toMatchObject({
      message: expect.stringMatching(/^The reply to the operations 1 to 2 was lost, and they add objects\./),
      exit: 'partial',
    });
    expect(refused.call.sent).toEqual([]);
    const { call, ended } = batch(operations, { progressFile, repeat: true });
    await ended;
    expect(call.sent[0]?.body.operations).toEqual([add, add]);
  });

  test.each([
    ['without the number of those that were sent', { results: [done], sent: undefined }, 1],
    ['whose results are none', { results: [{ status: 'no' }], sent: 1 }, 2],
    ['without results', { results: undefined, sent: 1 }, 2],
  ])('progress %s refuses no addition', async (_, progress, count) => {
    const progressFile = await interrupted([add, add], progress);
    const { call, ended } = batch([add, add], { progressFile });
    await ended;
    expect(call.sent[0]?.body.operations).toHaveLength(count);
  });
});
