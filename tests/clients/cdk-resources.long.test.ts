import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { customResource } from '../../clients/cdk/src/custom-resource.ts';
import { quoted } from '../../clients/cdk/src/fields.ts';
import { OWNER_LABEL } from '../../clients/cdk/src/ownership.ts';
import { type Client, bearer, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { CloudFormationStack, FailedDeployment } from './cloudformation.ts';

let server: RunningServer;
let api: Client;
let stack: CloudFormationStack;
let other: CloudFormationStack;
let connection: object;
let key: string;
/** Files of the bucket, by key. */
const files = new Map<string, string>();
const logged: string[] = [];

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  key = (await makeKeys(server)).keys.Editor;
  api = clientOf(server, bearer(key));
  const Ca = await readFile(join(server.dataDir, 'tls-cert.pem'), 'utf8');
  connection = { Url: server.base, SecretArn: 'arn:key', SecretField: 'key', Ca };
  let reads = 0;
  const handler = customResource({
    readSecret: (arn) => {
      expect(arn).toBe('arn:key');
      reads += 1;
      // A new permission takes a moment.
      if (reads === 1) return Promise.reject(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
      return Promise.resolve(JSON.stringify({ key: ` ${key}\n` }));
    },
    readFile: (_, name) => Promise.resolve(files.get(name)!),
    log: (entry) => logged.push(JSON.stringify(entry)),
    pauseMs: 1,
  });
  stack = await CloudFormationStack.open(handler);
  other = await CloudFormationStack.open(handler);
});
afterAll(async () => {
  stack.close();
  other.close();
  await server.stop();
  await removeDataDir(server.dataDir);
});
afterEach(() => {
  stack.deliveries = 1;
});

const propertiesOf = (kind: string, object: object, { existing = 'refuse', ...more }: any = {}) => {
  const request = { kind, object, place: 'anywhere', watchesItsNode: false, force: false, ...more };
  return { ...connection, Existing: existing, Object: JSON.stringify(request) };
};
const addressOf = (name: string) => `host-of-${name.replaceAll(/\W/g, '-')}`;
const nodeOf = (name: string, fields: object = {}, more?: object) =>
  propertiesOf('node', { node_type: 'generic', node_name: name, address: addressOf(name), ...fields }, more);
const serviceOn = (name: string, nodes: string[], more?: object) =>
  propertiesOf(
    'service',
    { service_type: 'mysql', service_name: name, node_names: nodes, address: 'db', port: 3306 },
    more,
  );
const agentOn = (type: string, node: string, fields: object = {}, more: object = {}) => {
  const place = type === 'pmm_agent' ? 'node' : 'pmm_agent';
  const watchesItsNode = type === 'node_exporter';
  return propertiesOf(
    'agent',
    { agent_type: type, runs_on_node_name: node, ...fields },
    { place, watchesItsNode, ...more },
  );
};

const find = async (kind: string, name: string): Promise<any> => {
  const selector = encodeURIComponent(`${kind}_name=${quoted(name)}`);
  const { body } = await api('GET', `/v1/${kind}s?selector=${selector}`);
  return body[`${kind}s`][0];
};
const add = async (path: string, body: object): Promise<any> => {
  const reply = await api('POST', path, { body });
  expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
  return reply.body;
};
const addNode = (name: string, more: object = {}) =>
  add('/v1/nodes', { node_type: 'generic', node_name: name, address: '10.0.0.9', ...more });

test('a node is added, changed, and removed with its resource', async () => {
  const attributes = await stack.deploy('Node', nodeOf('db-1', { custom_labels: { team: 'dba' } }));
  const added = await find('node', 'db-1');
  expect(attributes).toEqual({ Id: added.node_id, Name: 'db-1' });
  expect(added.custom_labels).toEqual({ team: 'dba', [OWNER_LABEL]: stack.ownerOf('Node') });
  expect(stack.physicalIdOf('Node')).toBe('node/db-1');
  expect(await stack.deploy('Node', nodeOf('db-1', { address: '10.0.0.2' }))).toEqual(attributes);
  expect(await find('node', 'db-1')).toMatchObject({ address: '10.0.0.2', revision: 2 });
  await stack.delete('Node');
  expect(await find('node', 'db-1')).toBeUndefined();
});

