import { Inventory, InventoryError, type InventoryReply, type InventoryRequest } from './inventory.ts';

const credential = { authorization: 'Bearer key', source: '192.0.2.1' };

const agent = (id: string, serviceIds: string[] = []) => ({
  agent_id: id,
  agent_type: 'node_exporter',
  disabled: false,
  insights: { node_ids: [], service_ids: serviceIds },
});

const service = (id: string) => ({ service_id: id, service_type: 'mysql', service_name: `db ${id}` });

const admit = (processes: Parameters<Inventory['admit']>[0]) => (inventory: Inventory) => inventory.admit(processes);

/** An inventory that gives these replies in order, and the requests that it got. */
function answering(...replies: InventoryReply[]) {
  const requests: InventoryRequest[] = [];
  const inventory = new Inventory((request) => {
    requests.push(request);
    return Promise.resolve(replies[requests.length - 1] ?? { status: 500, body: 'no reply left' });
  });
  return { inventory, requests };
}

const ok = (body: unknown): InventoryReply => ({ status: 200, body });

const page = { changes: [], next: 'c', more: false };

test.each<[string, (inventory: Inventory) => Promise<unknown>, InventoryReply[], InventoryRequest[], unknown]>([
  [
    'proves a credential by an empty report of its own',
    (inventory) => inventory.prove('a/1', credential),
    [{ status: 204, body: undefined }],
    [{ method: 'POST', path: '/v1/agents/a%2F1/report', body: { agents: [] }, as: credential }],
    undefined,
  ],
  [
    'reads the node of an agent process',
    (inventory) => inventory.hostOf('a/1'),
    [ok({ agent_id: 'a/1', runs_on_node_id: 'n/1' }), ok({ node_name: 'db-1' })],
    [
      { method: 'GET', path: '/v1/agents/a%2F1' },
      { method: 'GET', path: '/v1/nodes/n%2F1' },
    ],
    { nodeId: 'n/1', nodeName: 'db-1' },
  ],
  [
    'reads the time of the last report',
    (inventory) => inventory.reportedAt('a/1'),
    [ok({ reported_at: '1970-01-01T00:00:07.000Z' })],
    [{ method: 'GET', path: '/v1/agents/a%2F1', isBackground: true }],
    7000,
  ],
  [
    'knows no time of an agent process that never reported',
    (inventory) => inventory.reportedAt('a'),
    [ok({})],
    [{ method: 'GET', path: '/v1/agents/a', isBackground: true }],
    undefined,
  ],
  [
    'reads the agents under an agent process page by page, and each of their services once',
    (inventory) => inventory.objectsOf('a/1'),
    [
      ok({ agents: [agent('b', ['s/1', 's2'])], next_page_token: 'p/2' }),
      ok({ agents: [agent('c', ['s/1', 's3'])] }),
      ok(service('s/1')),
      { status: 404, body: { message: 'No such service.' } },
      ok(service('s3')),
    ],
    [
      { method: 'GET', path: '/v1/agents?pmm_agent_id=a%2F1&page_size=1000', isBackground: true },
      { method: 'GET', path: '/v1/agents?pmm_agent_id=a%2F1&page_size=1000&page_token=p%2F2', isBackground: true },
      { method: 'GET', path: '/v1/services/s%2F1', isBackground: true },
      { method: 'GET', path: '/v1/services/s2', isBackground: true },
      { method: 'GET', path: '/v1/services/s3', isBackground: true },
    ],
    {
      agents: [agent('b', ['s/1', 's2']), agent('c', ['s/1', 's3'])].map((expectedAgent) =>
        expect.objectContaining({ agent_id: expectedAgent.agent_id }),
      ),
      services: new Map(['s/1', 's3'].map((id) => [id, expect.objectContaining({ service_id: id })])),
    },
  ],
  [
    'sends reports, and returns a result for each',
    (inventory) => inventory.report([{ pmm_agent_id: 'a', agents: [], connected: true }]),
    [
      ok({
        results: [
          { status: 200, report: { report_after_seconds: 60, refused: [{ agent_id: 'b', reason: 'unknown' }] } },
          { status: 404 },
        ],
      }),
    ],
    [{ method: 'POST', path: '/v1/reports', body: { reports: [{ pmm_agent_id: 'a', agents: [], connected: true }] } }],
    [
      { status: 200, report: { report_after_seconds: 60, refused: [{ agent_id: 'b', reason: 'unknown' }] } },
      { status: 404 },
    ],
  ],
  [
    'reads the changes of services and agents',
    (inventory) => inventory.changes('a/b'),
    [ok(page)],
    [{ method: 'GET', path: '/v1/changes?limit=1000&kinds=service,agent&since=a%2Fb' }],
    page,
  ],
  [
    'admits agent processes in one request; a header that is too long is replaced, and an absent source is unknown',
    admit([
      { pmmAgentId: 'a', credential: { authorization: 'x'.repeat(1024), source: '192.0.2.1' } },
      { pmmAgentId: 'b', credential: { authorization: 'x'.repeat(1025), source: '' } },
      { pmmAgentId: 'c', credential },
    ]),
    [
      ok({
        results: [
          { status: 200, node_id: 'n', node_name: 'db-1', agents: [agent('x')], services: [service('s')] },
          { status: 403, error: { message: 'No right.' } },
          { status: 200 },
        ],
      }),
    ],
    [
      {
        method: 'POST',
        path: '/v1/gateway/admissions',
        body: {
          admissions: [
            { pmm_agent_id: 'a', authorization: 'x'.repeat(1024), source_ip: '192.0.2.1' },
            { pmm_agent_id: 'b', authorization: 'Bearer -', source_ip: 'unknown' },
            { pmm_agent_id: 'c', authorization: 'Bearer key', source_ip: '192.0.2.1' },
          ],
        },
      },
    ],
    [
      {
        nodeId: 'n',
        nodeName: 'db-1',
        objects: {
          agents: [expect.objectContaining({ agent_id: 'x' })],
          services: new Map([['s', expect.objectContaining({ service_name: 'db s' })]]),
        },
      },
      expect.objectContaining({ status: 403, message: 'No right.' }),
      { nodeId: '', nodeName: '', objects: undefined },
    ],
  ],
])('%s', async (_, call, replies, expected, result) => {
  const { inventory, requests } = answering(...replies);
  expect(await call(inventory)).toEqual(result);
  expect(requests).toEqual(expected);
});

test.each([
  [199, {}, 'The inventory replied with 199.'],
  [300, 'text', 'The inventory replied with 300.'],
  [403, { message: 'No right.' }, 'No right.'],
])('a reply with the status %i is an error', async (status, body, message) => {
  const { inventory } = answering({ status, body });
  const error: unknown = await inventory.changes('now').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InventoryError);
  expect(error).toMatchObject({ status, message });
});

test.each([200, 299])('a reply with the status %i is a success', async (status) => {
  const { inventory } = answering({ status, body: page });
  expect(await inventory.changes('now')).toEqual(page);
});

test('an unreadable service is an error, a removed one is not', async () => {
  const { inventory } = answering({ status: 404, body: {} }, { status: 503, body: { message: 'Later.' } });
  await expect(inventory.services(['gone', 'a'])).rejects.toMatchObject({ status: 503, message: 'Later.' });
});
