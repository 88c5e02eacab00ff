/** Every list says that there is more only when there is more: also after a last page that is exactly full. */
import { endpoints } from '../functions/api/endpoints.ts';
import type { Endpoint } from '../functions/contract/endpoint.ts';
import { type ObjectIds, pathOf } from './support/is-simple-read.ts';
import { addAgent, addNode, addService } from './support/add.ts';
import { ADMIN_PASSWORD, type Inventory, startInventory } from './support/inventory.ts';

let inventory: Inventory;
let lists: Readonly<Record<string, readonly string[]>>;
/** Objects with a history. */
let ids: ObjectIds;

const isPaged = ({ query }: Endpoint) => Object.hasOwn((query as any).def.shape, 'page_token');
const paged = endpoints.filter(isPaged);

beforeAll(async () => {
  inventory = await startInventory();
  const { node_id: node } = await addNode(inventory, { region: 'r', custom_labels: { team: 'a' } });
  await addNode(inventory, { node_name: 'n-1', address: '10.0.0.2', region: 'r', custom_labels: { team: 'a' } });
  await addNode(inventory, { node_name: 'n-2' });
  const { service_id: service } = await addService(inventory, { node_ids: [node], cluster: 'c' });
  await addService(inventory, { cluster: 'c' });
  const { agent_id: process } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: node });
  const { agent_id: agent } = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: process,
    insights: { service_ids: [service] },
  });
  await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: process });
  const send = async (method: string, path: string, body?: object) => {
    const reply = await inventory.request(method, path, body === undefined ? {} : { body });
    expect([method, path, reply.status < 300]).toEqual([method, path, true]);
  };
  for (const path of [`/v1/nodes/${node}`, `/v1/services/${service}`, `/v1/agents/${agent}`])
    for (const value of ['a', 'b']) await send('PATCH', path, { custom_labels: { changed: value } });
  for (let count = 0; count < 3; count += 1) {
    const { node_id: gone } = await addNode(inventory);
    await send('DELETE', `/v1/nodes/${gone}`);
    await send('POST', '/v1/enrolment-tokens', { name: `token-${count}` });
    await send('POST', '/v1/users', { user_name: `user-${count}`, role: 'Viewer' });
    const claims = { repository_id: [String(count)] };
    await send('POST', '/v1/role-bindings', { name: `binding-${count}`, provider: 'github', claims, role: 'Viewer' });
  }

  const Authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  for (let count = 0; count < 3; count += 1)
    await inventory.request('POST', '/v1/sessions', { as: null, headers: { Authorization } });

  ids = { node_id: node, service_id: service, agent_id: agent };
  /** For each list with pages, what is asked of it; default: its path, with the ids of these objects. */
  lists = {
    listNodes: [
      '/v1/nodes',
      '/v1/nodes?node_type=generic',
      '/v1/nodes?region=r',
      '/v1/nodes?state=never_seen',
      '/v1/nodes?name_prefix=n',
      '/v1/nodes?selector=team%3Da',
      '/v1/nodes?selector=team%3Da,region%3Dr',
    ],
    listServices: ['/v1/services', '/v1/services?cluster=c', `/v1/services?node_id=${node}`],
    listAgents: [
      '/v1/agents',
      '/v1/agents?agent_type=node_exporter',
      `/v1/agents?runs_on_node_id=${node}`,
      `/v1/agents?pmm_agent_id=${process}`,
      `/v1/agents?service_id=${service}`,
    ],
    listAudit: ['/v1/audit', '/v1/audit?event=enrolment_token.added', `/v1/audit?object_id=${node}`],
  };
});
afterAll(() => inventory.stop());

interface Page {
  objects: unknown[];
  token: string | undefined;
}

async function read(path: string, size: number, token?: string): Promise<Page> {
  const query = `page_size=${size}${token === undefined ? '' : `&page_token=${token}`}`;
  const reply = await inventory.request('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
  expect([path, reply.status, reply.text.slice(0, 200)]).toEqual([path, 200, expect.any(String)]);
  // An export is lines, of which the last one says whether it is all.
  if (Array.isArray(reply.body)) return { objects: reply.body.slice(0, -1), token: reply.body.at(-1).next_page_token };
  const objects = Object.values<any>(reply.body).find((value) => Array.isArray(value)) as unknown[];
  return { objects, token: reply.body.next_page_token };
}

test.each(paged.map(({ id, path }) => [id, path] as const))('%s', async (id, template) => {
  const ownPath = pathOf(template, ids);
  if (lists[id] === undefined && ownPath.includes('{'))
    throw new Error(`tests/last-page.test.ts: write \`${id}: [<path of a list that is not empty>]\` in \`lists\``);
  for (const path of lists[id] ?? [ownPath]) {
    const { objects: all, token: none } = await read(path, 50);
    if (all.length === 0) throw new Error(`tests/last-page.test.ts: add in \`beforeAll\` what ${path} lists`);
    expect([path, none]).toEqual([path, undefined]);
    // The whole list on one page that is exactly full, and then on several of which the last one is.
    for (const size of [all.length, 1]) {
      const pages: Page[] = [];
      for (let token: string | undefined; pages.length === 0 || token !== undefined; token = pages.at(-1)?.token)
        pages.push(await read(path, size, token));
      expect([path, size, pages.map(({ objects }) => objects.length)]).toEqual([
        path,
        size,
        Array.from({ length: all.length / size }, () => size),
      ]);
      expect(pages.flatMap(({ objects }) => objects)).toEqual(all);
    }
  }
});
