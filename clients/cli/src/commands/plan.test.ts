import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './plan.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-plan-'));
  file = join(folder, 'fleet.yaml');
  await writeFile(file, 'scope: { selector: fleet=a }\ndefaults: { region: eu }\nnodes: []\n');
});
afterEach(() => rm(folder, { recursive: true }));

/** `plan -f fleet.yaml` with this reply of the server. */
function plan(more: object, options: Record<string, unknown> = {}) {
  const reply = {
    ...{ plan_id: 'p', plan_digest: 'd', state: 'planned', progress: { total: 0, done: 0, failed: 0, skipped: 0 } },
    ...{ in_scope: 2, add: 0, change: 0, remove: 0, unchanged: 0, blocked: 0, items: [], ...more },
  };
  const call = commandCall({ options: { file: [file], ...options }, answer: () => reply });
  return { call, ended: run(call) };
}

test.each([
  [{ unchanged: 2 }, undefined],
  [{ add: 1 }, 'differs'],
  [{ change: 1 }, 'differs'],
  [{ remove: 1 }, 'differs'],
  [{ add: 1, blocked: 1 }, 'partial'],
  [{ remove: 2, refusal: 'Too many.' }, 'partial'],
])('a plan of %j ends as %s', async (more, exit) => expect(await plan(more).ended).toBe(exit));

test('a plan changes nothing', async () => {
  const { call, ended } = plan({ add: 1 });
  await ended;
  expect(call.out()).toBe(`${file}:\n1 to add, 0 to change, 0 to remove, 0 unchanged.\n\n`);
  expect(call.sent.map(({ path, body }) => [path, body.mode])).toEqual([['/v1/reconcile', 'plan']]);
  expect(await readdir(folder)).toEqual(['fleet.yaml']);
});

test('a written plan is for its owner only, and names the file and the digest', async () => {
  const out = join(folder, 'plan.json');
  await plan({ add: 1 }, { out }).ended;
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(out, 'utf8')).plans).toMatchObject([{ file, digest: 'd' }]);
});

test('a plan that cannot be written is refused before a request', async () => {
  const { call, ended } = plan({}, { out: join(folder, 'absent', 'plan.json') });
  await expect(ended).rejects.toMatchObject({ exit: 'usage' });
  expect(call.sent).toEqual([]);
});

test('the desired objects are shown with --detailed, beside the plan', async () => {
  const { call, ended } = plan({}, { detailed: true });
  await ended;
  expect([call.err(), call.out()]).toEqual([
    expect.stringContaining('selector: fleet=a'),
    expect.not.stringContaining('selector'),
  ]);
});