test("a repeated event has the first one's effect and reply", async () => {
  stack.deliveries = 2;
  await stack.deploy('Twice', nodeOf('twice'));
  await stack.deploy('Twice', nodeOf('twice', { region: 'eu' }));
  expect(await find('node', 'twice')).toMatchObject({ region: 'eu', revision: 2 });
  await stack.deploy('Twice', nodeOf('twice-more'));
  expect(await find('node', 'twice')).toBeUndefined();
  await stack.delete('Twice');
  expect(await find('node', 'twice-more')).toBeUndefined();
});

test('a rename is a replacement: dependants follow before the former object is removed', async () => {
  const place = { address: '10.0.0.1', region: 'eu' };
  await stack.deploy('Node', nodeOf('old "7"/a', place));
  await stack.deploy('Service', serviceOn('orders', ['old "7"/a']));
  const before = await find('service', 'orders');
  // The order of CloudFormation: the replacement, its dependants, and last the deletion.
  const former = await find('node', 'old "7"/a');
  // The address is unique in its region, and both nodes exist for a moment.
  const properties = nodeOf('new', place);
  await stack.deployAndRollBack('Node', properties);
  expect(await find('node', 'new')).toBeUndefined();
  expect(await find('node', 'old "7"/a')).toMatchObject({ node_id: former.node_id, ...place });
  await stack.deploy('Node', properties, () => stack.deploy('Service', serviceOn('orders', ['new'])));
  expect(await find('node', 'old "7"/a')).toBeUndefined();
  expect(await find('node', 'new')).toMatchObject(place);
  const after = await find('service', 'orders');
  expect([after.service_id, after.node_ids]).toEqual([before.service_id, [(await find('node', 'new')).node_id]]);
});

test('a resource refuses an existing object, and its rollback keeps it', async () => {
  const { node_id } = await addNode('theirs');
  await expect(stack.deploy('Refused', nodeOf('theirs'))).rejects.toThrow(
    "node/theirs exists already. To change it, set existing to 'adopt'.",
  );
  expect(stack.events.at(-1)).toMatchObject({ RequestType: 'Delete', PhysicalResourceId: 'failed/Refused' });
  expect(await find('node', 'theirs')).toMatchObject({ node_id, address: '10.0.0.9', revision: 1 });
});

test("a resource refuses another stack's object, and a rename to its name is rolled back", async () => {
  await other.deploy('Node', nodeOf('of-other'));
  await stack.deploy('Mine', nodeOf('mine'));
  const failed = stack.deploy('Mine', nodeOf('of-other'));
  await expect(failed).rejects.toThrow(
    `node/of-other exists already, and belongs to the resource ${other.ownerOf('Node')}`,
  );
  await expect(failed).rejects.toThrow(FailedDeployment);
  expect(await find('node', 'mine')).toMatchObject({ address: addressOf('mine') });
  expect(stack.physicalIdOf('Mine')).toBe('node/mine');
  expect(await find('node', 'of-other')).toMatchObject({ revision: 1 });
});

test('an adopted object keeps its id, is changed, and stays when its resource is deleted', async () => {
  const { node_id } = await addNode('adopted');
  stack.deliveries = 2;
  await stack.deploy('Adopted', nodeOf('adopted', {}, { existing: 'adopt' }));
  expect(await find('node', 'adopted')).toMatchObject({ node_id, address: addressOf('adopted'), custom_labels: {} });
  await stack.deploy('Adopted', nodeOf('adopted', { region: 'eu' }));
  await stack.delete('Adopted');
  expect(await find('node', 'adopted')).toMatchObject({ node_id, region: 'eu' });
});

test('a resource that may adopt removes an object that it added', async () => {
  await stack.deploy('Either', nodeOf('either', {}, { existing: 'adopt' }));
  await stack.delete('Either');
  expect(await find('node', 'either')).toBeUndefined();
});

test('updating a removed object adds it again, and deleting a removed object succeeds', async () => {
  await stack.deploy('Lost', nodeOf('lost'));
  const { node_id } = await find('node', 'lost');
  await api('DELETE', `/v1/nodes/${node_id}`);
  await stack.deploy('Lost', nodeOf('lost', { region: 'us' }));
  const again = await find('node', 'lost');
  expect(again.node_id).not.toBe(node_id);
  await api('DELETE', `/v1/nodes/${again.node_id}`);
  await stack.delete('Lost');
});

test('an object that another program declared belongs to the resource again after an update', async () => {
  await stack.deploy('Shared', nodeOf('shared'));
  const body = { node_type: 'generic', address: '10.0.0.5' };
  expect((await api('PUT', '/v1/nodes/by-name/shared', { body })).body.custom_labels).toEqual({});
  await stack.deploy('Shared', nodeOf('shared', { region: 'eu' }));
  await stack.delete('Shared');
  expect(await find('node', 'shared')).toBeUndefined();
});

