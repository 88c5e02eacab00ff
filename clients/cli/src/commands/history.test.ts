import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './history.ts';

const change = (revision: number, action = 'changed') => ({
  ...{ change_id: `c${revision}`, time: 't', kind: 'node', id: 'n1', action, revision, actor: { name: 'ann' } },
  ...{ before: { region: 'eu' }, after: { region: `r${revision}` } },
});

async function history(options: object) {
  const call = commandCall({
    args: ['node/db-1'],
    options: { ...options },
    answer: ({ path }) => {
      if (!path.includes('/history')) return { nodes: [{ node_id: 'n1', node_name: 'db-1' }] };
      return path.includes('page_token')
        ? { changes: [change(1)] }
        : { changes: [change(3), change(2)], next_page_token: 'p' };
    },
  });
  await run(call);
  return { out: call.out(), requests: call.sent.filter(({ path }) => path.includes('/n1/history')).length };
}

test('shows all changes with the name of the object', async () => {
  const { out } = await history({});
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {3,}/)),
  ).toEqual([
    ['TIME', 'ACTION', 'OBJECT', 'REVISION', 'ACTOR', 'CHANGES'],
    ...[3, 2, 1].map((revision) => [
      't',
      'changed',
      'node/db-1',
      String(revision),
      'ann',
      `region: eu -> r${revision}`,
    ]),
  ]);
});

test('--limit reads no page more than it needs', async () => {
  const { out, requests } = await history({ limit: '2', output: 'name' });
  expect([out, requests]).toEqual(['node/n1\nnode/n1\n', 1]);
});

test('programs get the changes as the server sends them', async () => {
  expect(JSON.parse((await history({ output: 'json', limit: '1' })).out)).toEqual([change(3)]);
});
