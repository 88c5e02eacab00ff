import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProxy } from '../../../../../tests/support/proxy.ts';
import { pmmFrom } from './read-pmm.ts';

/** What the check gives for a PMM server that answers so. */
async function withServer<Value>(answer: RequestListener, check: (port: number) => Promise<Value>): Promise<Value> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await check((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('a PMM server behind a proxy is asked through it', async () => {
  const reply = await withServer(
    ({ headers }, response) => response.end(headers.authorization),
    async (port) => {
      const proxy = await startProxy({ 'pmm.internal:80': port });
      try {
        const ask = pmmFrom({ PMM_URL: 'http://admin:pw@pmm.internal', HTTP_PROXY: proxy.url });
        return [await ask('GET', '/v1/nodes'), proxy.seen];
      } finally {
        await proxy.stop();
      }
    },
  );
  const text = `Basic ${btoa('admin:pw')}`;
  expect(reply).toEqual([{ status: 200, text }, ['GET http://pmm.internal/v1/nodes']]);
});

test('a redirect is named and not followed, because the password is for one server', async () => {
  const paths: (string | undefined)[] = [];
  await withServer(
    ({ url }, response) => {
      paths.push(url);
      response.writeHead(302, { Location: '/other' }).end();
    },
    async (port) => {
      const ask = pmmFrom({ PMM_URL: `http://admin:pw@127.0.0.1:${port}` });
      await expect(ask('GET', '/v1/nodes')).rejects.toThrow('it redirects to /other');
    },
  );
  expect(paths).toEqual(['/v1/nodes']);
});
