import { clusterToken, testProviders } from '../support/identity-providers.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { writeWaitingRefusals } from '../../functions/store/audit/refusals.ts';
import { feedTime, forgetFeedTime } from '../../functions/store/history/feed-time.ts';
import { changeShardPartition, changesFrom, FIRST_CHANGE_SHARDS } from '../../functions/store/table/keys.ts';
import * as z from 'zod/mini';
import { newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import type { Table } from '../../shared/db/table.ts';
import { hashApiKeySecret } from '../../shared/auth/api-key-text.ts';
import type { Caller } from '../../functions/contract/caller.ts';
import { putChanges } from '../support/changes.ts';
import { ADMIN_PASSWORD, type Inventory, MISSING_NODE_ID, startInventory } from '../support/inventory.ts';
import { pathOf } from '../support/is-simple-read.ts';
import { simpleReads } from '../support/simple-reads.ts';
import { type Cost, costs } from './costs.ts';
import { logIn } from '../support/log-in.ts';
import { eventOf, openInvocations, ACCOUNT_VERSION, type Request } from './invocation.ts';
import { isWrite, meter, type TableCall } from './meter.ts';
import { indexesAreBuilt } from '../support/indexes.ts';
import { measureOpamp } from './measured-opamp.ts';
import { measurePeople } from './measured-people.ts';
import { settingsFor } from '../support/oidc-log-in.ts';
import { startOidcServer } from '../support/oidc-server.ts';
import { measureStates } from './measured-states.ts';
import { TEST_TIME, testTime } from '../support/test-time.ts';

/** Ends a look ahead: with later changes in the table, every change after it would ask the table for the time first. */
async function backToPresent({ clock, table: { client, name }, table }: Inventory): Promise<void> {
  clock.now = undefined;
  for (let shard = 0; shard < FIRST_CHANGE_SHARDS; shard += 1) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'pk = :pk AND sk > :now',
        ExpressionAttributeValues: { ':pk': changeShardPartition(shard), ':now': changesFrom(TEST_TIME) },
      }),
    );
    for (const { pk, sk } of Items) await client.send(new DeleteCommand({ TableName: name, Key: { pk, sk } }));
  }
  await knowFeedTime(table);
}

/** As in a process that has made a change before. */
async function knowFeedTime(table: Table): Promise<void> {
  forgetFeedTime(table);
  await feedTime(table, testTime());
}

/** A cost with the calls that it comes from. */
export interface CostMeasurement extends Cost {
  made: readonly TableCall[];
}

/** Number of nodes in the table besides the requests' own; every seventh has a region. */
const OTHER_NODES = 250;

/** Number of nodes of the rare type. */
const RARE_NODES = 3;

function costOf(of: { function: string; request: string }, made: readonly TableCall[]): CostMeasurement {
  const units = (calls: readonly TableCall[]) => calls.reduce((sum, call) => sum + call.units, 0);
  return {
    ...of,
    calls: made.map(({ operation }) => operation),
    steps: Math.max(0, ...made.map(({ step }) => step)),
    readUnits: units(made.filter((call) => !isWrite(call))),
    writeUnits: units(made.filter(isWrite)),
    refusedUnits: made.reduce((sum, { refusedUnits }) => sum + refusedUnits, 0),
    made,
  };
}

type Ask = (id: string, request: string, call: Request, caller?: Caller) => Promise<any>;

/** The costs of the endpoints of users. */
async function measureUsers(ask: Ask): Promise<void> {
  const user_name = 'maria';
  const password = 'a quiet long sentence';
  const logIn = (request: string, body: object) =>
    ask('logIn', request, { method: 'POST', url: '/v1/logins', body: { user_name, ...body } });
  const { invitation } = await ask('addUser', 'a user', {
    method: 'POST',
    url: '/v1/users',
    body: { user_name, role: 'Editor' },
  });
  await logIn('an invitation', { method: 'invitation', invitation, new_password: password });
  await logIn('a password', { method: 'password', password });
  await ask('listUsers', '100 (1 there)', { method: 'GET', url: '/v1/users' });
  const url = `/v1/users/${user_name}`;
  await ask('changeUser', 'its role', { method: 'PATCH', url, body: { role: 'Viewer' } });
  await ask('endUserSessions', 'a user', { method: 'DELETE', url: `${url}/sessions` });
  await ask('inviteUser', 'a user', { method: 'POST', url: `${url}/invite`, body: {} });
  await ask('removeUser', 'a user', { method: 'DELETE', url });
}

