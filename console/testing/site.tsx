import { type Inventory, startInventory } from '../../tests/support/inventory.ts';
import { Console } from '../app/console.tsx';
import { browser } from './browser.tsx';
import { Network, serverOf } from './network.tsx';
import { closePage, type PageOptions, show } from './page.tsx';

const ADMIN = `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}`;

type PageChoice = Pick<PageOptions, 'width' | 'height' | 'before'>;

export interface Site {
  inventory: Inventory;
  /** Sends a request to the API as the Admin with the password, or with a key. */
  api: (method: string, path: string, body?: unknown, key?: string) => Promise<{ status: number; body: any }>;
  /** The same for what a test needs to be there: the body of the reply. */
  write: (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<any>;
  /** A node of this name, with nothing special. */
  addNode: (name: string, fields?: object) => Promise<any>;
  /** The log-in page, before a page of the console. */
  open: (hash: string, options?: PageChoice) => Promise<Network>;
  /** A page of the console, for the Admin in a new session, or with an API key. @returns its network. */
  at: (hash: string, options?: PageChoice & { key?: string }) => Promise<Network>;
}

/** The console in front of the functions of the service in this process. For the top of a test file. */
export function openSite(): Site {
  let inventory: Inventory;
  beforeAll(async () => {
    inventory = await startInventory({ clock: browser.now });
  });
  afterEach(closePage);
  afterAll(() => inventory.stop());
  const api: Site['api'] = (method, path, body, key) =>
    inventory.request(method, path, {
      as: null,
      headers: { Authorization: key === undefined ? ADMIN : `Bearer ${key}` },
      ...(body === undefined ? {} : { body }),
    });
  const write: Site['write'] = async (method, path, body) => {
    const reply = await api(method, path, body);
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  return {
    get inventory() {
      return inventory;
    },
    api,
    write,
    addNode: (name, fields = {}) =>
      write('POST', '/v1/nodes', { node_type: 'generic', node_name: name, address: '10.0.0.1', ...fields }),
    open: async (hash, choice = {}) => {
      const network = new Network(serverOf(inventory.gateway));
      await show(<Console />, { network, hash, ...choice });
      return network;
    },
    at: async (hash, { key: given, ...choice } = {}) => {
      closePage();
      const key = given ?? (await write('POST', '/v1/sessions')).key;
      const { body: caller } = await api('GET', '/v1/caller', undefined, key);
      const network = new Network(serverOf(inventory.gateway));
      await show(<Console />, { network, hash, session: { key, caller }, ...choice });
      return network;
    },
  };
}
