import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providerFetch, reasonOf } from './provider-fetch.ts';

describe('a failed request has its cause', () => {
  const withCode = Object.assign(new Error('connect to 192.0.2.1'), { code: 'ECONNREFUSED' });
  test.each<[string, unknown, string]>([
    ['a time-out', new DOMException('aborted', 'TimeoutError'), 'no reply within 3 seconds'],
    ['text that is no JSON', new SyntaxError('Unexpected token "secret"'), 'the reply is no JSON'],
    ['the code of the system', new TypeError('fetch failed', { cause: withCode }), 'ECONNREFUSED'],
    [
      'a cause without a code',
      new TypeError('fetch failed', { cause: new Error('other side closed') }),
      'other side closed',
    ],
    ['a cause with another code', new Error('a', { cause: Object.assign(new Error('b'), { code: 7 }) }), 'b'],
    ['an error without a cause', new Error('the reply is too large'), 'the reply is too large'],
    ['something that is no error', 'secret', 'unknown error'],
  ])('%s', (_, error, reason) => expect(reasonOf(error)).toBe(reason));
});

describe('a request', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  let url: string;
  beforeAll(async () => {
    server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = async (respond: typeof answer) => {
    answer = respond;
    return providerFetch(url, { headers: {} });
  };

  test('has at most 150,000 bytes of a reply', async () => {
    const most = await ask((response) => response.end('x'.repeat(150_000)));
    expect(await most.text()).toHaveLength(150_000);
    await expect(ask((response) => response.end('x'.repeat(150_001)))).rejects.toThrow('more than 150000 bytes');
  });

  test('follows no redirect', async () => {
    const { status, headers } = await ask((response) => response.writeHead(302, { Location: '/other' }).end());
    expect([status, headers.get('location')]).toEqual([302, '/other']);
  });

  test.each([204, 205, 304])('succeeds with status %d, which has no body', async (status) => {
    const reply = await ask((response) => response.writeHead(status).end());
    expect([reply.status, await reply.text()]).toEqual([status, '']);
  });
});
