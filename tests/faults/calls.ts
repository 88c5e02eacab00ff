import { clusterToken } from '../support/identity-providers.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { endpoints } from '../../functions/api/endpoints.ts';
import type * as endpointTable from '../../functions/api/endpoint-table.ts';
import { heartbeatKey, reconciliationKey } from '../../functions/store/table/keys.ts';
import type { Item } from '../../shared/db/table.ts';
import { addAgent, addHost, addNode, addService } from '../support/add.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { ADMIN_PASSWORD, type RequestOptions, type Inventory, type Reply } from '../support/inventory.ts';
import { pathOf } from '../support/is-simple-read.ts';
import { simpleReads } from '../support/simple-reads.ts';
import { uniqueAddress, uniqueName } from './faulty-inventory.ts';

/** A request that is ready to be made, and how to tell what became of it. */
export interface RequestCase {
  what: string;
  method: string;
  path: string;
  call: RequestOptions;
  /** What it is answered when all goes well. */
  status: number;
  /** What a read must show: ids, names. */
  shows?: readonly string[];
  /** Whether a reply of success tells that it may not have been done, and wants to be repeated. */
  leaves?: (reply: Reply) => boolean;
  /** How often it took effect, from all items after and before. */
  effects: (after: readonly Item[], before: readonly Item[]) => number;
  /** What the same request is answered when it took effect before, unknown to the client. */
  again: number;
}

type Prepare = (inventory: Inventory) => RequestCase | Promise<RequestCase>;

