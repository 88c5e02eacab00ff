import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { startProxy } from '../../../tests/support/proxy.ts';
import { createClient, getCaller } from './index.ts';
import { hasProxies, nodeFetch } from './node.ts';
import { isWrongSetting } from './permanent.ts';

const PROXY_SETTING = 'set HTTPS_PROXY or HTTP_PROXY to http://USER:PASSWORD@HOST:PORT';

test('an environment may name proxies, in upper or lower case', () => {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])
    expect(hasProxies({ [name]: 'http://proxy:3128' })).toBe(true);
  for (const env of [{}, { HTTPS_PROXY: '' }, { NO_PROXY: '*' }]) expect(hasProxies(env)).toBe(false);
});

// TLS through a proxy: tests/clients/private-server.long.test.ts.
describe('a request', () => {
  let port: number;
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"name":"n"}');
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  /** The requests that the proxy saw. @param env gets the proxy in the first field. */
  async function seenBy(url: string, envOf: (proxy: string) => Record<string, string>): Promise<string[]> {
    const proxy = await startProxy({ 'inventory.internal:80': port });
    try {
      await getCaller(createClient({ url, attempts: 1, fetch: nodeFetch({ env: envOf(proxy.url) }) }));
      return proxy.seen;
    } finally {
      await proxy.stop();
    }
  }

  test('is sent through the proxy of the environment, also one without a scheme', async () => {
    const seen = ['GET http://inventory.internal/v1/caller'];
    expect(await seenBy('http://inventory.internal', (proxy) => ({ HTTP_PROXY: proxy }))).toEqual(seen);
    expect(
      await seenBy('http://inventory.internal', (proxy) => ({ http_proxy: proxy.replace('http://', '') })),
    ).toEqual(seen);
  });

  test('to a host in NO_PROXY, or without proxies, is sent to the host itself', async () => {
    const url = `http://127.0.0.1:${port}`;
    expect(await seenBy(url, (proxy) => ({ HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1' }))).toEqual([]);
    expect(await seenBy(url, () => ({}))).toEqual([]);
  });

  test.each([
    ['https://inventory.internal', '407 Proxy Authentication Required', PROXY_SETTING],
    ['http://inventory.internal', '407 Proxy Authentication Required', PROXY_SETTING],
    ['https://inventory.internal', '403 Forbidden', '403 Forbidden'],
  ])('to %s is sent once if the proxy refuses with %s, and the setting is named', async (url, refusal, part) => {
    const proxy = await startProxy({}, refusal);
    try {
      const env = { HTTPS_PROXY: proxy.url.replace('//', '//u:sesame@'), HTTP_PROXY: proxy.url };
      const error = await getCaller(createClient({ url, fetch: nodeFetch({ env }) })).catch(
        (thrown: unknown) => thrown,
      );
      expect([isWrongSetting(error), String(error)]).toEqual([true, expect.stringContaining(part)]);
      expect(String(error)).toContain(refusal);
      expect(String(error)).not.toContain('sesame');
      expect(proxy.seen).toHaveLength(1);
    } finally {
      await proxy.stop();
    }
  });

  test('without TLS names https:// if the port closes the connection', async () => {
    const silent = createTcpServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const asked = getCaller(createClient({ url, attempts: 1, fetch: nodeFetch({ env: {} }) }));
    await expect(asked).rejects.toThrow(`${url} did not answer: Error: socket hang up (is it https://?).`);
    silent.close();
  });
});
