import type * as endpointTable from '../../functions/endpoint-table.ts';
import type { Item } from '../../shared/db/table.ts';
import { addAgent, addHost, addNode, addService } from '../support/add.ts';
import { ADMIN_PASSWORD, type Call, type Inventory } from '../support/inventory.ts';
import { uniqueName } from './faulty-inventory.ts';

/** A request that is ready to be made, and how to tell what became of it. */
export interface Prepared {
  what: string;
  method: string;
  path: string;
  call: Call;
  /** What it is answered when all goes well. */
  status: number;
  /** What a read must show: ids, names. */
  shows?: readonly string[];
  /** How often it took effect, from all items after and before. */
  effects: (after: readonly Item[], before: readonly Item[]) => number;
  /** What the same request is answered when it took effect before, unknown to the client. */
  again: number;
}

type Prepare = (inventory: Inventory) => Prepared | Promise<Prepared>;

const password = { headers: { Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` } };

const none = () => 0;
const read = (what: string, path: string, more: { shows?: readonly string[]; call?: Call } = {}): Prepared => ({
  what,
  method: 'GET',
  path,
  call: {},
  status: 200,
  effects: none,
  again: 200,
  ...more,
});

const isObject = (item: Item) => ['NODE', 'SERVICE', 'AGENT'].includes(String(item['sk']));

function add(what: string, path: string, body: Record<string, unknown>, unique: string | undefined): Prepared {
  const marker = uniqueName('marker');
  const isIt = (item: Item) => isObject(item) && (item['custom_labels'] as any)['marker'] === marker;
  return {
    what,
    method: 'POST',
    path,
    call: { body: { ...body, ...(unique === undefined ? {} : { [unique]: marker }), custom_labels: { marker } } },
    status: 201,
    effects: (after) => after.filter(isIt).length,
    again: unique === undefined ? 201 : 409,
  };
}

/** Ids are unique among all kinds. */
function change(what: string, path: string, body: Record<string, unknown>, headers = {}): Prepared {
  const id = path.split('/').at(-1);
  const revision = (items: readonly Item[]) =>
    items.flatMap((item) =>
      isObject(item) && String(item['pk']).endsWith(`#${id}`) ? [Number(item['revision'])] : [],
    )[0]!;
  return {
    what,
    method: 'PATCH',
    path,
    call: { body, headers },
    status: 200,
    effects: (after, before) => revision(after) - revision(before),
    again: Object.keys(headers).length === 0 ? 200 : 412,
  };
}

function remove(what: string, path: string): Prepared {
  const id = /[^/?]+(?=(\?.*)?$)/.exec(path)![0];
  const isThere = (items: readonly Item[]) => items.some(({ pk }) => String(pk).endsWith(`#${id}`));
  return {
    what,
    method: 'DELETE',
    path,
    call: {},
    status: 204,
    effects: (after) => (isThere(after) ? 0 : 1),
    again: 404,
  };
}

const keysNamed = (items: readonly Item[], name: string) =>
  items.filter((item) => item['sk'] === 'KEY' && item['name'] === name).length;
const sessions = (items: readonly Item[]) =>
  items.filter((item) => item['sk'] === 'KEY' && item['kind'] === 'session').map(({ pk }) => pk);

async function must(inventory: Inventory, method: string, path: string, call: Call): Promise<any> {
  const { status, body, text } = await inventory.request(method, path, call);
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return body;
}

const newApiKey = (inventory: Inventory, name: string) =>
  must(inventory, 'POST', '/v1/api-keys', { body: { name, role: 'Viewer' } });

/** One or more requests for every endpoint that works with the table: a new one cannot be left out. */
export const calls: Readonly<
  Record<Exclude<keyof typeof endpointTable, 'getVersion'>, Readonly<Record<string, Prepare>>>