const password = { headers: { Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` } };

/** Of a request that is to change nothing. */
export const none = () => 0;
const read = (
  what: string,
  path: string,
  more: { shows?: readonly string[]; call?: RequestOptions } = {},
): RequestCase => ({
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

function add(what: string, path: string, body: Record<string, unknown>, unique: string | undefined): RequestCase {
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

/** An add that may be repeated: the answer of the second is that of the first. */
function addOnce(what: string, path: string, body: Record<string, unknown>, unique: string | undefined): RequestCase {
  const prepared = add(what, path, body, unique);
  const headers = { 'Idempotency-Key': randomUUID() };
  return { ...prepared, call: { ...prepared.call, headers }, again: prepared.status };
}

/** An upsert of an object that does not exist. A repetition finds it. */
function declare(what: string, path: string, body: Record<string, unknown>): RequestCase {
  const prepared = add(what, path, body, undefined);
  return { ...prepared, method: 'PUT', again: 200 };
}

/** A declaration of something that is there, as it is not. */
function redeclare(what: string, path: string, body: Record<string, unknown>, id: string): RequestCase {
  const { effects } = change(what, `/${id}`, body);
  return { what, method: 'PUT', path, call: { body }, status: 200, effects, again: 200 };
}

/** A batch of one add or declaration of a node. */
function batchOf(what: string, operation: { op: string; body: Record<string, unknown> }): RequestCase {
  const marker = uniqueName('batched');
  const isIt = (item: Item) => isObject(item) && item['node_name'] === marker;
  const body = { operations: [{ ...operation, body: { ...operation.body, node_name: marker } }] };
  return {
    what,
    method: 'POST',
    path: '/v1/batch',
    call: { body },
    status: 200,
    effects: (after) => after.filter(isIt).length,
    again: 200,
  };
}

/** Ids are unique among all kinds. */
function change(what: string, path: string, body: Record<string, unknown>, headers = {}): RequestCase {
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

function remove(what: string, path: string): RequestCase {
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

/** A secret's item: for an API key, or for what a log-in has made. */
const isSecret = ({ sk }: Item) => sk === 'KEY' || sk === 'SESSION';

const keysNamed = (items: readonly Item[], name: string) =>
  items.filter((item) => isSecret(item) && item['name'] === name).length;
/** The sessions of a user. */
/** Sessions of devices count by themselves. */
const sessions = (items: readonly Item[], user: string) =>
  items
    .filter(
      ({ sk, kind, name, device }) => sk === 'SESSION' && kind === 'session' && name === user && device === undefined,
    )
    .map(({ pk }) => pk);

async function must(inventory: Inventory, method: string, path: string, call: RequestOptions): Promise<any> {
  let reply = await inventory.request(method, path, call);
  // Nothing makes trouble yet but the others, which are all prepared at the same time. A fast machine logs in too often.
  for (let again = 0; again < 5 && (reply.status === 503 || reply.status === 429); again += 1) {
    await delay(Number(reply.headers['Retry-After'] ?? 0) * 1000);
    reply = await inventory.request(method, path, call);
  }
  const { status, body, text } = reply;
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return body;
}

const newApiKey = (inventory: Inventory, name: string) =>
  must(inventory, 'POST', '/v1/api-keys', { body: { name, role: 'Viewer' } });

const newToken = (inventory: Inventory) =>
  must(inventory, 'POST', '/v1/enrolment-tokens', { body: { name: uniqueName('token'), allowed_addresses: ['a'] } });

const newFilter = () => ({ name: uniqueName('filter'), list: 'nodes', parameters: { state: 'offline' } });

const addFilter = (inventory: Inventory) => must(inventory, 'POST', '/v1/saved-filters', { body: newFilter() });

const filterNamed = (items: readonly Item[], name: string) =>
  items.find((item) => String(item['pk']).startsWith('SAVED_FILTERS#') && item['name'] === name);

/** A silence of all nodes of a type, but for a value that none has. */
const newSilence = () => ({
  selector: `node_type=generic,note!=${randomUUID()}`,
  reason: 'Upgrade',
  time_to_live: '1h',
});

const addSilence = async (inventory: Inventory): Promise<string> =>
  (await must(inventory, 'POST', '/v1/silences', { body: newSilence() })).silence_id;

function rotation(what: string, path: string, id: string, call: RequestOptions = {}): RequestCase {
  const texts = (items: readonly Item[]) => items.filter((item) => isSecret(item) && item['key_id'] === id).length;
  return {
    what,
    method: 'POST',
    path,
    call: { ...call, body: { overlap: '1h' } },
    status: 200,
    effects: (after, before) => texts(after) - texts(before),
    again: 200,
  };
}

/** One or more requests for each endpoint that works with the table. Simple reads need none. */
const PASSWORD = 'a quiet long sentence';
const userNamed = (items: readonly Item[], name: string) => items.find(({ sk }) => sk === `USER#${name}`);
const newSessions = (after: readonly Item[], before: readonly Item[], user: string) =>
  sessions(after, user).filter((pk) => !sessions(before, user).includes(pk)).length;
const newUserName = () => `user-${randomUUID()}`;

async function newUser(inventory: Inventory): Promise<{ user_name: string; invitation: string }> {
  const user_name = newUserName();
  const { invitation } = await must(inventory, 'POST', '/v1/users', { body: { user_name, role: 'Viewer' } });
  return { user_name, invitation };
}

const deviceNamed = (items: readonly Item[], name: string) =>
  items.find(({ sk, client_name: of }) => sk === 'DEVICE' && of === name);
const sessionsOfDevice = (items: readonly Item[], name: string) =>
  items.filter(({ sk, device }) => sk === 'SESSION' && device === name).length;

/** A device that waits, and the headers of a session that can approve it: of a new user, as a person may try few codes in a minute. */
async function newDevice(inventory: Inventory) {
  const accepted = { ...(await newUser(inventory)), method: 'invitation', new_password: PASSWORD };
  const { key } = await must(inventory, 'POST', '/v1/logins', { as: null, body: accepted });
  const client_name = `program-${randomUUID()}`;
  const codes = await must(inventory, 'POST', '/v1/device-authorizations', { as: null, body: { client_name } });
  const { user_code, device_code } = codes;
  const answer = { user_code, answer: 'approve' };
  return {
    client_name,
    device_code,
    approval: { as: null, headers: { Authorization: `Bearer ${key}` }, body: answer },
  };
}

const bindingNamed = (items: readonly Item[], name: string) => items.find(({ sk }) => sk === `BINDING#${name}`);
const newBinding = () => ({
  name: `binding-${randomUUID()}`,
  provider: 'github',
  claims: { repository_id: ['1'] },
  role: 'Viewer',
});

/** @returns its name. */
async function addBinding(inventory: Inventory): Promise<string> {
  return (await must(inventory, 'POST', '/v1/role-bindings', { body: newBinding() })).name;
}

/** A change of a user: each time it takes effect, its version grows. */
async function renewal(
  inventory: Inventory,
  { what, method, of, body }: { what: string; method: string; of: string; body?: object },
): Promise<RequestCase> {
  const { user_name: name } = await newUser(inventory);
  const call = body === undefined ? {} : { body };
  const version = (items: readonly Item[]) => userNamed(items, name)?.['version'];
  const effects = (after: readonly Item[], before: readonly Item[]) => (version(after) === version(before) ? 0 : 1);
  const status = method === 'DELETE' ? 204 : 200;
  return { what, method, path: `/v1/users/${name}${of}`, call, status, effects, again: status };
}

function logInCase(
  what: string,
  body: { user_name: string; method: string; [field: string]: string },
  again: number,
): RequestCase {
  return {
    what,
    method: 'POST',
    path: '/v1/logins',
    call: { as: null, body },
    status: 201,
    effects: (after, before) => newSessions(after, before, body.user_name),
    again,
  };
}

const calls: Readonly<Partial<Record<keyof typeof endpointTable, Readonly<Record<string, Prepare>>>>> = {
  getReadiness: { ready: () => read('readiness', '/v1/readyz', { call: { as: null } }) },
  getCaller: { key: () => read('caller', '/v1/caller', { shows: ['test Admin'] }) },
  addNode: {
    'with a name': () => add('add node', '/v1/nodes', { node_type: 'generic', address: 'a' }, 'node_name'),
    'with an address of its own': () => {
      const body = { node_type: 'generic', address: uniqueAddress(), region: 'eu' };
      return add('add node in region', '/v1/nodes', body, 'node_name');
    },
    'with a key': () => addOnce('add node once', '/v1/nodes', { node_type: 'generic', address: 'a' }, 'node_name'),
  },
  upsertNode: {
    'that is not there': () => {
      const path = `/v1/nodes/by-name/${encodeURIComponent(uniqueName('a/b'))}`;
      return declare('declare node', path, { node_type: 'generic', address: uniqueAddress(), region: 'eu' });
    },
    'that is there': async (inventory) => {
      const { node_id: id, node_name: name } = await addNode(inventory);
      const body = { node_type: 'generic', address: 'elsewhere' };
      return redeclare('declare node anew', `/v1/nodes/by-name/${name}`, body, id);
    },
  },
  listNodes: {
    all: () => read('list nodes', '/v1/nodes?include=state'),
    'by region': async (inventory) => {
      const nodes = [1, 2, 3].map(() => addNode(inventory, { region: 'us', address: uniqueAddress() }));
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
  getClusterStates: {
    any: async (inventory) => {
      const cluster = randomUUID();
      await addService(inventory, { cluster });
      return read('states of a cluster', `/v1/clusters/${cluster}/states`, { shows: ['intervals'] });
    },
  },
  listNodeHistory: {
    any: async (inventory) => {
      const { node_id: id } = await addNode(inventory);
      await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { distro: 'x' } });
      return read('history of a node', `/v1/nodes/${id}/history`, { shows: [id, 'changed', 'added'] });
    },
  },
  getObjectAsOf: {
    'before a change': async (inventory) => {
      const { node_id: id, updated_at: added } = await addNode(inventory);
      await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { distro: 'x' } });
      return read('as of', `/v1/as-of/node/${id}?time=${added}`, { shows: [id] });
    },
  },
  listServiceHistory: {
    any: async (inventory) => {
      const { service_id: id } = await addService(inventory);
      return read('history of a service', `/v1/services/${id}/history`, { shows: [id] });
    },
  },
  listAgentHistory: {
    any: async (inventory) => {
      const { pmmAgentId: id } = await addHost(inventory);
      return read('history of an agent', `/v1/agents/${id}/history`, { shows: [id] });
    },
  },
  listChanges: {
    'from the first one': async (inventory) => {
      await addNode(inventory);
      const first = await must(inventory, 'GET', '/v1/changes?limit=1', {});
      return read('list changes', '/v1/changes', { shows: [first.changes[0].change_id] });
    },
    'since a moment ago': async (inventory) => {
      const { next } = await must(inventory, 'GET', '/v1/changes?since=now', {});
      await addNode(inventory);
      // Which of them it shows depends on what others write: tests/end-to-end/follower.long.test.ts.
      return read('list changes since now', `/v1/changes?since=${next}`, { shows: ['"next"'] });
    },
  },
  listAudit: {
    'what was done to a key': async (inventory) => {
      const { key_id: id } = await newApiKey(inventory, uniqueName('key'));
      return read('list audit', `/v1/audit?object_id=${id}`, { shows: [id, 'api_key.added'] });
    },
  },
  changeNode: {
    'nothing unique': async (inventory) =>
      change('change node', `/v1/nodes/${(await addNode(inventory)).node_id}`, { distro: 'x' }),
    'its address': async (inventory) => {
      const { node_id: id } = await addNode(inventory, { region: 'eu', address: uniqueAddress() });
      return change('change address', `/v1/nodes/${id}`, { address: uniqueAddress() });
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
    'with a key': () => addOnce('add service once', '/v1/services', { service_type: 'haproxy' }, 'service_name'),
  },
  upsertService: {
    'that is not there': async (inventory) => {
      const { node_id: nodeId } = await addNode(inventory);
      const body = { service_type: 'mysql', node_ids: [nodeId], address: 'a', port: 3306, cluster: 'c' };
      return declare('declare service', `/v1/services/by-name/${uniqueName('s')}`.replaceAll(' ', '%20'), body);
    },
    'that is there': async (inventory) => {
      const { node_id: nodeId } = await addNode(inventory);
      const { service_id: id, service_name: name } = await addService(inventory);
      const body = { service_type: 'mysql', node_ids: [nodeId], address: 'a', port: 3306 };
      return redeclare('declare service anew', `/v1/services/by-name/${name}`, body, id);
    },
  },
  listServices: {
    all: () => read('list services', '/v1/services?include=state'),
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
    'with a key': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      return addOnce(
        'add exporter once',
        '/v1/agents',
        { agent_type: 'vm_agent', pmm_agent_id: pmmAgentId },
        undefined,
      );
    },
  },
  upsertAgent: {
    'that is not there': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      return declare('declare agent', '/v1/agents/by-key', { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
    },
    'that was added by POST': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      const body = { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId };
      const { agent_id: id } = await addAgent(inventory, body);
      return redeclare('take over agent', '/v1/agents/by-key', { ...body, log_level: 'warn' }, id);
    },
    'that is registered': async (inventory) => {
      const { nodeId: runs_on_node_id } = await addHost(inventory);
      const body = { agent_type: 'external_exporter', runs_on_node_id, listen_port: 1 };
      const { agent_id: id } = (await inventory.request('PUT', '/v1/agents/by-key', { body })).body;
      return redeclare('declare agent anew', '/v1/agents/by-key', { ...body, listen_port: 2 }, id);
    },
  },
  listAgents: {
    all: () => read('list agents', '/v1/agents?include=state'),
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
  reportAgents: {
    'of a process that was silent': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      const { agent_id: id } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
      const hasReported = (item: Item) => (item[`process#${pmmAgentId}`] as any)?.agents?.[id] !== undefined;
      return {
        what: 'report agents',
        method: 'POST',
        path: `/v1/agents/${pmmAgentId}/report`,
        call: { body: { agents: [{ agent_id: id, status: 'running' }] } },
        status: 200,
        effects: (after) => after.filter(hasReported).length,
        again: 200,
      };
    },
  },
  listRemoved: { all: () => read('list removed', '/v1/removed') },
  restoreRemoved: {
    'a node with its agents': async (inventory) => {
      const { nodeId } = await addHost(inventory);
      await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
      const isIt = (item: Item) => item['sk'] === 'NODE' && item['node_id'] === nodeId;
      let removalId: string | undefined;
      let token = '';
      do {
        const { body } = await inventory.request('GET', `/v1/removed?page_size=1000${token}`);
        removalId = body.removals.find((removal: any) =>
          removal.objects.some(({ id }: any) => id === nodeId),
        )?.removal_id;
        token = `&page_token=${body.next_page_token}`;
      } while (removalId === undefined);
      return {
        what: 'restore node',
        method: 'POST',
        path: `/v1/removed/${removalId}/restore`,
        call: {},
        status: 200,
        effects: (after) => after.filter(isIt).length,
        again: 404,
      };
    },
  },
  cleanUp: {
    'a node that is due': async (inventory) => {
      const { node_id: id } = await addNode(inventory, { lifetime: 'ephemeral' });
      // It is old and has never reported.
      await inventory.table.client.send(
        new UpdateCommand({
          TableName: inventory.table.name,
          Key: heartbeatKey(String(id)),
          UpdateExpression: 'SET added_at = :then',
          ExpressionAttributeValues: { ':then': 0 },
        }),
      );
      const isIt = (item: Item) => item['sk'] === 'NODE' && item['node_id'] === id;
      return {
        what: 'clean up',
        method: 'POST',
        path: '/v1/cleanup',
        call: { body: { max_removals_percent: 100 } },
        status: 200,
        effects: (after) => (after.some(isIt) ? 0 : 1),
        leaves: ({ body }) => body.kept.some((kept: any) => kept.node_id === id),
        again: 200,
      };
    },
    'what would go': () => ({
      what: 'clean up',
      method: 'POST',
      path: '/v1/cleanup',
      call: { body: { dry_run: true } },
      status: 200,
      effects: none,
      again: 200,
    }),
  },
  takeReports: {
    'of a process that was silent': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      const hasReported = (item: Item) => (item[`process#${pmmAgentId}`] as any)?.at !== undefined;
      return {
        what: 'take reports',
        method: 'POST',
        path: '/v1/reports',
        call: { body: { reports: [{ pmm_agent_id: pmmAgentId, agents: [] }] } },
        status: 200,
        effects: (after) => after.filter(hasReported).length,
        again: 200,
      };
    },
  },
  admitAgents: {
    'of a process with a key': async (inventory) => {
      const { pmmAgentId } = await addHost(inventory);
      const authorization = `Bearer ${inventory.keys.Editor}`;
      return {
        what: 'admit agents',
        method: 'POST',
        path: '/v1/gateway/admissions',
        call: { body: { admissions: [{ pmm_agent_id: pmmAgentId, authorization, source_ip: '10.0.0.1' }] } },
        status: 200,
        effects: none,
        again: 200,
      };
    },
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
  runBatch: {
    'one add': () => batchOf('batch', { op: 'addNode', body: { node_type: 'generic', address: 'a' } }),
    'one declaration': () => batchOf('batch', { op: 'upsertNode', body: { node_type: 'generic', address: 'a' } }),
    'all or none, declared, under a key': () => {
      const { call, ...prepared } = batchOf('atomic batch', {
        op: 'upsertNode',
        body: { node_type: 'generic', address: 'a' },
      });
      const headers = { 'Idempotency-Key': randomUUID() };
      return { ...prepared, call: { body: Object.assign({ atomic: true }, call.body), headers } };
    },
    'all or none': () => {
      const names = [1, 2, 3].map(() => uniqueName('together'));
      const operations = names.map((name) => ({
        op: 'addNode',
        body: { node_type: 'generic', node_name: name, address: 'a' },
      }));
      const isOneOfThem = (item: Item) => isObject(item) && names.includes(String(item['node_name']));
      return {
        what: 'atomic batch',
        method: 'POST',
        path: '/v1/batch',
        call: { body: { atomic: true, operations } },
        status: 200,
        // A third of it would be no effect at all, and complained about.
        effects: (after) => after.filter(isOneOfThem).length / names.length,
        again: 409,
      };
    },
  },
  reconcile: {
    'one node': () => {
      const name = uniqueName('desired');
      const node = { node_type: 'generic', node_name: name, address: 'a' };
      return {
        what: 'reconcile',
        method: 'POST',
        path: '/v1/reconcile',
        call: { body: { mode: 'apply', scope: { name_prefix: name }, desired: { nodes: [node] } } },
        status: 200,
        effects: (after) => after.filter((item) => isObject(item) && item['node_name'] === name).length,
        again: 200,
      };
    },
  },
  getReconciliation: {
    planned: async (inventory) => {
      const name = uniqueName('planned');
      const node = { node_type: 'generic', node_name: name, address: 'a' };
      const body = { scope: { name_prefix: name }, desired: { nodes: [node] } };
      const { plan_id: id } = (await inventory.request('POST', '/v1/reconcile', { body })).body;
      return read('see a plan', `/v1/reconcile/${id}`, { shows: [id, 'planned'] });
    },
  },
  cancelReconciliation: {
    planned: async (inventory) => {
      const name = uniqueName('cancelled');
      const node = { node_type: 'generic', node_name: name, address: 'a' };
      const body = { scope: { name_prefix: name }, desired: { nodes: [node] } };
      const { plan_id: id } = (await inventory.request('POST', '/v1/reconcile', { body })).body;
      return {
        what: 'cancel a plan',
        method: 'POST',
        path: `/v1/reconcile/${id}/cancel`,
        call: {},
        status: 200,
        effects: (after) =>
          after.filter((item) => item['cancelled_at'] !== undefined && item['pk'] === reconciliationKey(id).pk).length,
        again: 200,
      };
    },
  },
  exportInventory: {
    all: () => read('export', '/v1/export?page_size=1000', { shows: ['"kind":"end"'] }),
  },
  importInventory: {
    'one node': () => {
      const id = randomUUID();
      const object = { node_id: id, node_type: 'generic', node_name: uniqueName('imported'), address: 'a' };
      return {
        what: 'import',
        method: 'POST',
        path: '/v1/import',
        call: {
          body: JSON.stringify({ kind: 'node', object }),
          headers: { 'Content-Type': 'application/x-ndjson' },
        },
        status: 200,
        effects: (after) => after.filter((item) => isObject(item) && item['node_id'] === id).length,
        again: 200,
      };
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
  changeApiKey: {
    'its limit': async (inventory) => {
      const { key_id: id } = await newApiKey(inventory, uniqueName('key'));
      const limited = (items: readonly Item[]) =>
        items.filter((item) => item['key_id'] === id && item['rate_limit_per_minute'] === 7).length;
      const call = { body: { rate_limit_per_minute: 7 } };
      const path = `/v1/api-keys/${id}`;
      return { what: 'limit key', method: 'PATCH', path, call, status: 204, effects: limited, again: 204 };
    },
    disabled: async (inventory) => {
      const { key_id: id } = await newApiKey(inventory, uniqueName('key'));
      // The secret, and the item of the key by its id.
      const disabled = (items: readonly Item[]) =>
        items.filter((item) => item['key_id'] === id && item['disabled'] === true).length / 2;
      const path = `/v1/api-keys/${id}`;
      const call = { body: { disabled: true } };
      return { what: 'disable key', method: 'PATCH', path, call, status: 204, effects: disabled, again: 204 };
    },
  },
  rotateApiKey: {
    any: async (inventory) => {
      const { key_id: id } = await newApiKey(inventory, uniqueName('key'));
      return rotation('rotate key', `/v1/api-keys/${id}/rotate`, id);
    },
  },
  rotateOwnApiKey: {
    any: async (inventory) => {
      const { key_id: id, key } = await newApiKey(inventory, uniqueName('key'));
      return rotation('rotate own key', '/v1/caller/rotate', id, {
        as: null,
        headers: { Authorization: `Bearer ${key}` },
      });
    },
  },
  addEnrolmentToken: {
    any: () => {
      const name = uniqueName('token');
      const effects = (items: readonly Item[]) =>
        items.filter((item) => item['sk'] === 'ENROLMENT' && item['name'] === name).length;
      const call = { body: { name } };
      return {
        what: 'add token',
        method: 'POST',
        path: '/v1/enrolment-tokens',
        call,
        status: 201,
        effects,
        again: 201,
      };
    },
  },
  listEnrolmentTokens: {
    all: async (inventory) => {
      const { token_id: id } = await newToken(inventory);
      return read('list tokens', '/v1/enrolment-tokens', { shows: [id] });
    },
  },
  removeEnrolmentToken: {
    any: async (inventory) => {
      const { token_id: id } = await newToken(inventory);
      const isThere = (items: readonly Item[]) => items.some(({ sk }) => sk === `TOKEN#${id}`);
      const effects = (items: readonly Item[]) => (isThere(items) ? 0 : 1);
      return { ...remove('remove token', `/v1/enrolment-tokens/${id}`), effects };
    },
  },
  enrolNode: {
    'a new node': async (inventory) => {
      const { token } = await newToken(inventory);
      const name = uniqueName('host');
      const call = { as: null, body: { token, node: { node_type: 'generic', node_name: name, address: 'a' } } };
      const effects = (items: readonly Item[]) => keysNamed(items, `registrar/${name}`);
      // A client without the reply needs another token: the key is shown only once.
      return { what: 'enrol', method: 'POST', path: '/v1/enrolment', call, status: 201, effects, again: 401 };
    },
  },
  addSession: {
    any: () => ({
      what: 'add session',
      method: 'POST',
      path: '/v1/sessions',
      call: { as: null, ...password },
      status: 201,
      effects: (after, before) => newSessions(after, before, 'admin'),
      again: 201,
    }),
  },
  listSessions: {
    any: async (inventory) => {
      const { session_id: id } = await must(inventory, 'POST', '/v1/sessions', { as: null, ...password });
      return read('sessions', '/v1/sessions', { shows: [id] });
    },
  },
  endSession: {
    any: async (inventory) => {
      const { session_id: id } = await must(inventory, 'POST', '/v1/sessions', { as: null, ...password });
      const isThere = (items: readonly Item[]) => items.some((item) => isSecret(item) && item['key_id'] === id);
      const effects = (items: readonly Item[]) => (isThere(items) ? 0 : 1);
      return { ...remove('end session', `/v1/sessions/${id}`), effects };
    },
  },
  removeSession: {
    ownSession: async (inventory) => {
      const { session_id: id, key } = await must(inventory, 'POST', '/v1/sessions', { as: null, ...password });
      const call = { as: null, headers: { Authorization: `Bearer ${key}` } };
      const isThere = (items: readonly Item[]) => items.some((item) => isSecret(item) && item['key_id'] === id);
      const effects = (items: readonly Item[]) => (isThere(items) ? 0 : 1);
      return { what: 'remove session', method: 'DELETE', path: '/v1/sessions', call, status: 204, effects, again: 401 };
    },
  },
  addUser: {
    any: () => {
      const user_name = newUserName();
      const effects = (items: readonly Item[]) => (userNamed(items, user_name) === undefined ? 0 : 1);
      const call = { body: { user_name, role: 'Viewer' } };
      return { what: 'add user', method: 'POST', path: '/v1/users', call, status: 201, effects, again: 409 };
    },
  },
  listUsers: {
    any: async (inventory) => read('users', '/v1/users', { shows: [(await newUser(inventory)).user_name] }),
  },
  changeUser: {
    role: async (inventory) => {
      const body = { role: 'Editor' };
      return renewal(inventory, { what: 'change user', method: 'PATCH', of: '', body });
    },
  },
  removeUser: {
    any: async (inventory) => {
      const { user_name: name } = await newUser(inventory);
      const effects = (items: readonly Item[]) => (userNamed(items, name) === undefined ? 1 : 0);
      return { ...remove('remove user', `/v1/users/${name}`), effects };
    },
  },
  inviteUser: {
    any: (inventory) => renewal(inventory, { what: 'invite user', method: 'POST', of: '/invite', body: {} }),
  },
  addRoleBinding: {
    any: () => {
      const body = newBinding();
      const effects = (items: readonly Item[]) => (bindingNamed(items, body.name) === undefined ? 0 : 1);
      const path = '/v1/role-bindings';
      return { what: 'add role binding', method: 'POST', path, call: { body }, status: 201, effects, again: 409 };
    },
  },
  listRoleBindings: {
    any: async (inventory) =>
      read('role bindings', '/v1/role-bindings?page_size=1000', { shows: [await addBinding(inventory)] }),
  },
  getRoleBinding: {
    any: async (inventory) => {
      const name = await addBinding(inventory);
      return read('role binding', `/v1/role-bindings/${name}`, { shows: [name] });
    },
  },
  previewRoleBindings: {
    any: async (inventory) => {
      const body = { provider: 'github', claims: {} };
      return {
        ...read('preview', '/v1/role-bindings/preview', { shows: [await addBinding(inventory)], call: { body } }),
        method: 'POST',
      };
    },
  },
  changeRoleBinding: {
    role: async (inventory) => {
      const name = await addBinding(inventory);
      const revision = (items: readonly Item[]) => Number(bindingNamed(items, name)?.['revision']);
      return {
        what: 'change role binding',
        method: 'PATCH',
        path: `/v1/role-bindings/${name}`,
        call: { body: { role: 'Editor' } },
        status: 200,
        effects: (after, before) => revision(after) - revision(before),
        again: 200,
      };
    },
  },
  removeRoleBinding: {
    any: async (inventory) => {
      const name = await addBinding(inventory);
      const effects = (items: readonly Item[]) => (bindingNamed(items, name) === undefined ? 1 : 0);
      return { ...remove('remove role binding', `/v1/role-bindings/${name}`), effects };
    },
  },
  addSilence: {
    any: () => {
      const body = newSilence();
      const effects = (items: readonly Item[]) => items.filter((item) => item['selector'] === body.selector).length;
      return {
        what: 'silence',
        method: 'POST',
        path: '/v1/silences',
        call: { body },
        status: 201,
        effects,
        again: 201,
      };
    },
  },
  listSilences: {
    any: async (inventory) => read('silences', '/v1/silences', { shows: [await addSilence(inventory)] }),
  },
  removeSilence: {
    any: async (inventory) => {
      const id = await addSilence(inventory);
      const isThere = (items: readonly Item[]) => items.some(({ sk }) => sk === `SILENCE#${id}`);
      return { ...remove('end silence', `/v1/silences/${id}`), effects: (items) => (isThere(items) ? 0 : 1) };
    },
  },
  addSavedFilter: {
    any: () => {
      const body = newFilter();
      const effects = (items: readonly Item[]) => (filterNamed(items, body.name) === undefined ? 0 : 1);
      const path = '/v1/saved-filters';
      return { what: 'add saved filter', method: 'POST', path, call: { body }, status: 201, effects, again: 409 };
    },
  },
  listSavedFilters: {
    any: async (inventory) =>
      read('saved filters', '/v1/saved-filters', { shows: [(await addFilter(inventory)).saved_filter_id] }),
  },
  changeSavedFilter: {
    name: async (inventory) => {
      const { saved_filter_id: id, revision } = await addFilter(inventory);
      const body = { name: uniqueName('filter') };
      return {
        what: 'change saved filter',
        method: 'PATCH',
        path: `/v1/saved-filters/${id}`,
        call: { body },
        status: 200,
        effects: (items) => Number(filterNamed(items, body.name)?.['revision'] ?? revision) - revision,
        again: 200,
      };
    },
  },
  removeSavedFilter: {
    any: async (inventory) => {
      const { saved_filter_id: id, name } = await addFilter(inventory);
      const effects = (items: readonly Item[]) => (filterNamed(items, name) === undefined ? 1 : 0);
      return { ...remove('remove saved filter', `/v1/saved-filters/${id}`), effects };
    },
  },
  endUserSessions: {
    any: (inventory) => renewal(inventory, { what: 'end sessions of user', method: 'DELETE', of: '/sessions' }),
  },
  authorizeDevice: {
    any: () => {
      const client_name = `program-${randomUUID()}`;
      const effects = (items: readonly Item[]) => items.filter((item) => item['client_name'] === client_name).length;
      const call = { as: null, body: { client_name } };
      const path = '/v1/device-authorizations';
      return { what: 'authorize device', method: 'POST', path, call, status: 201, effects, again: 201 };
    },
  },
  answerDevice: {
    approve: async (inventory) => {
      const { client_name, approval: call } = await newDevice(inventory);
      const effects = (items: readonly Item[]) => (deviceNamed(items, client_name)?.['state'] === 'approved' ? 1 : 0);
      const path = '/v1/device-authorizations/answer';
      return { what: 'approve device', method: 'POST', path, call, status: 200, effects, again: 400 };
    },
  },
  logIn: {
    'by device': async (inventory) => {
      const { client_name, device_code, approval } = await newDevice(inventory);
      await must(inventory, 'POST', '/v1/device-authorizations/answer', approval);
      const effects = (items: readonly Item[]) => sessionsOfDevice(items, client_name);
      const call = { as: null, body: { method: 'device', device_code } };
      // The code works once: a device without the reply asks the person again.
      return { what: 'log in by device', method: 'POST', path: '/v1/logins', call, status: 201, effects, again: 401 };
    },
    'by invitation': async (inventory) => {
      const body = { ...(await newUser(inventory)), method: 'invitation', new_password: PASSWORD };
      // The invitation works once: a client without the reply logs in by the password that it has set.
      return logInCase('accept invitation', body, 401);
    },
    'by token': async (inventory) => {
      const sub = `program-${randomUUID()}`;
      const body = { name: sub, provider: 'cluster', claims: { sub: [sub] }, role: 'Viewer' };
      await must(inventory, 'POST', '/v1/role-bindings', { body });
      const token = await clusterToken({ sub });
      const effects = (items: readonly Item[]) => keysNamed(items, `cluster/${sub}`);
      const call = { as: null, body: { method: 'jwt', provider: 'cluster', token } };
      // The token works once: a program without the reply gets another one from its platform.
      return { what: 'log in by token', method: 'POST', path: '/v1/logins', call, status: 201, effects, again: 401 };
    },
    'by password': async (inventory) => {
      const { user_name, invitation } = await newUser(inventory);
      const accepted = { method: 'invitation', user_name, invitation, new_password: PASSWORD };
      await must(inventory, 'POST', '/v1/logins', { as: null, body: accepted });
      return logInCase('log in by password', { method: 'password', user_name, password: PASSWORD }, 201);
    },
  },
};

/** The path of a simple read, with the ids of new objects. */
async function pathIn(inventory: Inventory, path: string): Promise<string> {
  if (!path.includes('{')) return path;
  const { nodeId: node_id, pmmAgentId: agent_id } = await addHost(inventory);
  const { service_id } = await addService(inventory);
  return pathOf(path, { node_id, service_id, agent_id });
}

/** @throws Error for an endpoint without a call, which has to be added. */
function callsOf(endpoint: Endpoint): readonly Prepare[] {
  const ownCalls = calls[endpoint.id as keyof typeof calls];
  if (ownCalls !== undefined) return Object.values(ownCalls);
  if (simpleReads.includes(endpoint))
    return [async (inventory) => read(endpoint.id, await pathIn(inventory, endpoint.path))];
  throw new Error(`${endpoint.id} has no call: add one to \`calls\` in tests/faults/calls.ts`);
}

/** The endpoints that need no table. */
export const withoutTable: ReadonlySet<string> = new Set(['getVersion', 'listLogInMethods']);

/** All calls of the other endpoints. */
export const preparations: readonly Prepare[] = endpoints.filter(({ id }) => !withoutTable.has(id)).flatMap(callsOf);
