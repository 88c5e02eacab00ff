import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietWorld } from '../../../../tests/support/command-call.ts';
import { readPlan, writtenPlan } from './plan-file.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-plan-'))));
afterAll(() => rm(folder, { recursive: true }));

const request = { scope: { selector: 'fleet=a' }, desired: {} };

async function written(text: string): Promise<string> {
  const path = join(folder, 'plan.json');
  await writeFile(path, text);
  return path;
}

test('a plan is read as written, also from the standard input, with its file, request and digest', async () => {
  const plan = {
    ...{ plan_id: 'p', plan_digest: 'd', state: 'planned', in_scope: 1, add: 1, change: 0, remove: 0 },
    ...{ unchanged: 0, blocked: 0, items: [], progress: { total: 1, done: 0, failed: 0, skipped: 0 } },
  };
  const text = writtenPlan([{ file: 'a.yaml', request, plan }]);
  const expected = [{ file: 'a.yaml', request, digest: 'd' }];
  expect(await readPlan(await written(text), quietWorld())).toEqual(expected);
  expect(await readPlan('-', quietWorld({ readInput: () => Promise.resolve(text) }))).toEqual(expected);
});

test.each([
  ['{'],
  ['[]'],
  [{ format: 2, plans: [] }],
  [{ format: 1, plans: {} }],
  [{ format: 1, plans: [7] }],
  [{ format: 1, plans: [{ file: 'a', digest: 'd' }] }],
  [{ format: 1, plans: [{ file: 'a', request }] }],
  [{ format: 1, plans: [{ digest: 'd', request }] }],
])('%j is no plan', async (content) => {
  const path = await written(typeof content === 'string' ? content : JSON.stringify(content));
  await expect(readPlan(path, quietWorld())).rejects.toMatchObject({
    exit: 'usage',
    message: expect.stringContaining('is not a plan'),
  });
});

test('a plan that does not exist is named', async () => {
  await expect(readPlan(join(folder, 'none'), quietWorld())).rejects.toMatchObject({
    exit: 'usage',
    message: expect.stringContaining('none'),
  });
});
