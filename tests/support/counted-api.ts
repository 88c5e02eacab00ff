import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Inventory } from './inventory.ts';

/** An inventory behind an address, which counts its requests. */
export interface CountedApi {
  url: string;
  /** By method and path without query, since the last reset. */
  requests: Map<string, number>;
  /** Admissions in these requests. */
  admissions: number;
  /** Requests in the busiest second. */
  most: number;
  /** Statuses above 499. */
  failures: number;
  reset: () => void;
  stop: () => Promise<void>;
}

export async function startCountedApi(inventory: Inventory): Promise<CountedApi> {
  let second = { at: 0, requests: 0 };
  const count = (name: string, body: any) => {
    api.requests.set(name, (api.requests.get(name) ?? 0) + 1);
    api.admissions += Number(body?.admissions?.length ?? 0);
    const at = Math.floor(performance.now() / 1000);
    second = { at, requests: second.at === at ? second.requests + 1 : 1 };
    api.most = Math.max(api.most, second.requests);
  };
  const server = createServer((request, response) => {
    void text(request).then(async (sent) => {
      const { method = '', url = '' } = request;
      const body: unknown = sent === '' ? undefined : JSON.parse(sent);
      count(`${method} ${url.replace(/\?.*/, '')}`, body);
      const headers = { Authorization: request.headers.authorization ?? '' };
      const reply = await inventory.request(method, url, {
        as: null,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      if (reply.status >= 500) api.failures += 1;
      response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(reply.text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const api: CountedApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ requests: new Map<string, number>(), admissions: 0, most: 0, failures: 0 },
    reset: () => Object.assign(api, { requests: new Map(), admissions: 0, most: 0, failures: 0 }),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return api;
}
