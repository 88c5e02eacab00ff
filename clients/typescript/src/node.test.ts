import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProxy } from '../../../tests/support/proxy.ts';
import { createClient, getCaller } from './index.ts';
import { hasProxies, nodeFetch } from './node.ts';

test('an environment has proxies if it names one, in upper or lower case', () => {
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
});
