import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './enrol.ts';

const reply = { node: { node_id: 'n', node_name: 'web-1' }, api_key: { key: 'minv_k' } };

function enrol(options: object, input = 'minv_t\n') {
  const call = commandCall({
    args: ['web-1'],
    options: { tokenFile: '-', ...options },
    world: { readInput: () => Promise.resolve(input) },
    answer: () => reply,
  });
  return { call, ended: run(call) };
}

test.each([
  [{}, { node_type: 'generic' }],
  [
    { nodeType: 'container', address: 'a', label: ['team=dba'] },
    { node_type: 'container', address: 'a', custom_labels: { team: 'dba' } },
  ],
])('exchanges the token for a node with %j, and prints the key once', async (options, fields) => {
  const { call, ended } = enrol(options);
  await ended;
  expect(call.sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/v1/enrolment', { token: 'minv_t', node: { node_name: 'web-1', ...fields } }],
  ]);
  expect(call.out()).toBe('minv_k\n');
});

test('with --out the key is only in the file, and the node is shown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-enrol-'));
  const { call, ended } = enrol({ out: join(folder, 'key'), output: 'json' });
  await ended;
  expect([await readFile(join(folder, 'key'), 'utf8'), JSON.parse(call.out())]).toEqual(['minv_k\n', reply.node]);
  await rm(folder, { recursive: true });
});

test.each([
  [{ tokenFile: undefined }, '', 'Give the enrolment token: --token-file FILE.'],
  [{}, ' \n', '- contains no token.'],
  [{ output: 'csv' }, 'minv_t', 'test without --out has no format csv.'],
])('with %j and the input "%s" the token is not used', async (options, input, message) => {
  const { call, ended } = enrol(options, input);
  await expect(ended).rejects.toMatchObject({ message: expect.stringContaining(message), exit: 'usage' });
  expect(call.sent).toEqual([]);
});
