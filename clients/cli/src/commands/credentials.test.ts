import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandOptions, commandCall } from '../../../../tests/support/command-call.ts';
import type { Action } from '../command/command.ts';
import type { Settings } from '../connection/settings.ts';
import { addKey, addToken, disableKey, enableKey, end, limit, removeKey, removeToken, rotate } from './credentials.ts';

const ID = '00000000-0000-4000-8000-000000000001';

const keys = [
  { key_id: 'k-1', name: 'deploy' },
  { key_id: 'k-2', name: 'deploy-2' },
];

const made = { key_id: 'k-3', name: 'made' };

/** Runs the command; the requests that it sends beside the list of keys. */
async function sent(action: Pick<Action, 'run'>, args: string[], more: Omit<CommandOptions, 'args' | 'answer'> = {}) {
  const call = commandCall({
    ...more,
    args,
    answer: ({ method }) => {
      if (method === 'GET') return { api_keys: keys };
      return method === 'DELETE' ? new Response(null, { status: 204 }) : { ...made, key: 'minv_k', token: 'minv_t' };
    },
  });
  const failure: unknown = await action.run(call).catch((error: unknown) => error);
  const requests = call.sent.filter(({ method }) => method !== 'GET');
  return { call, failure, requests: requests.map(({ method, path, body }) => [method, path, body]) };
}

const options = (given: object) => ({ options: { ...given } });

describe.each([
  ['key', removeKey, 'deploy', '/v1/api-keys/k-1'],
  ['token', removeToken, 't-1', '/v1/enrolment-tokens/t-1'],
  ['session', end, 's-1', '/v1/sessions/s-1'],
] as const)('the removal of a %s', (noun, action, name, path) => {
  const removed = [['DELETE', path, undefined]];

  test.each(['n', '', 'no', 'yesterday'])('does nothing after the answer "%s"', async (answer) => {
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      return Promise.resolve(answer);
    };
    const { call, failure } = await sent(action, [name], { world: { ask } });
    expect(failure).toMatchObject({ message: 'Nothing was changed.', exit: 'failed' });
    expect([asked, call.sent]).toEqual([[`Remove the ${noun} ${name}? [y/N] `], []]);
  });

  test('does nothing without a terminal', async () => {
    const { call, failure } = await sent(action, [name]);
    expect(failure).toMatchObject({ exit: 'usage', message: expect.stringContaining('--yes') });
    expect(call.sent).toEqual([]);
  });

  test('is sent after a yes, and without a question by --yes', async () => {
    const answered = await sent(action, [name], { world: { ask: () => Promise.resolve('y') } });
    expect([answered.failure, answered.requests]).toEqual([undefined, removed]);
    const { call, requests } = await sent(action, [name], options({ yes: true }));
    expect([requests, call.out()]).toEqual([removed, `${noun} ${name} removed\n`]);
  });
});

test('a key is found by its exact name, or is taken by its id', async () => {
  const path = async (name: string) => (await sent(disableKey, [name])).requests[0]?.[1];
  expect(await path('deploy-2')).toBe('/v1/api-keys/k-2');
  expect(await path(ID)).toBe(`/v1/api-keys/${ID}`);
  const { failure, requests, call } = await sent(disableKey, ['dep']);
  expect(failure).toMatchObject({ message: 'There is no key dep.', exit: 'missing' });
  expect(requests).toEqual([]);
  // Expired keys can be named too.
  expect(call.sent[0]?.path).toContain('include_expired=true');
});

test('each change of a key sends its fields', async () => {
  const path = '/v1/api-keys/k-1';
  const changes = async (action: Pick<Action, 'run'>, ...more: string[]) =>
    (await sent(action, ['deploy', ...more])).requests;
  expect(await changes(disableKey)).toEqual([['PATCH', path, { disabled: true }]]);
  expect(await changes(enableKey)).toEqual([['PATCH', path, { disabled: false }]]);
  expect(await changes(limit, '600')).toEqual([['PATCH', path, { rate_limit_per_minute: 600 }]]);
  expect(await changes(limit, 'none')).toEqual([['PATCH', path, { rate_limit_per_minute: null }]]);
  for (const wrong of ['many', '1.5']) {
    const { call, failure } = await sent(limit, ['deploy', wrong]);
    expect(failure).toMatchObject({ exit: 'usage' });
    expect(call.sent).toEqual([]);
  }
});

test('a key or token that is added is shown once', async () => {
  const key = await sent(addKey, ['made'], options({ role: 'Editor' }));
  expect(key.requests).toEqual([['POST', '/v1/api-keys', { name: 'made', role: 'Editor' }]]);
  const token = await sent(addToken, ['made']);
  expect(token.requests).toEqual([['POST', '/v1/enrolment-tokens', { name: 'made' }]]);
  expect([key.call.out(), token.call.out()]).toEqual(['minv_k\n', 'minv_t\n']);
});

describe('the rotation', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-keys-'))));
  afterAll(() => rm(folder, { recursive: true }));

  test('of a named key lets the present secret work for an hour, or as long as is said', async () => {
    const path = '/v1/api-keys/k-1/rotate';
    expect((await sent(rotate, ['deploy'])).requests).toEqual([['POST', path, { overlap: '1h' }]]);
    const { requests, call } = await sent(rotate, ['deploy'], options({ overlap: '5m' }));
    expect([requests, call.out()]).toEqual([[['POST', path, { overlap: '5m' }]], 'minv_k\n']);
  });

  test("of the program's own key stores the new secret where it was read, and shows the rest", async () => {
    const keyFile = join(folder, 'own');
    const call = commandCall({
      options: { output: 'json' },
      answer: ({ method }) => (method === 'GET' ? {} : { ...made, key: 'minv_own' }),
    });
    await rotate.run({ ...call, settings: () => Promise.resolve({ keyFile } as Settings) });
    expect(call.sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/v1/caller/rotate', { overlap: '1h' }],
      ['GET', '/v1/caller', undefined],
    ]);
    expect([await readFile(keyFile, 'utf8'), JSON.parse(call.out())]).toEqual(['minv_own\n', made]);
  });

  test('writes the secret to the file of --out, and asks for no secret that it could not write', async () => {
    const out = join(folder, 'key');
    const { call } = await sent(rotate, ['deploy'], options({ out }));
    expect(await readFile(out, 'utf8')).toBe('minv_k\n');
    expect(call.out()).not.toContain('minv_k');
    for (const action of [rotate, addKey, addToken]) {
      const lost = await sent(action, ['deploy'], options({ out: join(folder, 'absent', 'key') }));
      expect(lost.failure).toBeInstanceOf(Error);
      expect(lost.requests).toEqual([]);
    }
  });
});
