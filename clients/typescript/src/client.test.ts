import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addNode,
  changeNode,
  createClient,
  exportInventory,
  getNode,
  InventoryError,
  listNodes,
  type Node,
  removeNode,
  runBatch,
} from './index.ts';
import { inventory } from './facade.ts';
import { operation, type Client } from './operation.ts';
import { ServerLacks } from './error.ts';
import { since } from './since.ts';
import type { ClientOptions } from './options.ts';

interface RequestRecord {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

type Answer = Response | Error | ((signal: AbortSignal) => Promise<Response>);

/** A client of a server that gives these answers, one after the other; the last one again and again. */
function answering(answers: Answer[], options: Partial<ClientOptions> = {}): { client: Client; sent: RequestRecord[] } {
  const sent: RequestRecord[] = [];
  const client = createClient({
    url: 'https://inventory.example/base/',
    key: 'secret',
    ...options,
    fetch: async (url, { method, headers, body, signal }) => {
      sent.push({ url, method, headers, body });
      const answer = answers[Math.min(sent.length, answers.length) - 1]!;
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer.clone() : answer(signal!);
    },
  });
  return { client, sent };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

const failure = (status: number, more: object = {}, headers: Record<string, string> = { 'Retry-After': '0' }) =>
  json({ status: 'NOT_FOUND', code: 5, message: 'No.', details: [], request_id: 'r', ...more }, status, headers);

const lost = new TypeError('fetch failed', { cause: new Error('socket hang up') });

const rejection = (promise: PromiseLike<unknown>): Promise<InventoryError> =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('resolved');
    },
    (error: unknown) => error as InventoryError,
  );