/** The costs of the log-in of a device. */
async function measureDevices(ask: Ask, person: Caller): Promise<void> {
  const body = { client_name: 'inventory on build-7' };
  const codes = await ask('authorizeDevice', 'a device', { method: 'POST', url: '/v1/device-authorizations', body });
  const { device_code, user_code } = codes;
  const answer = { user_code, answer: 'approve' };
  const url = '/v1/device-authorizations/answer';
  await ask('answerDevice', 'approve', { method: 'POST', url, body: answer }, person);
  const proof = { method: 'device', device_code };
  await ask('logIn', 'a device that was approved', { method: 'POST', url: '/v1/logins', body: proof });
}

/** The costs of the endpoints of silences. */
async function measureSilences(ask: Ask): Promise<void> {
  const [url, body] = ['/v1/silences', { selector: 'cluster=cluster-1', reason: 'Upgrade', time_to_live: '8h' }];
  const { silence_id: id } = await ask('addSilence', 'a cluster', { method: 'POST', url, body });
  await ask('listSilences', '100 (1 there)', { method: 'GET', url });
  await ask('removeSilence', 'a silence', { method: 'DELETE', url: `${url}/${id}` });
}

/** The costs of the endpoints of saved filters. */
async function measureFilters(ask: Ask): Promise<void> {
  const [url, body] = ['/v1/saved-filters', { name: 'Offline', list: 'nodes', parameters: { state: 'offline' } }];
  const { saved_filter_id: id } = await ask('addSavedFilter', 'of a person', { method: 'POST', url, body });
  await ask('listSavedFilters', '150 (1 there)', { method: 'GET', url });
  await ask('changeSavedFilter', 'another name', { method: 'PATCH', url: `${url}/${id}`, body: { name: 'Lost' } });
  await ask('changeSavedFilter', 'a pin', { method: 'PATCH', url: `${url}/${id}`, body: { pinned: true } });
  await ask('removeSavedFilter', 'a pinned one', { method: 'DELETE', url: `${url}/${id}` });
}

/** The costs of the endpoints of role bindings. */
async function measureBindings(ask: Ask): Promise<void> {
  const provider = 'github';
  const body = { name: 'deployments', provider, claims: { repository_id: ['74129'] }, role: 'Editor' };
  await ask('addRoleBinding', 'a binding', { method: 'POST', url: '/v1/role-bindings', body });
  await ask('listRoleBindings', '100 (1 there)', { method: 'GET', url: '/v1/role-bindings' });
  const url = '/v1/role-bindings/deployments';
  await ask('getRoleBinding', 'a binding', { method: 'GET', url });
  const identity = { provider, claims: { repository_id: '74129' } };
  await ask('previewRoleBindings', 'of one binding', {
    method: 'POST',
    url: '/v1/role-bindings/preview',
    body: identity,
  });
  const program = { name: 'programs', provider: 'cluster', claims: { sub: ['program'] }, role: 'Editor' };
  await ask('addRoleBinding', 'another', { method: 'POST', url: '/v1/role-bindings', body: program });
  const token = { method: 'jwt', provider: 'cluster', token: await clusterToken({ sub: 'program' }) };
  await ask('logIn', 'the token of a program', { method: 'POST', url: '/v1/logins', body: token });
  await ask('changeRoleBinding', 'its role', { method: 'PATCH', url, body: { role: 'Viewer' } });
  await ask('removeRoleBinding', 'a binding', { method: 'DELETE', url });
}

/**
 * Makes one request of every kind, each to a function of its own as Lambda would call it, and counts what it does at the
 * table. Names and values are of fixed lengths, so every run counts the same.
 */
