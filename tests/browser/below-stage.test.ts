/** The site below the stage of the API, as API Gateway serves it without CloudFront: a proxy takes `/live` off. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { logIn, openSite, type Site, type Tab } from './browser.ts';

const STAGE = '/live';

let site: Site;
let proxy: Server;
let base: string;

beforeAll(async () => {
  site = await openSite();
  const target = new URL(site.server.base);
  proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (!url.startsWith(`${STAGE}/`)) {
      outgoing.writeHead(403).end();
      return;
    }
    const options = { host: target.hostname, port: target.port, method, path: url.slice(STAGE.length), headers };
    const forwarded = request({ ...options, rejectUnauthorized: false }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${STAGE}`;
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await site.close();
});

/** What went wrong on the page; that it has another address than the server is the purpose here. */
const faultsOf = ({ problems, refusals }: Tab) => [
  ...problems.filter((problem) => !problem.startsWith(`request to elsewhere: ${base}/`)),
  ...refusals,
];

test('the console logs in and lists the nodes', async () => {
  await site.addNode('below-the-stage');
  const tab = await site.open();
  tab.problems.length = 0;
  await tab.page.goto(`${base}/`);
  await logIn(tab);
  await tab.page.getByRole('link', { name: 'below-the-stage' }).waitFor();
  expect(faultsOf(tab)).toEqual([]);
});

test('the API browser shows the operations, and sends requests below the stage', async () => {
  const tab = await site.open();
  tab.problems.length = 0;
  await tab.page.goto(`${base}/swagger/#/Server/getReadiness`);
  const operation = tab.page.locator('#operations-Server-getReadiness');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table .response-col_status').getByText('200').waitFor();
  expect(faultsOf(tab)).toEqual([]);
});