test('an addition without a reply is rolled back: CloudFormation deletes its generated id', async () => {
  await stack.deploy('Silent', nodeOf('silent'));
  await stack.delete('Silent', { physicalId: 'shop-Silent-1ABCDEF', properties: nodeOf('silent') });
  expect(await find('node', 'silent')).toBeUndefined();
});

test('agents refer to nodes and services by name, and another target makes another agent', async () => {
  await stack.deploy('Host', nodeOf('host'));
  await stack.deploy('Db', serviceOn('host-db', ['host']));
  await stack.deploy('Db2', serviceOn('host-db-2', ['host']));
  await stack.deploy('Process', agentOn('pmm_agent', 'host'));
  stack.deliveries = 2;
  await stack.deploy('System', agentOn('node_exporter', 'host'));
  const onDb = agentOn('mysqld_exporter', 'host', { insights: { service_names: ['host-db'] } });
  const { Id: first } = await stack.deploy('Exporter', onDb);
  await stack.deploy(
    'System',
    agentOn('node_exporter', 'host', { log_level: 'warn', insights: { node_names: ['host'] } }),
  );
  const onOther = agentOn('mysqld_exporter', 'host', { insights: { service_names: ['host-db-2'] } });
  await stack.deployAndRollBack('Exporter', onOther);
  expect(stack.physicalIdOf('Exporter')).toBe(`agent/${first}`);
  const { Id: second } = await stack.deploy('Exporter', onOther);
  expect(second).not.toBe(first);
  const { body } = await api('GET', '/v1/agents');
  expect(body.agents.map((agent: any) => [agent.agent_type, agent.log_level ?? '']).sort()).toEqual(
    [
      ['mysqld_exporter', ''],
      ['node_exporter', 'warn'],
      ['pmm_agent', ''],
    ].map(([type, level]) => [type, expect.stringContaining(level!)]),
  );
  await expect(stack.deploy('Same', onOther)).rejects.toThrow('exists already');
  await expect(stack.delete('Host')).rejects.toThrow('has agents');
  for (const id of ['Exporter', 'System', 'Process', 'Db', 'Db2', 'Host']) await stack.delete(id);
  expect(await find('node', 'host')).toBeUndefined();
});

test('an addition of an agent without a reply is rolled back', async () => {
  await stack.deploy('Box', nodeOf('box'));
  const properties = agentOn('pmm_agent', 'box');
  await stack.deploy('Agent', properties);
  await stack.delete('Agent', { physicalId: 'shop-Agent-1ABCDEF', properties });
  await stack.delete('Box');
});

test('with force, dependants are removed too', async () => {
  await stack.deploy('Forced', nodeOf('forced', {}, { force: true }));
  const { node_id } = await find('node', 'forced');
  await add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node_id });
  await stack.delete('Forced');
  expect(await find('node', 'forced')).toBeUndefined();
});

test('a missing reference and an invalid value fail with the reason, and leave nothing', async () => {
  await expect(stack.deploy('Bad', serviceOn('bad', ['no-node']))).rejects.toThrow('There is no node no-node.');
  await expect(stack.deploy('Bad', nodeOf('bad', { address: '' }))).rejects.toThrow('address');
  await expect(stack.deploy('Bad', { ...nodeOf('bad'), SecretField: 'nothing' })).rejects.toThrow(
    'The secret has no field nothing',
  );
  expect(await find('service', 'bad')).toBeUndefined();
});

