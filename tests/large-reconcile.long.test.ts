/** A scope of the largest size: planned, applied to the end, and planned again. */
import type { Table } from '../shared/db/table.ts';
import { MAX_RECONCILE_BYTES } from '../functions/domain/bulk/limits.ts';
import { MAX_DESIRED } from '../functions/domain/bulk/reconcile-request.ts';
import { type Inventory, startInventory } from './support/inventory.ts';

let inventory: Inventory;
let reads = 0;
/** Counts the calls of the table that read. */
const counted = ({ name, client }: Table): Table => ({
  name,
  client: new Proxy(client, {
    get: (target: any, key) =>
      key !== 'send'
        ? target[key]
        : (command: object) => {
            if (/^(Query|BatchGet|Get)/.test(command.constructor.name)) reads += 1;
            return target.send(command);
          },
  }),
});
beforeAll(async () => (inventory = await startInventory({ table: counted })));
afterAll(() => inventory.stop());

const custom_labels = { fleet: 'large', team: 'databases', environment: 'production' };
const numbers = Array.from({ length: MAX_DESIRED / 4 }, (_, index) => index);
const nodeName = (number: number) => `large-node-${number}.example.com`;
const desired = (portOf: (number: number) => number) => ({
  nodes: numbers.map((number) => ({
    ...{ node_type: 'generic', node_name: nodeName(number), address: `10.1.${number >> 8}.${number & 255}` },
    ...{ region: 'eu-central-1', custom_labels },
  })),
  services: numbers.map((number) => ({
    ...{ service_type: 'mysql', service_name: `large-${number}`, node_names: [nodeName(number)], address: 'a' },
    ...{ port: portOf(number), custom_labels },
  })),
  agents: numbers.flatMap((number) => [
    { agent_type: 'pmm_agent', runs_on_node_name: nodeName(number) },
    {
      ...{ agent_type: 'mysqld_exporter', runs_on_node_name: nodeName(number) },
      insights: { service_names: [`large-${number}`] },
    },
  ]),
});
const send = async (body: object) => {
  reads = 0;
  expect(JSON.stringify(body).length).toBeLessThan(MAX_RECONCILE_BYTES);
  return inventory.request('POST', '/v1/reconcile', { body });
};
const scope = { selector: 'fleet=large' };

test('the largest desired state is planned, applied to the end, and compared', async () => {
  const all = desired(() => 3306);
  const { body: plan } = await send({ scope, desired: all });
  expect(plan).toMatchObject({ add: MAX_DESIRED, items: { length: MAX_DESIRED } });
  expect(reads).toBeLessThan(200);
  const apply = () => send({ plan_id: plan.plan_id, mode: 'apply' });
  let applied = await apply();
  // Each request does at least one step, or fails the test by its own error.
  while (applied.status === 202) applied = await apply();
  expect(applied).toMatchObject({ status: 200, body: { state: 'done', progress: { done: MAX_DESIRED, failed: 0 } } });
  expect((await send({ scope, desired: all })).body).toMatchObject({ unchanged: MAX_DESIRED, items: [] });
  // One query for each node and service, and batches of 100 objects.
  expect(reads).toBeLessThan(MAX_DESIRED / 2 + 300);
  const { body: half } = await send({ scope, desired: desired((number) => 3306 + (number % 2)) });
  expect(half).toMatchObject({ change: MAX_DESIRED / 8, unchanged: (MAX_DESIRED / 8) * 7 });
  const fewer = { ...all, nodes: all.nodes.slice(1), services: all.services.slice(1), agents: all.agents.slice(2) };
  const more = { ...all, nodes: [...all.nodes, { ...all.nodes[0], node_name: 'one-more' }] };
  expect((await send({ scope, desired: fewer })).body).toMatchObject({ remove: 4 });
  expect((await send({ scope, desired: more })).body.details).toMatchObject([{ reason: 'too_many' }]);
});
