/** The backup of the runbook, with its commands pasted into a shell. */
import { randomUUID } from 'node:crypto';
import { basic, type Request } from './api.ts';
import type { Account } from './aws.ts';
import { Cdk } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { addKey, inventoryState, nodeNamed } from './inventory-state.ts';
import { pathOf } from './programs.ts';
import { Runbook } from './runbook.ts';

const DEPLOYMENT_LIMIT_MS = 1_200_000;

/** The gateway must not keep the result of the authorizer for a key that is removed. */
const settings = { authorizerCacheSeconds: '0' };

const program = await pathOf('ministack');
const aws = await pathOf('aws');

let emulated: EmulatedAccount;
let account: Account;
let cdk: Cdk;
let runbook: Runbook;
let request: Request;
let admin: string;

beforeAll(async () => {
  emulated = await openAccount(program);
  ({ account } = emulated);
  cdk = new Cdk(emulated.target);
  runbook = await Runbook.open(emulated.target, aws);
  await cdk.bootstrap();
  const { outputs } = await cdk.deploy(settings);
  request = await emulated.requests();
  admin = basic('admin', await account.secret(outputs['AdminSecretArn']!));
}, DEPLOYMENT_LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

const stateOf = () => inventoryState(request, admin);

async function add(path: string, body: object): Promise<any> {
  const reply = await request('POST', path, { as: admin, body });
  expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
  return reply.body;
}

/** Two hosts with a cluster of two members, and their agents. */
async function addFleet(): Promise<void> {
  for (const name of ['db-1', 'db-2']) {
    const { node_id } = await add('/v1/nodes', { ...nodeNamed(name), custom_labels: { team: 'orders' } });
    const service = { service_type: 'mysql', service_name: name, node_ids: [node_id], address: '10.0.0.1', port: 3306 };
    const { service_id } = await add('/v1/services', { ...service, cluster: 'orders' });
    const process = await add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node_id });
    const insights = { service_ids: [service_id] };
    await add('/v1/agents', { agent_type: 'mysqld_exporter', pmm_agent_id: process.agent_id, insights });
  }
}

/** Follows commands of which the first one deploys the stack with a setting or without it. */
async function redeploy(commands: string): Promise<void> {
  const [, name, value = ''] = /^npx cdk deploy(?: -c (\w+)=(\w+))?$/m.exec(commands)!;
  await cdk.deploy({ ...settings, ...(name === undefined ? {} : { [name]: value }) });
  await runbook.follow(withoutDeployment(commands));
}

const withoutDeployment = (commands: string) => commands.replace(/^npx cdk deploy.*$/m, '');

test('a backup restores the inventory, but not keys that were removed since', async () => {
  const [backup, close, fromBackup, toMoment, restore, open, ...others] = runbook.article('Backup and restore');
  expect(others).toEqual([]);
  await addFleet();
  const { header, remove } = await addKey(request, admin, 'Viewer');
  const state = await stateOf();
  await runbook.follow(backup!);

  await remove();
  for (const { node_id: id } of state[0].nodes)
    expect((await request('DELETE', `/v1/nodes/${id}?force=true`, { as: admin })).status).toBe(204);
  expect((await request('POST', '/v1/nodes', { as: admin, body: nodeNamed(randomUUID()) })).status).toBe(201);

  await redeploy(close!);
  expect((await request('GET', '/v1/readyz')).status).toBe(429);
  expect((await request('GET', '/v1/nodes', { as: admin })).status).toBe(429);
  await runbook.follow(fromBackup!);
  expect(await runbook.follow(restore!)).toMatch(/would be put.*\n[\s\S]*Items: \d+ put, [1-9]\d* removed/);
  await redeploy(open!);
  const [nodes, services, agents] = await stateOf();
  expect([nodes, services, agents]).toEqual(state.slice(0, 3));
  expect((await request('GET', '/v1/nodes', { as: header })).status).toBe(401);

  // The emulator ignores the point in time, so this test covers the call only.
  await runbook.follow(toMoment!);
  await runbook.follow(restore!);
  expect((await stateOf()).slice(0, 3)).toEqual(state.slice(0, 3));
  // It is open already.
  await runbook.follow(withoutDeployment(open!));
  expect((await account.tables()).filter((name) => name === 'inventory-restored')).toEqual([]);
});
