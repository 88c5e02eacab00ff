/** The importer reads a running server of PMM by its own calls. */
import { addableAgents, agentDeclaration } from '../../functions/pmm/declarations/agents.ts';
import { nodeDeclarations } from '../../functions/pmm/declarations/nodes.ts';
import { nodeTypes } from '../../functions/domain/node/types.ts';
import { serviceTypes } from '../../functions/domain/service/types.ts';
import { fromPmm } from '../../clients/cli/src/files/transfer/from-pmm.ts';
import { type AskPmm, pmmFrom, readPmm } from '../../clients/cli/src/files/transfer/read-pmm.ts';
import { checkInvariants } from '../consistency/invariants.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { nodeSample, sampleOf, serviceSample, targetOf } from './objects.ts';
import { clientOf } from './pmm-client.ts';

let from: Inventory;
let to: Inventory;
beforeAll(async () => ([from, to] = await Promise.all([startInventory(), startInventory()])));
afterAll(() => Promise.all([from.stop(), to.stop()]));

/** Fields that PMM accepts and does not return. */
const notReturned = ['authentication_mechanism', 'authentication_database', 'azure_resource_group'];

/** An object of each type, with all fields that PMM returns. */
async function fill(inventory: Inventory): Promise<void> {
  const client = clientOf(inventory);
  const nodes = new Map<string, string>();
  for (const type of nodeTypes) {
    const { addKey = type } = nodeDeclarations[type];
    nodes.set(type, (await client.post('/v1/inventory/nodes', { [addKey]: nodeSample(type) }))[type].node_id);
  }
  const host = nodes.get('generic')!;
  const services = new Map<string, string>();
  for (const type of serviceTypes) {
    const reply = await client.post('/v1/inventory/services', { [type]: serviceSample(type, host) });
    services.set(type, reply[type].service_id);
  }
  const azure = serviceSample('mysql', nodes.get('remote_azure_database')!);
  await client.post('/v1/inventory/services', { mysql: azure });
  const { pmm_agent: process } = await client.post('/v1/inventory/agents', { pmm_agent: { runs_on_node_id: host } });
  for (const type of addableAgents.filter((candidate) => candidate !== 'pmm_agent')) {
    const target = targetOf(type);
    const sent: Record<string, unknown> = {
      ...sampleOf(agentDeclaration(type).fields.filter(({ add = '' }) => !notReturned.includes(add))),
      ...{ pmm_agent_id: process.agent_id, runs_on_node_id: host },
      ...(target.service === undefined ? {} : { service_id: services.get(target.service) }),
      ...(target.node === undefined ? {} : { node_id: nodes.get(target.node) }),
    };
    await client.post('/v1/inventory/agents', { [type]: sent });
  }
}

/** Everything in the inventory, without what the import sets itself. */
async function everything(inventory: Inventory) {
  const { body } = await inventory.request('GET', '/v1/export');
  const objects = (body as any[]).filter(({ kind }) => kind !== 'end');
  return objects.map(({ kind, object: { created_at: _, updated_at: __, revision: ___, ...object } }) => ({
    kind,
    object,
  }));
}

const askOf =
  (inventory: Inventory): AskPmm =>
  async (method, path, body) => {
    const { status, text } = await inventory.request(method, path, body === undefined ? {} : { body });
    return { status, text };
  };

const importInto = (inventory: Inventory, lines: readonly object[]) =>
  inventory.request('POST', '/v1/import', {
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    headers: { 'Content-Type': 'application/x-ndjson' },
  });

test('an inventory that is read through our own facade into another one is equal', async () => {
  await fill(from);
  const { lines, remarks, problems } = fromPmm(await readPmm(askOf(from)));
  expect(problems).toEqual([]);
  expect(remarks.filter(({ message }) => !message.startsWith('is not in the reply'))).toEqual([]);
  const { body } = await importInto(to, lines);
  expect(body).toMatchObject({ added: lines.length, refused: 0 });
  expect(await everything(to)).toEqual(await everything(from));
  expect(await checkInvariants(to.table)).toEqual([]);
});

test("a PMM 2 server, which lacks PMM 3's calls, is read by its own calls with the same result", async () => {
  const third = fromPmm(await readPmm(askOf(from)));
  const asked: string[] = [];
  const second = await readPmm(async (method, path, body) => {
    asked.push(`${method} ${path}`);
    return method === 'GET' ? { status: 404, text: '{"message":"no"}' } : askOf(from)(method, path, body);
  });
  expect(asked).toEqual([
    'GET /v1/inventory/nodes',
    ...['Nodes', 'Services', 'Agents'].map((what) => `POST /v1/inventory/${what}/List`),
  ]);
  const converted = fromPmm(second);
  expect(converted.problems).toEqual([]);
  const { body } = await importInto(to, converted.lines);
  expect(body).toMatchObject({ unchanged: third.lines.length, refused: 0 });
});

test("a refusal is an error with the server's message, and without a server the message names the setting", async () => {
  const refused: AskPmm = () => Promise.resolve({ status: 401, text: '{"message":"Unauthorized","code":16}' });
  await expect(readPmm(refused)).rejects.toThrow('/v1/inventory/nodes of the PMM server: 401 Unauthorized');
  expect(() => pmmFrom({})).toThrow('set PMM_URL');
  expect(() => pmmFrom({ PMM_URL: 'https://pmm.example' })).toThrow('set PMM_URL');
  const silent = pmmFrom({ PMM_URL: 'https://admin:canary@127.0.0.1:1/' });
  await expect(silent('GET', '/x')).rejects.toThrow(/^127\.0\.0\.1:1 does not answer: (?!.*canary)/);
});
