import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startProxy } from '../../../../../tests/support/proxy.ts';
import { type AskPmm, pmmFrom, readPmm } from './read-pmm.ts';

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
    (request, response) =>
      void text(request).then((body) => response.end(`${request.headers.authorization ?? ''} ${body}`)),
    async (port) => {
      const proxy = await startProxy({ 'pmm.internal:80': port });
      try {
        const ask = pmmFrom({ PMM_URL: 'http://admin:pw@pmm.internal', HTTP_PROXY: proxy.url });
        return [await ask('GET', '/v1/nodes'), await ask('POST', '/v1/nodes', '{}'), proxy.seen];
      } finally {
        await proxy.stop();
      }
    },
  );
  const credentials = `Basic ${btoa('admin:pw')}`;
  expect(reply).toEqual([
    { status: 200, text: `${credentials} ` },
    { status: 200, text: `${credentials} {}` },
    ['GET http://pmm.internal/v1/nodes', 'POST http://pmm.internal/v1/nodes'],
  ]);
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

describe('the lists of a PMM server', () => {
  /** Reads them from a server that replies so; then all that it was asked. */
  async function read(reply: (path: string) => { status: number; text: string }) {
    const asked: Parameters<AskPmm>[] = [];
    const replies = readPmm((...request) => {
      asked.push(request);
      return Promise.resolve(reply(request[1]));
    });
    return { replies: await replies.catch((error: unknown) => String(error)), asked };
  }
  const good = { status: 200, text: '{"nodes":[]}' };

  test('are read by GET', async () => {
    expect(await read(() => good)).toEqual({
      replies: [{ nodes: [] }, { nodes: [] }, { nodes: [] }],
      asked: [
        ['GET', '/v1/inventory/nodes'],
        ['GET', '/v1/inventory/services'],
        ['GET', '/v1/inventory/agents'],
      ],
    });
  });

  test.each([404, 405, 501])('are read as those of PMM 2 after the status %i', async (status) => {
    const { replies, asked } = await read((path) => (/[A-Z]/.test(path) ? good : { status, text: '' }));
    expect(replies).toHaveLength(3);
    expect(asked).toEqual([
      ['GET', '/v1/inventory/nodes'],
      ['POST', '/v1/inventory/Nodes/List', '{}'],
      ['POST', '/v1/inventory/Services/List', '{}'],
      ['POST', '/v1/inventory/Agents/List', '{}'],
    ]);
  });

  test('are of one generation: a later list that is missing is an error', async () => {
    const { replies, asked } = await read((path) => (path.endsWith('nodes') ? good : { status: 404, text: '' }));
    expect(replies).toBe('Error: /v1/inventory/services of the PMM server: 404');
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['{"message":"Wrong password."}', '401 Wrong password.'],
    ['<html>', '401'],
    ['{}', '401'],
  ])('are refused with the path, the status and the message of %j', async (text, message) => {
    const { replies, asked } = await read(() => ({ status: 401, text }));
    expect(replies).toBe(`Error: /v1/inventory/nodes of the PMM server: ${message}`);
    expect(asked).toHaveLength(1);
  });
});

test.each([[undefined], ['pmm.example'], ['https://pmm.example'], ['https://:pw@pmm.example']])(
  'the address %s without a user is no PMM server to read',
  (address) => {
    expect(() => pmmFrom({ PMM_URL: address })).toThrow(expect.objectContaining({ exit: 'usage' }));
  },
);
