import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Inventory } from '../support/inventory.ts';

export interface ServedInventory {
  address: string;
  stop: () => Promise<void>;
}

/** Serves an inventory of this process on the loopback interface. @param onRequest is awaited before each reply. */
export async function serveInventory(
  inventory: Inventory,
  onRequest: (method: string, path: string, body: string) => Promise<void> | void = () => undefined,
): Promise<ServedInventory> {
  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const answer = async () => {
      const body = await text(request);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join()]),
      );
      await onRequest(method, path, body);
      const reply = await inventory.request(method, path, { as: null, headers, ...(body === '' ? {} : { body }) });
      const { 'Content-Encoding': _, ...rest } = reply.headers;
      response.writeHead(reply.status, rest).end(reply.text);
    };
    answer().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
