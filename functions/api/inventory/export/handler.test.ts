import { randomUUID } from 'node:crypto';
import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { startInventory } from '../../../../tests/support/inventory.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

async function pages(size: number): Promise<any[][]> {
  const all: any[][] = [];
  let token: string | undefined;
  do {
    const from = token === undefined ? '' : `&page_token=${token}`;
    const { status, body, headers } = await inventory.request('GET', `/v1/export?page_size=${size}${from}`, {
      as: 'Viewer',
    });
    expect([status, headers['Content-Type']]).toEqual([200, 'application/x-ndjson']);
    const end = body.at(-1);
    expect(end).toEqual({ ...end, kind: 'end', complete: end.next_page_token === undefined });
    all.push(body.slice(0, -1));
    token = end.next_page_token;
  } while (token !== undefined);
  return all;
}

const get = async (path: string) => (await inventory.request('GET', path)).body;

test('the export of an empty inventory is one complete page', async () => {
  const { text } = await inventory.request('GET', '/v1/export');
  expect(text).toBe('{"kind":"end","complete":true}\n');
});

const withoutState = ({ state: _, ...object }: Record<string, unknown>) => object;

test('exports each object once, as a get returns it, after its references, for any page size', async () => {
  const hosts = [await addHost(inventory), await addHost(inventory), await addHost(inventory)];
  const objects: [string, string][] = [];
  for (const { nodeId, pmmAgentId } of hosts) {
    const { service_id: id } = await addService(inventory, { node_ids: [...new Set([nodeId, hosts[0]!.nodeId])] });
    const under = { pmm_agent_id: pmmAgentId, insights: { service_ids: [id] } };
    const agents = [
      await addAgent(inventory, { agent_type: 'mysqld_exporter', ...under }),
      await addAgent(inventory, { agent_type: 'qan_mysql_slowlog_agent', ...under }),
      await addAgent(inventory, { agent_type: 'external_exporter', listen_port: 1, runs_on_node_id: nodeId }),
    ];
    objects.push(['nodes', nodeId], ['services', id], ['agents', pmmAgentId]);
    objects.push(...agents.map(({ agent_id: agentId }): [string, string] => ['agents', agentId]));
  }
  const shown = await Promise.all(objects.map(async ([list, id]) => withoutState(await get(`/v1/${list}/${id}`))));
  const byText = (object: object) => JSON.stringify(Object.entries(object).sort());
  const sorted = (list: readonly object[]) => list.toSorted((left, right) => (byText(left) < byText(right) ? -1 : 1));
  for (const size of [1, 2, 3, 5, 18, 1000]) {
    const read = await pages(size);
    const lines = read.flat();
    expect(sorted(lines.map(({ object }) => object))).toEqual(sorted(shown));
    for (const page of read) expect(page.length).toBeLessThanOrEqual(size);
    // All pages but the last one are full, also at the boundary between nodes and services.
    for (const page of read.slice(0, -1)) expect(page).toHaveLength(size);
    const before = new Set<string>();
    for (const { object } of lines) {
      const referred = [
        ...(object.node_ids ?? []),
        ...(object.insights?.node_ids ?? []),
        ...(object.insights?.service_ids ?? []),
        ...[object.runs_on_node_id, object.pmm_agent_id].filter((id) => id !== undefined),
      ];
      for (const id of referred) expect(before.has(id)).toBe(true);
      before.add(object.node_id ?? object.service_id ?? object.agent_id);
    }
  }
});

test('lists refuse page tokens of exports, and exports those of lists', async () => {
  await addNode(inventory, { node_name: randomUUID() });
  const { next_page_token: ofList } = await get('/v1/nodes?page_size=1');
  expect((await inventory.request('GET', `/v1/export?page_token=${ofList}`)).status).toBe(400);
  const lines = await get('/v1/export?page_size=1');
  expect((await inventory.request('GET', `/v1/nodes?page_token=${lines.at(-1).next_page_token}`)).status).toBe(400);
});

test('a page of large objects ends early, within the size limit of a reply', async () => {
  const fullInventory = await startInventory();
  try {
    const custom_labels = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`l${index}`, '"'.repeat(1024)]));
    for (let index = 0; index < 30; index += 1) await addNode(fullInventory, { node_name: `n${index}`, custom_labels });
    for (let index = 0; index < 30; index += 1)
      await addService(fullInventory, { service_name: `s${index}`, custom_labels });
    let seen = 0;
    let token = '';
    do {
      const { text, body } = await fullInventory.request('GET', `/v1/export?page_size=1000${token}`);
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(6_000_000);
      seen += body.length - 1;
      const { next_page_token: next } = body.at(-1);
      token = next === undefined ? '' : `&page_token=${next}`;
    } while (token !== '');
    expect(seen).toBe(60);
  } finally {
    await fullInventory.stop();
  }
});
