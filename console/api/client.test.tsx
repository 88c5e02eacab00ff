import { endpoint as changeNode } from '../../functions/api/nodes/change/endpoint.ts';
import { endpoint as listNodes } from '../../functions/api/nodes/list/endpoint.ts';
import { closePage, pageTime } from '../testing/page.tsx';
import { type Reply, showReplies } from '../testing/replies.tsx';
import { ApiFailure, call, isTransient, onInventoryWrite, requestOf } from './client.tsx';
import { session } from './session.tsx';

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(pageTime() + hours * HOUR_MS).toISOString();
const caller = { kind: 'session', id: 's-1', name: 'oidc:acme/ann', role: 'Viewer' } as const;
const nodes = { objects: [], nodes: [] };
const refused = { status: 401, message: 'Expired API key' };

afterEach(closePage);

/** A server that accepts one key, and renews another one by this reply. @returns the keys of its requests, a dash for a renewal. */
async function server(accepted: string, renewal: Reply): Promise<() => (string | undefined)[]> {
  const requests = await showReplies(({ path, headers }) => {
    if (path === '/v1/logins') return renewal;
    return headers['Authorization'] === `Bearer ${accepted}` ? nodes : refused;
  });
  return () =>
    requests.map(({ path, headers }) =>
      path === '/v1/logins' ? '-' : headers['Authorization']?.slice('Bearer '.length),
    );
}

const list = () => call(listNodes, {}).catch((error: unknown) => (error as ApiFailure).message);
const notice = () => {
  const state = session.state();
  return state.kind === 'out' ? state.notice?.type : state.kind;
};

test('a refused key of a renewed session gets the next key, and the request is repeated', async () => {
  const keys = await server('new', { key: 'new', session_id: 's-1', name: caller.name, role: 'Viewer' });
  session.begin('old', caller, later(8));
  expect(await list()).toEqual(nodes);
  expect([keys(), session.key(), notice()]).toEqual([['old', '-', 'new'], 'new', 'in']);
});

test('a refused key of an unrenewed session ends the session without another request', async () => {
  const keys = await server('new', nodes);
  session.begin('old', caller);
  expect(await list()).toBe('Expired API key');
  expect([keys(), notice()]).toEqual([['old'], 'ended']);
});

test.each<[string, Reply, string]>([
  ['a refused renewal ends the session', refused, 'ended'],
  ['a renewal that the server was too busy for leaves it', { status: 503, message: 'Busy.' }, 'in'],
])('%s, and the request is not sent again', async (_, renewal, state) => {
  const keys = await server('new', renewal);
  session.begin('old', caller, later(8));
  expect(await list()).toBe('Expired API key');
  expect([keys(), notice()]).toEqual([['old', '-'], state]);
});

test('an expired session sends nothing', async () => {
  const keys = await server('old', nodes);
  session.begin('old', { ...caller, expires_at: later(0) });
  expect(await list()).toBe('Expired API key');
  expect([keys(), notice()]).toEqual([[], 'ended']);
});

test('other refused credentials do not end the session', async () => {
  const keys = await server('other', nodes);
  session.begin('old', caller);
  const reply = call(listNodes, {}, { credentials: { key: 'wrong' } });
  await expect(reply).rejects.toThrow('Expired API key');
  expect([keys(), notice()]).toEqual([['wrong'], 'in']);
});

test('writing an object counts as one write, also on failure, and reading does not', async () => {
  await showReplies(() => ({ status: 404, message: 'Not found' }));
  let writes = 0;
  const stop = onInventoryWrite(() => (writes += 1));
  await expect(call(listNodes, {})).rejects.toThrow('Not found');
  expect(writes).toBe(0);
  await expect(call(changeNode, { params: { node_id: 'n' }, body: {} })).rejects.toThrow('Not found');
  expect(writes).toBe(1);
  stop();
});

test('an empty parameter is omitted, and a call has its body', () => {
  expect(requestOf(listNodes, { query: { region: '', az: 'a', name_prefix: undefined } }).path).toMatch(
    /\?az=a$|\?region=&az=a$/,
  );
  expect(requestOf(changeNode, { params: { node_id: 'a/b' }, body: { region: 'eu' } })).toEqual({
    method: 'PATCH',
    path: '/v1/nodes/a%2Fb',
    body: { region: 'eu' },
  });
});

test('a missing reply, too many requests and a server fault may be repeated', () => {
  const transient = [0, 400, 404, 429, 499, 500, 503].filter((status) => isTransient(new ApiFailure(status)));
  expect(transient).toEqual([0, 429, 500, 503]);
  expect(new ApiFailure(502).message).toBe('The server returned status 502.');
});