export async function measureCosts(): Promise<CostMeasurement[]> {
  let count: ReturnType<typeof meter> | undefined;
  const provider = await startOidcServer({ backChannelLogoutUri: 'http://127.0.0.1:1/', time: testTime() });
  const inventory = await startInventory({
    identityProviders: [...testProviders, await settingsFor(provider)],
    table: (table) => {
      count = meter(table);
      return table;
    },
  });
  const { dependencies, keys } = inventory;
  await knowFeedTime(inventory.table);
  await indexesAreBuilt(inventory.table);
  const { invoke, authorise } = await openInvocations(dependencies);
  const measured: CostMeasurement[] = [];

  /** Ends the seconds in which a refusal waits for its write, and writes it. */
  const passSeconds = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      inventory.passing.advance(1001);
      await writeWaitingRefusals(dependencies, 60_000);
    }
    // The clock of the time of day has not moved.
    await knowFeedTime(inventory.table);
  };

  const during = async (of: { function: string; request: string }, work: () => Promise<unknown>) => {
    if (count === undefined) throw new Error('nothing counts the calls');
    measured.push(costOf(of, await count.during(work)));
  };

  /** One request, measured. Resolves to the body. */
  const askText = async (id: string, request: string, sent: Request, caller?: Caller): Promise<string> => {
    const event = eventOf(sent, caller);
    let reply: APIGatewayProxyResult | undefined;
    await during({ function: id, request }, async () => (reply = await invoke(id, event)));
    if (reply === undefined || (id !== 'catchAll' && reply.statusCode >= 400))
      throw new Error(`${id}, ${request}: ${reply?.body ?? 'no reply'}`);
    return reply.body;
  };

  /** The same. Resolves to the parsed body; undefined for metrics, which are no JSON. */
  const ask = async (...of: Parameters<typeof askText>): Promise<any> => {
    const body = await askText(...of);
    return body === '' || body.startsWith('#') ? undefined : JSON.parse(body);
  };

  /** One request that only prepares another. */
  const add = async (path: string, body: object): Promise<any> => {
    const reply = await inventory.request('POST', path, { body });
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body;
  };

  const enter = async (
    request: string,
    authorization: string | undefined,
    isIn: boolean,
    call: Partial<Request> = {},
  ) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const event = eventOf({ method: 'GET', url: '/v1/version', ...call, headers });
    await during({ function: 'authorizer', request }, async () => {
      if ((await authorise(event)) !== isIn) throw new Error(`${request}: expected ${isIn ? 'entry' : 'refusal'}`);
    });
  };

  try {
    await enter('a key, first use in five minutes', `Bearer ${keys.Viewer}`, true);
    await enter('a key', `Bearer ${keys.Viewer}`, true);
    const ofHost = { method: 'POST', url: `/v1/agents/${MISSING_NODE_ID}/report` };
    await inventory.request('GET', '/v1/caller', { as: 'Registrar' });
    inventory.clock.now = testTime(3_600_000);
    await enter('a host that reports, first use in five minutes', `Bearer ${keys.Registrar}`, true, ofHost);
    inventory.clock.now = undefined;
    await enter('a user with a password', `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`, true);
    const { body: loggedIn } = await logIn(inventory);
    await enter('a session, first use in five minutes', `Bearer ${loggedIn.key}`, true);
    await enter('a session', `Bearer ${loggedIn.key}`, true);
    await inventory.request('DELETE', `/v1/sessions/${loggedIn.session_id}`);
    const unknown = `Bearer ${newApiKeySecret(randomBytes)}`;
    await enter('a key that nobody has', unknown, false);
    await enter('a key that nobody has, again in the same second', unknown, false);
    // The second one is written when its second is over, and the next when another is.
    await passSeconds(2);
    await enter('a malformed key', 'Bearer minv_0000', false);
    await enter('no credentials', undefined, false);

    await ask('getVersion', 'any', { method: 'GET', url: '/v1/version' });
    await ask('getReadiness', 'any', { method: 'GET', url: '/v1/readyz' });
    await ask('getCaller', 'any', { method: 'GET', url: '/v1/caller' });
    await ask('catchAll', 'an unknown path', { method: 'GET', url: '/v1/unknown' });

    // Nodes
    const generic = (name: string) => ({ node_type: 'generic', node_name: name, address: '10.0.0.1' });
    const node = await ask('addNode', 'a node', { method: 'POST', url: '/v1/nodes', body: generic('db-000001') });
    const cloud = { node_type: 'container', region: 'eu-central-1', container_id: 'container-1' };
    const cloudNode = await ask('addNode', 'with region and container id', {
      method: 'POST',
      url: '/v1/nodes',
      body: { ...cloud, node_name: 'db-000002', address: '10.0.0.2' },
    });
    await ask('addNode', 'with three labels', {
      method: 'POST',
      url: '/v1/nodes',
      body: { ...generic('db-000006'), custom_labels: { env: 'prod', owner: 'dba', rack: 'r7' } },
    });
    const others = Array.from({ length: OTHER_NODES }, (_, index) => {
      const number = String(index).padStart(6, '0');
      const region = index % 7 === 0 ? { region: 'us-east-1', address: `host-${number}` } : {};
      const custom_labels = { team: `team-${index % 25}`, half: index % 2 === 0 ? 'even' : 'odd' };
      return { ...generic(`other-${number}`), ...region, custom_labels };
    });
    // All at once they would wait for the processor until their time is over.
    while (others.length > 0) await Promise.all(others.splice(0, 25).map((other) => add('/v1/nodes', other)));
    for (let index = 0; index < RARE_NODES; index += 1)
      await add('/v1/nodes', { node_type: 'remote', node_name: `other-1${index}`, address: 'rare' });
    const tenNames = Array.from({ length: 10 }, (_, index) => `other-00001${index}`);
    const nodeUrl = `/v1/nodes/${node.node_id}`;
    await ask('getNode', 'a node', { method: 'GET', url: nodeUrl });
    const list = async (request: string, query: string) =>
      ask('listNodes', request, { method: 'GET', url: `/v1/nodes?${query}` });
    await ask(
      'getNode',
      'a node, with a key that has a rate limit',
      { method: 'GET', url: nodeUrl },
      { kind: 'api_key', keyId: 'k', name: 'n', role: 'Viewer', ratePerMinute: 10 },
    );
    // A process reads the secret of page tokens once, whatever it lists first.
    const { next_page_token: second } = await list('100, first page of a process', 'page_size=100');
    await list('100', 'page_size=100');
    await list('100, with their states', 'page_size=100&include=state');
    const { next_page_token: third } = await list('100, second page', `page_size=100&page_token=${second}`);
    await list('100, last page (56 of them)', `page_size=100&page_token=${third}`);
    await list('100 of a type that 3 have', 'node_type=remote');
    await list('100 of a name prefix that 10 have', 'name_prefix=other-00012');
    await list('100 of a region that 36 have', 'region=us-east-1');
    const select = (request: string, selector: string, more = '') =>
      list(request, `selector=${encodeURIComponent(selector)}${more}`);
    await select('selector: a label that 10 have', 'team=team-3');
    await select('selector: an attribute that 36 have', 'region=us-east-1');
    await select('selector: a label that 10 have and one that 125 have', 'team=team-3,half=even');
    await select('selector: a label that 125 have and an attribute that 36 have', 'half=even,region=us-east-1');
    await select('selector: a label with one of 3 values, 30 have them', 'team in (team-1,team-2,team-3)');
    await select('selector: a value that nobody has', 'team=none');
    await select('selector: a name', 'node_name=other-000001');
    await select('selector: 10 names', `node_name in (${tenNames.join()})`);
    await select('selector: only what is not wanted, 1,000 looked at (256 there)', '!rare', '&page_size=1000');
    await select('selector: a label with any value, 100 of 256', 'team');
    await list('updated since a time, 256 looked at, none matches', 'updated_since=2999-01-01T00:00:00Z');
    await list('100, two fields of each', 'fields=node_name,address');
    const label = { custom_labels: { team: 'dba' } };
    await ask('changeNode', 'a label', { method: 'PATCH', url: nodeUrl, body: label });
    await ask('changeNode', 'the value of a label', {
      method: 'PATCH',
      url: nodeUrl,
      body: { custom_labels: { team: 'sre' } },
    });
    await ask('changeNode', 'nothing new', { method: 'PATCH', url: nodeUrl, body: { address: '10.0.0.1' } });
    await ask('changeNode', 'what nothing is looked up by', { method: 'PATCH', url: nodeUrl, body: { distro: 'x' } });
    await ask('changeNode', 'the address in a region', {
      method: 'PATCH',
      url: `/v1/nodes/${cloudNode.node_id}`,
      body: { address: '10.0.0.3' },
    });
    const headers = { 'Idempotency-Key': 'a-key' };
    const keyed = { method: 'POST', url: '/v1/nodes', headers, body: generic('db-000020') };
    await ask('addNode', 'with an Idempotency-Key', keyed);
    await ask('addNode', 'with an Idempotency-Key, again', keyed);
    const upsertNode = (request: string, more: object = {}) =>
      ask('upsertNode', request, {
        method: 'PUT',
        url: '/v1/nodes/by-name/db-000021',
        body: { node_type: 'generic', address: '10.0.0.1', ...more },
      });
    await upsertNode('added');
    await upsertNode('unchanged');
    await upsertNode('changed, a label', label);

    // Services
    const mysql = { service_type: 'mysql', address: '10.0.0.1', port: 3306 };
    const addService = (request: string, body: object) =>
      ask('addService', request, { method: 'POST', url: '/v1/services', body: { ...mysql, ...body } });
    await addService('on no node', { service_name: 'mysql-000000' });
    const service = await addService('on one node', { service_name: 'mysql-000001', node_ids: [node.node_id] });
    const nodes = await Promise.all(
      ['db-000003', 'db-000004', 'db-000005'].map((name) => add('/v1/nodes', generic(name))),
    );
    await addService('on three nodes, in a cluster', {
      service_name: 'mysql-000003',
      cluster: 'cluster-1',
      node_ids: nodes.map(({ node_id: id }) => id),
    });
    const serviceUrl = `/v1/services/${service.service_id}`;
    await ask('getService', 'a service', { method: 'GET', url: serviceUrl });
    for (const [request, query] of [
      ['100 (3 there)', ''],
      ['100 (3 there), with their states', '?include=state'],
      ['100 of a type', '?service_type=mysql'],
      ['100 of a cluster', '?cluster=cluster-1'],
      ['100 of a node', `?node_id=${node.node_id}`],
      ['selector: those of a node in a cluster', `?node_id=${node.node_id}&selector=cluster%3Dcluster-1`],
    ] as const)
      await ask('listServices', request, { method: 'GET', url: `/v1/services${query}` });
    await ask('getClusterStates', 'a service on three nodes', { method: 'GET', url: '/v1/clusters/cluster-1/states' });
    await ask('getSummary', 'a new one', { method: 'GET', url: '/v1/summary' });
    await ask('getSummary', 'kept', { method: 'GET', url: '/v1/summary' });
    await measureSilences(ask);
    await measureFilters(ask);
    const isOther = (id: string) =>
      !measured.some((cost) => cost.function === id) &&
      !costs.some((cost) => cost.function === id && cost.request !== 'any');
    for (const { id, path } of simpleReads)
      if (!path.includes('{') && isOther(id)) await ask(id, 'any', { method: 'GET', url: path });
    const change = (request: string, body: object) =>
      ask('changeService', request, { method: 'PATCH', url: serviceUrl, body });
    await change('a label', label);
    await change('one node more', { node_ids: [node.node_id, cloudNode.node_id] });

    const upsertService = (request: string, more: object) =>
      ask('upsertService', request, {
        method: 'PUT',
        url: '/v1/services/by-name/mysql-000021',
        body: { ...mysql, ...more },
      });
    const [here, there] = nodes.map(({ node_id: id }): string => id);
    await upsertService('added, on one node', { node_ids: [here] });
    await upsertService('unchanged', { node_ids: [here] });
    await upsertService('changed, a label', { node_ids: [here], ...label });
    await upsertService('moved to another node', { node_ids: [there], ...label });

    // Agents
    const addAgent = (request: string, body: object) =>
      ask('addAgent', request, { method: 'POST', url: '/v1/agents', body });
    const process = await addAgent('a pmm_agent', { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
    const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: process.agent_id };
    const agent = await addAgent('under a pmm_agent, with a service as target', {
      ...exporter,
      insights: { service_ids: [service.service_id] },
    });
    await addAgent('on no node, with a service as target', {
      agent_type: 'external_exporter',
      listen_port: 9100,
      insights: { service_ids: [service.service_id] },
    });
    const agentUrl = `/v1/agents/${agent.agent_id}`;
    await ask('getAgent', 'an agent', { method: 'GET', url: agentUrl });
    const ids = { node_id: node.node_id, service_id: service.service_id, agent_id: agent.agent_id };
    for (const { id, path } of simpleReads)
      if (isOther(id)) await ask(id, 'any', { method: 'GET', url: pathOf(path, ids) });
    for (const [request, query] of [
      ['100 (3 there)', ''],
      ['100 (3 there), with their states', '?include=state'],
      ['100 of a type', '?agent_type=mysqld_exporter'],
      ['100 that run on a node', `?runs_on_node_id=${node.node_id}`],
      ['100 under a pmm_agent', `?pmm_agent_id=${process.agent_id}`],
      ['100 with insight into a service', `?service_id=${service.service_id}`],
      ['region: 36 nodes have it', '?region=us-east-1'],
      ['cluster: no agent watches its services', '?cluster=cluster-1'],
      ['selector: a label that none has', '?selector=team%3Ddba'],
    ] as const)
      await ask('listAgents', request, { method: 'GET', url: `/v1/agents${query}` });
    const discover = (request: string, query: string) =>
      ask('discoverTargets', request, { method: 'GET', url: `/v1/discovery/prometheus${query}` });
    await discover('an exporter on a node and one of a service', '');
    await discover('of one type that one has', '?selector=agent_type=external_exporter');
    const report = (request: string, status: string, more: object = {}) =>
      ask('reportAgents', request, {
        method: 'POST',
        url: `/v1/agents/${process.agent_id}/report`,
        body: { agents: [{ agent_id: agent.agent_id, status }], ...more },
      });
    // Half of stale_after before the next reports.
    inventory.clock.now = testTime(-360_000);
    await report('the first one', 'starting');
    await report('what it said last', 'starting');
    await report('what it said last, with the digest of its targets', 'starting', { with_targets_hash: true });
    inventory.clock.now = undefined;
    await report('what it said last, after half of stale_after', 'starting');
    await report('another status', 'running');
    const withPort = [{ agent_id: agent.agent_id, status: 'running', listen_port: 42001 }];
    await inventory.request('POST', `/v1/agents/${process.agent_id}/report`, { body: { agents: withPort } });
    await discover('of a node with a service and an exporter', `?node=${node.node_id}`);
    const hosts = (agents: readonly string[]) => ({
      method: 'POST',
      url: '/v1/reports',
      body: { reports: agents.map((id) => ({ pmm_agent_id: id, agents: [] })) },
    });
    await ask('takeReports', 'of a host without news', hosts([process.agent_id]));
    inventory.clock.now = testTime(360_000);
    await ask('takeReports', 'of a host without news, after half of stale_after', hosts([process.agent_id]));
    inventory.clock.now = undefined;
    const authorization = `Bearer ${inventory.keys.Editor}`;
    const admission = { pmm_agent_id: process.agent_id, authorization, source_ip: '10.0.0.1' };
    // The first use of the key is recorded before.
    await inventory.request('GET', '/v1/version', { as: 'Editor' });
    await ask('admitAgents', 'a host with one agent and its service', {
      method: 'POST',
      url: '/v1/gateway/admissions',
      body: { admissions: [admission] },
    });
    // The heartbeats of all nodes are read for it, some 12 kB here, and nothing else of what is not in this state.
    for (const [id, kind] of [
      ['listNodes', 'nodes'],
      ['listServices', 'services'],
      ['listAgents', 'agents'],
    ] as const)
      await ask(id, 'of a state that one node is in', { method: 'GET', url: `/v1/${kind}?state=live` });
    await ask('listNodes', 'of a state that no node is in', { method: 'GET', url: '/v1/nodes?state=offline' });
    const changeAgent = (request: string, body: object) =>
      ask('changeAgent', request, { method: 'PATCH', url: agentUrl, body });
    await changeAgent('disabled', { disabled: true });
    await changeAgent('its targets', { insights: { service_ids: [] } });
    const history = (id: string, request: string, url: string) =>
      ask(id, request, { method: 'GET', url: `${url}/history` });
    await history('listNodeHistory', 'a page of 5', nodeUrl);
    await history('listServiceHistory', 'a page of 3', serviceUrl);
    await history('listAgentHistory', 'a page of 3', agentUrl);
    const before = `/v1/as-of/node/${node.node_id}?time=${new Date(0).toISOString()}`;
    await ask('getObjectAsOf', 'back over 4 changes', { method: 'GET', url: before });
    const changes = (request: string, query: string) =>
      ask('listChanges', request, { method: 'GET', url: `/v1/changes?${query}` });
    // Which of the partitions a change goes to is chance: these are spread evenly.
    const hour = TEST_TIME + 3_600_000;
    const moments = async (seconds: number) => {
      inventory.clock.now = new Date(hour + seconds * 1000);
      return (await inventory.request('GET', '/v1/changes?since=now')).body.next;
    };
    const cursor = await moments(20);
    await putChanges(inventory.table, { many: 120, start: hour + 1000 });
    const { next: after } = await changes('100 of the last moments', `limit=100&since=${cursor}`);
    const end = (await inventory.request('GET', `/v1/changes?since=${after}`)).body.next;
    await changes('a cursor for now', 'since=now');
    await changes('nothing new, 120 in the last moments', `since=${end}`);
    const later = await moments(3600);
    await changes('nothing new', `since=${later}`);
    await changes('100 older than 20 seconds', `limit=100&since=${cursor}`);
    await backToPresent(inventory);
    const audit = (request: string, query: string) =>
      ask('listAudit', request, { method: 'GET', url: `/v1/audit${query}` });
    await audit('the newest 3', '?page_size=3');
    await audit('one thing that is done to keys', '?event=api_key.added');
    await audit('one kind of refusal', '?event=api_key.refused');
    const viewer: Caller = { kind: 'api_key', keyId: 'k', name: 'n', role: 'Viewer' };
    for (const request of ['refused to a Viewer', 'refused again in the same second'])
      await during({ function: 'listAudit', request }, () =>
        invoke('listAudit', eventOf({ method: 'GET', url: '/v1/audit' }, viewer)),
      );
    // What waits is written in its own time, not in that of another request.
    await passSeconds(1);
    const declared = { ...exporter, insights: { service_ids: [service.service_id] } };
    const upsertAgent = (request: string, more: object = {}) =>
      ask('upsertAgent', request, { method: 'PUT', url: '/v1/agents/by-key', body: { ...declared, ...more } });
    // What is measured next has its own agents only.
    const forget = ({ agent_id: id }: { agent_id: string }) => inventory.request('DELETE', `/v1/agents/${id}`);
    await upsertAgent('added, under a pmm_agent, with a service as target');
    await upsertAgent('unchanged');
    await forget(await upsertAgent('changed', { disabled: true }));
    await add('/v1/agents', declared);
    await forget(await upsertAgent('unchanged, added by POST'));

    // Removals, from the leaves up
    const remove = (id: string, request: string, url: string) => ask(id, request, { method: 'DELETE', url });
    await remove('removeAgent', 'a leaf', agentUrl);
    const lone = await add('/v1/services', { ...mysql, service_name: 'mysql-000009', node_ids: [node.node_id] });
    await remove('removeService', 'a leaf', `/v1/services/${lone.service_id}`);
    const leaf = await add('/v1/nodes', generic('db-000009'));
    await remove('removeNode', 'a leaf', `/v1/nodes/${leaf.node_id}`);
    await add('/v1/agents', exporter);
    await remove('removeAgent', 'with force, a pmm_agent with one agent', `/v1/agents/${process.agent_id}?force=true`);
    await remove('removeService', 'with force, one with one agent', `${serviceUrl}?force=true`);
    const last = await add('/v1/services', { ...mysql, service_name: 'mysql-000010', node_ids: [node.node_id] });
    await add('/v1/agents', {
      agent_type: 'external_exporter',
      listen_port: 9100,
      insights: { service_ids: [last.service_id] },
    });
    await remove('removeNode', 'with force, one with a service that has an agent', `${nodeUrl}?force=true`);

    // What was removed
    const { removals } = await ask('listRemoved', '100 (8 there)', { method: 'GET', url: '/v1/removed' });
    const restore = (request: string, { removal_id: id }: { removal_id: string }) =>
      ask('restoreRemoved', request, { method: 'POST', url: `/v1/removed/${id}/restore` });
    await restore('a node with a service that has an agent', removals[0]);
    const cleanUp = (request: string, body: object) =>
      ask('cleanUp', request, { method: 'POST', url: '/v1/cleanup', body });
    await cleanUp('nothing is due (260 nodes)', {});
    const gone = await add('/v1/nodes', { ...generic('db-000040'), lifetime: 'ephemeral', remove_after: '30m' });
    await add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: gone.node_id });
    inventory.clock.now = testTime(31 * 60_000);
    await cleanUp('a node with its agent process is due, rehearsed', { dry_run: true });
    await cleanUp('a node with its agent process is due', {});
    await backToPresent(inventory);

    // Many at once
    const brandNew = generic('db-000030');
    const batched = { ...mysql, service_name: 'mysql-000031' };
    const pair = (verb: string, body: object, service: object) => [
      { op: `${verb}Node`, ref: 'n', body },
      { op: `${verb}Service`, body: { ...service, node_ids: ['$n'] } },
    ];
    const run = (request: string, operations: object[], atomic = false) =>
      ask('runBatch', request, { method: 'POST', url: '/v1/batch', body: { operations, atomic } });
    await run('a node and a service on it', pair('add', brandNew, batched));
    await run('the same, declared', pair('upsert', brandNew, batched));
    await run('the same, declared, all or none', pair('upsert', brandNew, batched), true);
    const together = [generic('db-000034'), { ...mysql, service_name: 'mysql-000034' }] as const;
    const all = await run('a node and a service on it, all or none', pair('add', ...together), true);
    const [{ id: nodeId }, { id: serviceId }] = all.results;
    const parts = [
      { op: 'removeService', id: serviceId },
      { op: 'removeNode', id: nodeId },
    ];
    await run('both removed, all or none', parts, true);
    const lines = async (request: string, url: string) => {
      const text = await askText('exportInventory', request, { method: 'GET', url });
      return JSON.parse(text.trim().split('\n').at(-1)!);
    };
    const { next_page_token: next } = await lines('100, first page', '/v1/export?page_size=100');
    await lines('100, second page', `/v1/export?page_size=100&page_token=${next}`);
    const brought = (number: string) => {
      const [nodeId, serviceId] = [randomUUID(), randomUUID()];
      return [
        { kind: 'node', object: { ...generic(`db-${number}`), node_id: nodeId } },
        {
          kind: 'service',
          object: { ...mysql, service_name: `mysql-${number}`, service_id: serviceId, node_ids: [nodeId] },
        },
      ];
    };
    const bring = (request: string, objects: object[], query = '') =>
      ask('importInventory', request, { method: 'POST', url: `/v1/import${query}`, lines: objects });
    const objects = brought('000032');
    await bring('a node and a service on it', objects);
    await bring('the same again', objects);
    await bring('a node and a service on it, rehearsed', brought('000033'), '?dry_run=true');

    const custom_labels = { team: 'shop' };
    const instances = (...numbers: string[]) => ({
      scope: { selector: 'team=shop' },
      max_removals_percent: 100,
      desired: {
        nodes: numbers.map((number) => ({ ...generic(`db-${number}`), custom_labels })),
        services: numbers.map((number) => ({
          ...mysql,
          service_name: `mysql-${number}`,
          node_names: [`db-${number}`],
          custom_labels,
        })),
        agents: numbers.flatMap((number) => [
          { agent_type: 'pmm_agent', runs_on_node_name: `db-${number}` },
          {
            agent_type: 'mysqld_exporter',
            runs_on_node_name: `db-${number}`,
            insights: { service_names: [`mysql-${number}`] },
          },
        ]),
      },
    });
    const reconcile = (request: string, body: object) =>
      ask('reconcile', request, { method: 'POST', url: '/v1/reconcile', body });
    await reconcile('one instance (4 objects) to add, applied', { ...instances('000041'), mode: 'apply' });
    await reconcile('nothing to do in one instance', { ...instances('000041'), mode: 'apply' });
    const planned = await reconcile('one instance to replace, planned', instances('000042'));
    await ask('getReconciliation', 'a plan', { method: 'GET', url: `/v1/reconcile/${planned.plan_id}` });
    const other = await invoke(
      'reconcile',
      eventOf({ method: 'POST', url: '/v1/reconcile', body: instances('000043') }),
    );
    const { plan_id: otherId } = z.parse(z.object({ plan_id: z.string() }), JSON.parse(other.body));
    await ask('cancelReconciliation', 'a plan', { method: 'POST', url: `/v1/reconcile/${otherId}/cancel` });
    await reconcile('one instance to replace, the plan applied', { plan_id: planned.plan_id, mode: 'apply' });

    // Keys and sessions
    const key = await ask('addApiKey', 'a key', {
      method: 'POST',
      url: '/v1/api-keys',
      body: { name: 'terraform', role: 'Editor' },
    });
    await ask('listApiKeys', '100 (7 there)', { method: 'GET', url: '/v1/api-keys' });
    const rotate = { method: 'POST', body: { overlap: '1h' } };
    const rotatedKey = await add('/v1/api-keys', { name: 'ansible1', role: 'Editor' });
    const rotated = await ask('rotateApiKey', 'a key', { ...rotate, url: `/v1/api-keys/${rotatedKey.key_id}/rotate` });
    await ask(
      'rotateOwnApiKey',
      'the key that calls',
      { ...rotate, url: '/v1/caller/rotate' },
      {
        kind: 'api_key',
        keyId: rotatedKey.key_id,
        name: 'ansible1',
        role: 'Editor',
        secretDigest: hashApiKeySecret(rotated.key),
      },
    );
    await ask('changeApiKey', 'its rate limit', {
      method: 'PATCH',
      url: `/v1/api-keys/${key.key_id}`,
      body: { rate_limit_per_minute: 600 },
    });
    await ask('removeApiKey', 'a key', { method: 'DELETE', url: `/v1/api-keys/${key.key_id}` });
    const token = {
      method: 'POST',
      url: '/v1/enrolment-tokens',
      body: { name: 'hosts', allowed_addresses: ['10.0.0.0/8', '*'] },
    };
    const first = await ask('addEnrolmentToken', 'a token', token);
    await ask('listEnrolmentTokens', '100 (1 there)', { method: 'GET', url: token.url });
    await ask('removeEnrolmentToken', 'a token', { method: 'DELETE', url: `${token.url}/${first.token_id}` });
    const enrolment = await add(token.url, token.body);
    const host = await ask('enrolNode', 'a new node', {
      method: 'POST',
      url: '/v1/enrolment',
      body: { token: enrolment.token, node: generic('db-000010') },
    });
    const { node_id: scope } = host.node;
    const registrar: Caller = { kind: 'api_key', keyId: 'k', name: 'n', role: 'Registrar', scope };
    const ours = await add('/v1/services', { ...mysql, service_name: 'mysql-000011', node_ids: [scope] });
    await ask(
      'addAgent',
      'by a Registrar, with a service as target',
      {
        method: 'POST',
        url: '/v1/agents',
        body: {
          agent_type: 'external_exporter',
          listen_port: 9100,
          runs_on_node_id: scope,
          insights: { service_ids: [ours.service_id] },
        },
      },
      registrar,
    );
    const session = await ask('addSession', 'a session', { method: 'POST', url: '/v1/sessions' });
    const { session_id: keyId, name, role } = session;
    const secretDigest = hashApiKeySecret(session.key);
    await ask('listSessions', '100 (1 there)', { method: 'GET', url: '/v1/sessions' });
    const ofSession = { kind: 'session', keyId, name, role, secretDigest, accountVersion: ACCOUNT_VERSION } as const;
    const expiresAt = Math.floor(Date.parse(session.expires_at) / 1000);
    await measureDevices(ask, { ...ofSession, expiresAt });
    const { body: another } = await logIn(inventory);
    await ask('endSession', 'a session', { method: 'DELETE', url: `/v1/sessions/${another.session_id}` });
    await ask('removeSession', 'the session that calls', { method: 'DELETE', url: '/v1/sessions' }, ofSession);
    await measureUsers(ask);
    await measureBindings(ask);
    await measurePeople(inventory, provider, askText);
    await measureStates(inventory, during);
    await measureOpamp(inventory, askText);
    return measured;
  } finally {
    await Promise.all([inventory.stop(), provider.stop()]);
  }
}
