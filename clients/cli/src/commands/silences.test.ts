import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Action } from '../command/command.ts';
import { add, end, list } from './silences.ts';

const silence = (id: string, selector: string) => ({
  ...{ silence_id: id, selector, reason: 'Upgrade', until: 'u' },
  ...{ created_at: 'c', created_by: { kind: 'user', name: 'ann' } },
});

async function run(action: Action, args: string[], options: object = {}) {
  const call = commandCall({
    args,
    options: { ...options },
    answer: ({ method }) =>
      method === 'GET' ? { silences: [silence('i1', 'env=a'), silence('i2', 'env=b')] } : silence('i3', 'env=c'),
  });
  await action.run(call);
  return { out: call.out(), sent: call.sent.map(({ method, path, body }) => [method, path, body]) };
}

test('lists the silences: their ids and authors only in the wide table', async () => {
  const lines = async (output: string) => (await run(list, [], { output })).out.split('\n');
  expect(await lines('markdown')).toEqual(
    expect.arrayContaining(['| selector | reason | until |', '| env=a | Upgrade | u |']),
  );
  expect((await lines('wide'))[0]?.split(/ {3,}/)).toEqual([
    ...['SELECTOR', 'REASON', 'UNTIL', 'SILENCE_ID', 'CREATED_AT', 'CREATED_BY'],
  ]);
});

test('adds a silence for the selector, and shows it', async () => {
  const { out, sent } = await run(add, ['env=c'], { reason: 'Upgrade', timeToLive: '8h', output: 'name' });
  expect(sent).toEqual([['POST', '/v1/silences', { selector: 'env=c', reason: 'Upgrade', time_to_live: '8h' }]]);
  expect(out).toBe('env=c\n');
});

test.each([
  ['its selector', 'env=b'],
  ['its id', 'i2'],
])('a silence ends by %s', async (_, name) => {
  const { out, sent } = await run(end, [name], { yes: true });
  expect([sent.at(-1), out]).toEqual([['DELETE', '/v1/silences/i2', undefined], `silence ${name} removed\n`]);
});

test('a silence that is not found is not removed', async () => {
  const missing = { message: 'There is no silence env=x.', exit: 'missing' };
  await expect(run(end, ['env=x'], { yes: true })).rejects.toMatchObject(missing);
});