describe('a fleet', () => {
  const fleetOf = (state: object, existing = 'refuse') => {
    const Key = `${files.size}.json`;
    files.set(Key, JSON.stringify(state));
    return { ...connection, Existing: existing, Bucket: 'assets', Key };
  };
  const member = (name: string, more: object = {}) => ({
    node_type: 'generic',
    node_name: name,
    address: `host-${name}`,
    ...more,
  });
  const stateOf = (...names: string[]) => ({
    desired: {
      nodes: names.map((name) => member(name)),
      services: [
        { service_type: 'mysql', service_name: `${names[0]}-db`, node_names: [names[0]], address: 'db', port: 3306 },
      ],
      agents: [{ agent_type: 'pmm_agent', runs_on_node_name: names[0] }],
    },
  });

  test('is reconciled as a whole, and removed with its resource', async () => {
    stack.deliveries = 2;
    await stack.deploy('Fleet', fleetOf(stateOf('f-1', 'f-2', 'f-3')));
    expect(await find('service', 'f-1-db')).toMatchObject({ custom_labels: { [OWNER_LABEL]: stack.ownerOf('Fleet') } });
    await stack.deploy('Fleet', fleetOf({ ...stateOf('f-1', 'f-2'), max_removals_percent: 50 }));
    expect([await find('node', 'f-3'), (await find('node', 'f-2')).revision]).toEqual([undefined, 1]);
    await stack.delete('Fleet');
    for (const name of ['f-1', 'f-2']) expect(await find('node', name)).toBeUndefined();
    expect(await find('service', 'f-1-db')).toBeUndefined();
  });

  test('removes at most its share, and returns to its former state', async () => {
    await stack.deploy('Capped', fleetOf(stateOf('c-1', 'c-2', 'c-3')));
    await expect(stack.deploy('Capped', fleetOf(stateOf('c-1')))).rejects.toThrow('max_removals_percent allows 20 %');
    expect(await find('node', 'c-3')).toMatchObject({ revision: 1 });
    await stack.delete('Capped');
  });

  test('refuses a name that exists outside its scope, and the rollback leaves nothing', async () => {
    await addNode('outside');
    await expect(stack.deploy('Blocked', fleetOf(stateOf('b-1', 'outside')))).rejects.toThrow('node outside:');
    expect(await find('node', 'b-1')).toBeUndefined();
    expect(await find('node', 'outside')).toMatchObject({ address: '10.0.0.9' });
  });

  const scoped = (fleet: string, ...names: string[]) => ({
    scope: { selector: `fleet=${fleet}` },
    max_removals_percent: 100,
    desired: { nodes: names.map((name) => member(name, { custom_labels: { fleet } })) },
  });

  test('with another scope keeps the common objects and removes the rest', async () => {
    await stack.deploy('Moved', fleetOf(scoped('one', 'm-1', 'm-2')));
    const { node_id } = await find('node', 'm-1');
    await stack.deploy('Moved', fleetOf({ ...scoped('two', 'm-1'), scope: { selector: 'fleet in (one,two)' } }));
    expect(await find('node', 'm-1')).toMatchObject({ node_id, custom_labels: { fleet: 'two' } });
    await stack.deploy('Moved', fleetOf(scoped('three', 'm-3')));
    expect([await find('node', 'm-1'), await find('node', 'm-2')]).toEqual([undefined, undefined]);
    await stack.delete('Moved');
    expect(await find('node', 'm-3')).toBeUndefined();
  });

  test('refuses a scope with objects, or adopts and keeps it', async () => {
    await addNode('a-1', { custom_labels: { fleet: 'adopted' } });
    await expect(stack.deploy('Adopting', fleetOf(scoped('adopted', 'a-2')))).rejects.toThrow('node/a-1');
    expect(await find('node', 'a-1')).toBeDefined();
    await stack.deploy('Adopting', fleetOf(scoped('adopted', 'a-2'), 'adopt'));
    expect(await find('node', 'a-1')).toBeUndefined();
    await stack.delete('Adopting');
    expect(await find('node', 'a-2')).toMatchObject({ custom_labels: { fleet: 'adopted' } });
  });

  test('with services alone is removed', async () => {
    await addNode('common');
    const services = ['s-1', 's-2'].map((name) => ({
      service_type: 'mysql',
      service_name: name,
      node_names: ['common'],
      address: 'db',
      port: name === 's-1' ? 1 : 2,
    }));
    await stack.deploy('Services', fleetOf({ desired: { services } }));
    await stack.delete('Services');
    expect([await find('service', 's-1'), await find('service', 's-2')]).toEqual([undefined, undefined]);
  });

  test("is not removed below other owners' objects", async () => {
    await stack.deploy('Used', fleetOf({ desired: { nodes: [member('u-1'), member('u-2')] } }));
    const { node_id } = await find('node', 'u-2');
    await add('/v1/services', {
      service_type: 'mysql',
      service_name: 'foreign',
      node_ids: [node_id],
      address: 'db',
      port: 3306,
    });
    await expect(stack.delete('Used')).rejects.toThrow(/u-2|dependants/);
    expect(await find('node', 'u-2')).toBeDefined();
  });
});

test('no event, reply or log contains the key', () => {
  const text = JSON.stringify([stack.events, stack.replies, logged]);
  expect(text.length).toBeGreaterThan(1000);
  expect(text).not.toContain(key);
});