> = {
  getReadiness: { ready: () => read('readiness', '/v1/readyz', { call: { as: null } }) },
  getCaller: { key: () => read('caller', '/v1/caller', { shows: ['test Admin'] }) },
  addNode: {
    'with a name': () => add('add node', '/v1/nodes', { node_type: 'generic', address: 'a' }, 'node_name'),
    'with an address of its own': () => {
      const body = { node_type: 'generic', address: uniqueName('a'), region: 'eu' };
      return add('add node in region', '/v1/nodes', body, 'node_name');
    },
  },
  listNodes: {
    all: () => read('list nodes', '/v1/nodes'),
    'by region': async (inventory) => {
      const nodes = [1, 2, 3].map(() => addNode(inventory, { region: 'us', address: uniqueName('a') }));
      const shows = (await Promise.all(nodes)).map(({ node_id: id }) => id);
      return read('list nodes of a region', '/v1/nodes?region=us', { shows });
    },
  },
  getNode: {
    any: async (inventory) => {
      const { node_id: id } = await addNode(inventory);
      return read('get node', `/v1/nodes/${id}`, { shows: [id] });
    },
  },
  changeNode: {
    'nothing unique': async (inventory) =>
      change('change node', `/v1/nodes/${(await addNode(inventory)).node_id}`, { distro: 'x' }),
    'its address': async (inventory) => {
      const { node_id: id } = await addNode(inventory, { region: 'eu', address: uniqueName('a') });
      return change('change address', `/v1/nodes/${id}`, { address: uniqueName('a') });
    },
    'the revision that was seen': async (inventory) => {
      const { node_id: id } = await addNode(inventory);
      return change('change node if', `/v1/nodes/${id}`, { distro: 'x' }, { 'If-Match': '"1"' });
    },
  },
  removeNode: {
    'without dependants': async (inventory) => remove('remove node', `/v1/nodes/${(await addNode(inventory)).node_id}`),
    'with force': async (inventory) => {
      const { nodeId } = await addHost(inventory);
      await addService(inventory, { node_ids: [nodeId] });
      return remove('force node', `/v1/nodes/${nodeId}?force=true`);
    },
  },
  addService: {
    'on a node': async (inventory) => {
      const { node_id: nodeId } = await addNode(inventory);
      const body = { service_type: 'mysql', node_ids: [nodeId], address: 'a', port: 3306, cluster: 'c' };
      return add('add service', '/v1/services', body, 'service_name');
    },
  },
  listServices: {
    all: () => read('list services', '/v1/services'),
    'by selector': async (inventory) => {
      const custom_labels = { team: uniqueName('team') };
      const services = [1, 2, 3].map(() => addService(inventory, { custom_labels, environment: 'prod' }));
      const shows = (await Promise.all(services)).map(({ service_id: id }) => id);
      const selector = encodeURIComponent(`team="${custom_labels.team}",environment in (prod,dev)`);
      return read('list services by selector', `/v1/services?selector=${selector}`, { shows });
    },
    'of a node': async (inventory) => {
      const { node_id: nodeId } = await addNode(inventory);
      const services = [1, 2, 3].map(() => addService(inventory, { node_ids: [nodeId] }));
      const shows = (await Promise.all(services)).map(({ service_id: id }) => id);
      return read('list services of a node', `/v1/services?node_id=${nodeId}`, { shows });
    },
  },
  getService: {
    any: async (inventory) => {
      const { service_id: id } = await addService(inventory);
      return read('get service', `/v1/services/${id}`, { shows: [id] });
    },
  },
  changeService: {
    'where it runs': async (inventory) => {
      const [from, to] = [await addNode(inventory), await addNode(inventory)];
      const { service_id: id } = await addService(inventory, { node_ids: [from.node_id] });
      return change('move service', `/v1/services/${id}`, { node_ids: [to.node_id] });
    },
  },
  removeService: {
    'without dependants': async (inventory) =>
      remove('remove service', `/v1/services/${(await addService(inventory)).service_id}`),
    'with force': async (inventory) => {
      const { service_id: id } = await addService(inventory);
      await addAgent(inventory, { agent_type: 'external_exporter', insights: { service_ids: [id] }, listen_port: 1 });
      return remove('force service', `/v1/services/${id}?force=true`);
    },
  },
  listServiceTypes: { all: () => read('list service types', '/v1/services/types') },
  addAgent: {
    'a process': async (inventory) => {
      const { node_id: nodeId } = await addNode(inventory);
      return add('add process', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: nodeId }, undefined);
    },
    'an exporter': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      const { service_id: id } = await addService(inventory);
      const body = { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids: [id] } };
      return add('add exporter', '/v1/agents', body, undefined);
    },
  },
  listAgents: {
    all: () => read('list agents', '/v1/agents'),
    'of a node': async (inventory) => {
      const { nodeId, pmmAgentId } = await addHost(inventory);
      return read('list agents of a node', `/v1/agents?runs_on_node_id=${nodeId}`, { shows: [pmmAgentId] });
    },
  },
  getAgent: {
    any: async (inventory) => {
      const { pmmAgentId: id } = await addHost(inventory);
      return read('get agent', `/v1/agents/${id}`, { shows: [id] });
    },
  },
  changeAgent: {
    'nothing that lists look for': async (inventory) =>
      change('disable agent', `/v1/agents/${(await addHost(inventory)).pmmAgentId}`, { disabled: true }),
    'its labels': async (inventory) =>
      change('change agent', `/v1/agents/${(await addHost(inventory)).pmmAgentId}`, { custom_labels: { a: 'b' } }),
  },
  removeAgent: {
    'without dependants': async (inventory) =>
      remove('remove agent', `/v1/agents/${(await addHost(inventory)).pmmAgentId}`),
  },
  discoverTargets: {
    all: async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      const agent = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, listen_port: 9100 };
      const { agent_id: id } = await addAgent(inventory, agent);
      return read('discover targets', '/v1/discovery/prometheus', { shows: [id] });
    },
  },
  addApiKey: {
    any: () => {
      const name = uniqueName('key');
      const effects = (items: readonly Item[]) => keysNamed(items, name);
      const call = { body: { name, role: 'Viewer' } };
      return { what: 'add key', method: 'POST', path: '/v1/api-keys', call, status: 201, effects, again: 409 };
    },
  },
  listApiKeys: {
    all: () => read('list keys', '/v1/api-keys', { shows: ['test Admin', 'test Editor', 'test Viewer'] }),
  },
  removeApiKey: {
    any: async (inventory) =>
      remove('remove key', `/v1/api-keys/${(await newApiKey(inventory, uniqueName('key'))).key_id}`),
  },
  addSession: {
    any: () => ({
      what: 'add session',
      method: 'POST',
      path: '/v1/sessions',
      call: { as: null, ...password },
      status: 201,
      effects: (after, before) => sessions(after).filter((pk) => !sessions(before).includes(pk)).length,
      again: 201,
    }),
  },
  removeSession: {
    own: async (inventory) => {
      const { session_id: id, key } = await must(inventory, 'POST', '/v1/sessions', { as: null, ...password });
      const call = { as: null, headers: { Authorization: `Bearer ${key}` } };
      const isThere = (items: readonly Item[]) => items.some((item) => item['sk'] === 'KEY' && item['key_id'] === id);
      const effects = (items: readonly Item[]) => (isThere(items) ? 0 : 1);
      return { what: 'remove session', method: 'DELETE', path: '/v1/sessions', call, status: 204, effects, again: 401 };
    },
  },
};

export const preparations: readonly Prepare[] = Object.values(calls).flatMap((ofEndpoint) => Object.values(ofEndpoint));
