import { commandCall, type RecordedCall, type SentRequest } from '../../../../tests/support/command-call.ts';
import type { Action } from '../command/command.ts';
import { add, disable, enable, endSessions, invite, remove, set } from './users.ts';

const users = [
  { user_id: 'u1', user_name: 'ann' },
  { user_id: 'u2', user_name: 'bob' },
  { user_id: 'u3', user_name: 'twin' },
  { user_id: 'u4', user_name: 'twin' },
];

/** Runs the command; the requests that it sends beside the list of users. */
async function sent(action: Pick<Action, 'run'>, args: string[], options: object = {}) {
  const call = commandCall({
    args,
    options: { ...options },
    answer: ({ method }: SentRequest) => (method === 'GET' ? { users } : { ...users[0], invitation: 'minv_i' }),
  });
  await action.run(call);
  const requests = call.sent.filter(({ method }) => method !== 'GET');
  return { call, requests: requests.map(({ method, path, body }) => [method, path, body]) };
}

test('a user is found by name or id', async () => {
  const path = '/v1/users/u2';
  for (const name of ['bob', 'u2'])
    expect((await sent(disable, [name])).requests).toEqual([['PATCH', path, { disabled: true }]]);
  await expect(sent(disable, ['nobody'])).rejects.toMatchObject({ exit: 'missing' });
  await expect(sent(disable, ['twin'])).rejects.toMatchObject({ message: expect.stringContaining('give the id') });
  expect((await sent(disable, ['u4'])).requests).toEqual([['PATCH', '/v1/users/u4', { disabled: true }]]);
});

test('each command sends its request', async () => {
  expect((await sent(enable, ['ann'])).requests).toEqual([['PATCH', '/v1/users/u1', { disabled: false }]]);
  expect((await sent(endSessions, ['ann'])).requests).toEqual([['DELETE', '/v1/users/u1/sessions', undefined]]);
  expect((await sent(remove, ['ann'], { yes: true })).requests).toEqual([['DELETE', '/v1/users/u1', undefined]]);
  expect((await sent(invite, ['ann'], { invitationTimeToLive: '1d' })).requests).toEqual([
    ['POST', '/v1/users/u1/invite', { invitation_time_to_live: '1d' }],
  ]);
});

test('an empty list of owners clears them', async () => {
  const bodies = async (options: object) => (await sent(set, ['ann'], options)).requests.map(([, , body]) => body);
  expect(await bodies({ owners: '' })).toEqual([{ owners: null }]);
  expect(await bodies({ owners: 'a,b' })).toEqual([{ owners: ['a', 'b'] }]);
  expect(await bodies({ role: 'Viewer' })).toEqual([{ role: 'Viewer' }]);
});

test('an invitation is shown once, beside what people read', async () => {
  const { call, requests } = await sent(add, ['cyd'], { role: 'Viewer' });
  expect(requests).toEqual([['POST', '/v1/users', { user_name: 'cyd', role: 'Viewer' }]]);
  const shown = ({ out, err }: RecordedCall) => [out(), err()];
  expect(shown(call)).toEqual(['minv_i\n', 'The secret is shown only this once.\n']);
});