describe('a request', () => {
  test('has its parameters in the path and the query, and the other fields in the body', async () => {
    const { client, sent } = answering([json({})]);
    await getNode(client, { node_id: 'a/b ü' });
    await removeNode(client, { node_id: 'x', force: true }, { ifMatch: 3 });
    await listNodes(client, { state: ['live', 'stale'], region: undefined, name_prefix: 'a&b' });
    await changeNode(client, { node_id: 'x', address: 'y', custom_labels: { team: null } });
    expect(
      sent.map(({ method, url, body }) => [method, url.replace('https://inventory.example/base', ''), body]),
    ).toEqual([
      ['GET', '/v1/nodes/a%2Fb%20%C3%BC', undefined],
      ['DELETE', '/v1/nodes/x?force=true', undefined],
      ['GET', '/v1/nodes?state=live%2Cstale&name_prefix=a%26b', undefined],
      ['PATCH', '/v1/nodes/x', '{"address":"y","custom_labels":{"team":null}}'],
    ]);
    expect(sent[1]!.headers).toMatchObject({ 'If-Match': '"3"', Authorization: 'Bearer secret' });
  });

  test('without the id of its object is not sent', async () => {
    const { client, sent } = answering([json({})]);
    await expect(removeNode(client, { node_id: '' })).rejects.toThrow('node_id is missing');
    await expect(removeNode(client, {} as never)).rejects.toThrow('node_id is missing');
    expect(sent).toEqual([]);
  });

  test('asks for the key each time, so that a rotated key counts at once', async () => {
    const keys = ['first\n', 'second\n'];
    const { client, sent } = answering([json({})], { key: () => Promise.resolve(keys.shift()!) });
    await getNode(client, { node_id: 'x' });
    await getNode(client, { node_id: 'x' });
    expect(sent.map(({ headers }) => headers['Authorization'])).toEqual(['Bearer first', 'Bearer second']);
  });

  test('of a user has the password in UTF-8', async () => {
    const { client, sent } = answering([json({})], { user: 'admin', password: 'pässword' });
    await getNode(client, { node_id: 'x' });
    expect(sent[0]!.headers['Authorization']).toBe(`Basic ${Buffer.from('admin:pässword').toString('base64')}`);
  });

  test('does not follow a redirect: the key is for this server alone', async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      paths.push(url);
      if (url === '/other') response.end('{}');
      else response.writeHead(307, { Location: '/other' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({ url: `http://127.0.0.1:${port}`, key: 'secret', attempts: 1 });
    try {
      const error = await rejection(getNode(client, { node_id: 'x' }));
      expect([error.http, paths]).toEqual([0, ['/v1/nodes/x']]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('a conditional get of an unchanged object returns undefined', async () => {
    const { client, sent } = answering([new Response(null, { status: 304 })]);
    expect(await getNode(client, { node_id: 'x' }, { ifNoneMatch: 7 })).toBe(undefined);
    expect(sent[0]!.headers['If-None-Match']).toBe('"7"');
  });
});

describe('an error', () => {
  test("has the server's message", async () => {
    const details = [{ field: 'port', reason: 'required', message: 'Required.' }];
    const { client } = answering([failure(400, { status: 'INVALID_ARGUMENT', code: 3, details })]);
    const error = await rejection(getNode(client, { node_id: 'x' }));
    expect(error).toBeInstanceOf(InventoryError);
    expect(error).toMatchObject({
      ...{ http: 400, status: 'INVALID_ARGUMENT', code: 3, message: 'No.', details },
      ...{ requestId: 'r', operation: 'getNode', retryable: false },
    });
  });

  test.each([
    ['of a proxy', new Response('<html>', { status: 502, headers: { 'X-Request-Id': 'p' } }), 502, 'UNKNOWN'],
    ['of the network', lost, 0, 'UNAVAILABLE'],
    [
      'of a cut body',
      new Response('{"node_id": ', { headers: { 'Content-Type': 'application/json' } }),
      ...([0, 'UNAVAILABLE'] as const),
    ],
  ])('%s has the same form', async (_, answer, http, status) => {
    const { client } = answering([answer], { attempts: 1 });
    expect(await rejection(getNode(client, { node_id: 'x' }))).toMatchObject({
      http,
      status,
      retryable: true,
      details: [],
    });
  });

  test.each([
    [429, true],
    [500, false],
    [501, false],
    [502, true],
    [503, true],
    [504, true],
    [505, false],
  ])('of the status %i can be repeated: %s', async (status, retryable) => {
    const { client } = answering([failure(status)], { attempts: 1 });
    expect(await rejection(getNode(client, { node_id: 'x' }))).toMatchObject({ http: status, retryable });
  });

  test.each([
    ['7', 7],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', 0],
  ])('with the Retry-After %s has that time in seconds', async (header, retryAfter) => {
    const { client } = answering([failure(503, {}, { 'Retry-After': header })], { attempts: 1 });
    expect(await rejection(getNode(client, { node_id: 'x' }))).toMatchObject({ retryAfter });
  });

  test('never contains the key', async () => {
    const { client } = answering([lost], { attempts: 1 });
    const error = await rejection(getNode(client, { node_id: 'x' }));
    expect(JSON.stringify([error, error.message, error.stack, String(error.cause)])).not.toContain('secret');
  });

  test('states when the server is too old for the operation', async () => {
    const later = operation<object>({ id: 'later', method: 'GET', path: '/v1/later', since: since('0.10.0') });
    const { client, sent } = answering([failure(404), json({ version: '3.0.0', build: { version: '0.9.1' } })]);
    const error = await rejection(later(client));
    expect(error).toBeInstanceOf(ServerLacks);
    expect(error).toMatchObject({
      message: 'later needs server 0.10.0, this is 0.9.1.',
      http: 404,
      operation: 'later',
    });
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/base/v1/later', '/base/v1/version']);
    const { client: newer } = answering([failure(404), json({ version: '3.0.0', build: { version: '0.10.0' } })]);
    expect(await rejection(later(newer))).not.toBeInstanceOf(ServerLacks);
  });
});

test.each([
  ['0.9.20', '0.10.0', true],
  ['1.10.0', '2.0.0', true],
  ['1.10.0', '1.9.0', false],
  ['1.2.3-rc.1', '1.2.3', false],
])('a server of version %s, an operation since %s: the server lacks it: %s', async (version, first, isMissing) => {
  const later = operation<object>({ id: 'later', method: 'GET', path: '/v1/later', since: since(first) });
  const { client } = answering([failure(404), json({ version: '3.0.0', build: { version } })]);
  expect((await rejection(later(client))) instanceof ServerLacks).toBe(isMissing);
});

describe('a repetition', () => {
  const added = json({ node_id: 'x' }, 201);

  test('of an add has the same Idempotency-Key, and another call has another one', async () => {
    const { client, sent } = answering([lost, failure(503), added]);
    await addNode(client, { node_type: 'generic', node_name: 'x', address: 'y' });
    await addNode(client, { node_type: 'generic', node_name: 'x', address: 'y' });
    const keys = sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(keys.length).toBe(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('has the key of the caller, if it states one', async () => {
    const { client, sent } = answering([lost, added]);
    await addNode(client, { node_type: 'generic', node_name: 'x', address: 'y' }, { idempotencyKey: 'order-1' });
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual(['order-1', 'order-1']);
  });

  test('of a batch requires `atomic`, without which the server refuses the key', async () => {
    const operations = [{ op: 'removeNode', node_id: 'x' }] as never;
    const { client, sent } = answering([lost, json({ results: [] })]);
    expect(await rejection(runBatch(client, { operations }))).toMatchObject({ http: 0, retryable: false });
    await runBatch(client, { operations, atomic: true });
    expect(sent.map(({ headers }) => headers['Idempotency-Key'] !== undefined)).toEqual([false, true]);
  });

  test('of a change requires a revision, because it could undo another change', async () => {
    const { client, sent } = answering([lost]);
    await rejection(changeNode(client, { node_id: 'x', address: 'y' }));
    expect(sent.length).toBe(1);
    await rejection(changeNode(client, { node_id: 'x', address: 'y' }, { ifMatch: 1, attempts: 2 }));
    expect(sent.length).toBe(3);
  });

  test('of a removal that finds nothing has succeeded, but a first attempt has failed', async () => {
    const { client } = answering([lost, failure(404)]);
    await removeNode(client, { node_id: 'x' });
    const { client: other } = answering([failure(404)]);
    expect(await rejection(removeNode(other, { node_id: 'x' }))).toMatchObject({ http: 404 });
  });

  test('that fails because of its own first attempt names the lost reply as the cause', async () => {
    const { client } = answering([lost, failure(412)]);
    const error = await rejection(changeNode(client, { node_id: 'x' }, { ifMatch: 1 }));
    expect(error).toMatchObject({ http: 412, cause: { http: 0 } });
    const { client: busy } = answering([failure(429, {}, { 'Retry-After': '0' }), failure(412)]);
    expect((await rejection(changeNode(busy, { node_id: 'x' }, { ifMatch: 1 }))).cause).toBeUndefined();
  });

  test('waits for Retry-After, and leaves a long wait to the caller', async () => {
    const waits: number[] = [];
    const onRetry = ({ wait }: { wait: number }) => waits.push(wait);
    const { client } = answering([failure(429, {}, { 'Retry-After': '1' }), json({})], { onRetry });
    const { signal } = new AbortController();
    await getNode(client, { node_id: 'x' }, { signal });
    expect(waits[0]).toBeGreaterThanOrEqual(1000);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const { client: other, sent } = answering([failure(429, {}, { 'Retry-After': '3600' })]);
    expect(await rejection(getNode(other, { node_id: 'x' }))).toMatchObject({ retryAfter: 3600, retryable: true });
    expect(sent.length).toBe(1);
  });
});

describe('a call ends', () => {
  const silent = (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

  test('after its time', async () => {
    const { client } = answering([silent], { attempts: 1 });
    const error = await rejection(getNode(client, { node_id: 'x' }, { timeout: 20 }));
    expect(error).toMatchObject({ http: 0, status: 'DEADLINE_EXCEEDED', code: 4 });
  });

  test.each(['a request', 'a wait'])('with the reason of the signal, during %s', async (during) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client, sent } = answering([during === 'a wait' ? failure(429, {}, { 'Retry-After': '50' }) : silent], {
      onRetry: () => controller.abort(reason),
    });
    const error = rejection(getNode(client, { node_id: 'x' }, { signal: controller.signal }));
    if (during === 'a request') controller.abort(reason);
    expect(await error).toBe(reason);
    expect(sent.length).toBeLessThanOrEqual(1);
  });
});

describe('a list', () => {
  const pages = [
    json({ nodes: [{ node_id: '1' }, { node_id: '2' }], next_page_token: 't' }),
    json({ nodes: [], next_page_token: 'u' }),
    json({ nodes: [{ node_id: '3' }] }),
  ];

  test('contains all objects of all pages', async () => {
    const { client, sent } = answering(pages);
    const ids: string[] = [];
    for await (const { node_id: id } of listNodes(client, { region: 'eu' })) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?region=eu',
      '?region=eu&page_token=t',
      '?region=eu&page_token=u',
    ]);
  });

  test('can be read by pages, and resumed at one', async () => {
    const { client, sent } = answering(pages);
    const { value } = await listNodes(client).pages().next();
    expect(value).toMatchObject({ next_page_token: 't' });
    await listNodes(client, { page_token: 't' }).pages().next();
    expect(new URL(sent[1]!.url).search).toBe('?page_token=t');
  });

  test('rejects with the error of a failed page when awaited', async () => {
    const { client } = answering([failure(403)]);
    const error = await listNodes(client).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ http: 403, operation: 'listNodes' });
  });

  test('of lines is complete only with its last line', async () => {
    const lines = (texts: string[]) =>
      new Response(texts.map((text) => `${text}\n`).join(''), { headers: { 'Content-Type': 'application/x-ndjson' } });
    const node = '{"kind":"node","object":{"node_id":"1"}}';
    const { client } = answering([lines([node]), lines([node, '{"kind":"end","complete":true}'])]);
    const exported: unknown[] = [];
    for await (const line of exportInventory(client)) exported.push(line);
    expect(exported).toEqual([JSON.parse(node)]);
  });
});

test('the facade calls the same operations', async () => {
  const { client, sent } = answering([json({ node_id: 'x' })]);
  const api = inventory(client);
  expect(await api.nodes.get({ node_id: 'x' })).toEqual({ node_id: 'x' });
  await api.apiKeys.rotateOwn({ overlap: '1h' });
  expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'GET /base/v1/nodes/x',
    'POST /base/v1/caller/rotate',
  ]);
});

test('a type from a later version stays readable', () => {
  const label = (node: Node): string => {
    switch (node.node_type) {
      case 'remote_rds':
        return node.address;
      case 'container':
        return node.container_id ?? '';
      default:
        return node.node_type;
    }
  };
  expect(label({ node_type: 'mainframe' } as never)).toBe('mainframe');
});
