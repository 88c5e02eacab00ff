import { runSimulation } from '@cloud-copilot/iam-simulate';
import { createAuthorizer } from '../../functions/triggers/authorizer/handler.ts';
import { cleanUpOnSchedule } from '../../functions/triggers/scheduled-cleanup/handler.ts';
import { publishStatesOnSchedule } from '../../functions/triggers/state-events/handler.ts';
import { endpoints } from '../../functions/api/endpoints.ts';
import { continueReconciliation } from '../../functions/triggers/continue-jobs/reconciliation.ts';
import { facades } from '../../functions/facades.ts';
import { noteProgress } from '../../functions/store/jobs/reconciliations.ts';
import {
  ensureObjectsKey,
  OBJECTS_KEY,
  removeObjectsKey,
} from '../../functions/triggers/deployment/objects-key/objects-key.ts';
import { setUpWithSecret } from '../../functions/runtime/initialise-table.ts';
import { heartbeatKey, indexes, tableKey } from '../../functions/store/table/keys.ts';
import { loadFunctions } from '../../local/gateway/functions.ts';
import { createGateway } from '../../local/gateway/gateway.ts';
import { createPasswordCheck } from '../../local/login/password-check.ts';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mediaTypes } from '../../shared/core/format.ts';
import { linesToList, toLines } from '../../shared/http/lines.ts';
import { pathOf } from '../../tests/support/is-simple-read.ts';
import { simpleReads } from '../../tests/support/simple-reads.ts';
import { BACK_CHANNEL_LOGOUT_PATH } from '../../functions/identity/log-out/contract.ts';
import { clusterToken, testProviders } from '../../tests/support/identity-providers.ts';
import { FORM, formWith, logOutClaims } from '../../tests/support/log-out-receiver.ts';
import { authorized, settingsFor } from '../../tests/support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../../tests/support/oidc-server.ts';
import { ADMIN_PASSWORD, type Inventory, startInventory } from '../../tests/support/inventory.ts';
import { ACCOUNT, ResolvedPolicies, type RolePolicy } from '../permissions/resolved-policies.ts';
import { sheetTemplate } from '../synthesis/route-sheet.ts';
import { grantsOf, resourceAt, roleOf } from '../synthesis/synthesise.ts';
import { testTime } from '../../tests/support/test-time.ts';

// This test calls the endpoints in all ways, and a simulator of IAM decides every call that a function makes to the table
// by the policies of its role.

/** With the facade that has separate rights; the others have those of endpoints. */
const watchedContracts = [...endpoints, ...facades.filter(({ partitions }) => partitions !== undefined)];

interface TableAccess {
  action: string;
  /** The index of a query, if any. */
  index: string | undefined;
  /** Partition keys of all items of the call; undefined for a call without keys. */
  partitions: string[] | undefined;
  /** The attributes in the call; undefined for a call about whole items. */
  attributes: string[] | undefined;
  /** The ReturnValues of a write. */
  returnValues: string | undefined;
}

const WORDS =
  /^(SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN|if_not_exists|list_append|attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size)$/;

/** The top-level attributes in an expression. */
function namedIn(expression: string | undefined, names: Record<string, string> | undefined): string[] {
  const words = (expression ?? '').match(/(?<![.\w:#])[#A-Za-z_][\w]*/g) ?? [];
  return words.filter((word) => !WORDS.test(word)).map((word) => names?.[word] ?? word);
}

/** The attributes of the item, or of its key, and those of every expression. */
function attributesOf({ Item, Key, UpdateExpression, ConditionExpression, ExpressionAttributeNames: names }: any) {
  const inExpressions = [UpdateExpression, ConditionExpression].flatMap((expression) => namedIn(expression, names));
  return [...new Set([...Object.keys(Item ?? Key), ...inExpressions])];
}

const partitionOf = (of: any): string => of[tableKey.partitionKey];

/** The partition of a query: the value to which its condition compares the partition key. */
function queried({
  IndexName,
  KeyConditionExpression,
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: any): string {
  const index = Object.values(indexes).find(({ name }) => name === IndexName) ?? tableKey;
  const [, name = '', value = ''] = /^([#\w]+) = (:\w+)/.exec(KeyConditionExpression) ?? [];
  expect(ExpressionAttributeNames?.[name] ?? name).toBe(index.partitionKey);
  return ExpressionAttributeValues[value];
}

function callsOf(command: { constructor: { name: string }; input: any }): TableAccess[] {
  const { input } = command;
  const access = (action: string, ...partitions: string[]): TableAccess[] => [
    { action, index: input.IndexName, partitions, attributes: undefined, returnValues: undefined },
  ];
  const write = (action: string, of: any): TableAccess[] => [
    {
      action,
      index: undefined,
      partitions: [partitionOf(of.Key ?? of.Item)],
      attributes: attributesOf(of),
      returnValues: action === 'ConditionCheckItem' ? undefined : (of.ReturnValues ?? 'NONE'),
    },
  ];
  switch (command.constructor.name) {
    case 'GetCommand':
      return access('GetItem', partitionOf(input.Key));
    case 'PutCommand':
      return write('PutItem', input);
    case 'UpdateCommand':
      return write('UpdateItem', input);
    case 'DeleteCommand':
      return write('DeleteItem', input);
    case 'QueryCommand':
      return access('Query', queried(input));
    case 'BatchGetCommand':
      return access(
        'BatchGetItem',
        ...Object.values<any>(input.RequestItems).flatMap(({ Keys }) => Keys.map(partitionOf)),
      );
    case 'TransactWriteCommand':
      return input.TransactItems.flatMap((item: any) => {
        const [[kind, of]] = Object.entries<any>(item) as [[string, any]];
        return write(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, of);
      });
    default:
      throw new Error(`a call that no permission is known for: ${command.constructor.name}`);
  }
}

const template = sheetTemplate();
const policies = new ResolvedPolicies(template);
const tableArn = policies.arnOf(resourceAt(template, 'Table/Resource').id);

const decisions = new Map<string, Promise<boolean>>();

/** Whether IAM allows the call to a role with these policies. Many roles have equal ones: the simulator decides each case once. */
function isAllowed(call: TableAccess, identityPolicies: RolePolicy[]): Promise<boolean> {
  const key = JSON.stringify([call, identityPolicies.map(({ policy }) => policy)]);
  const decision = decisions.get(key) ?? simulate(call, identityPolicies);
  decisions.set(key, decision);
  return decision;
}

async function simulate(call: TableAccess, identityPolicies: RolePolicy[]): Promise<boolean> {
  const context = {
    'dynamodb:LeadingKeys': call.partitions,
    'dynamodb:Attributes': call.attributes,
    'dynamodb:ReturnValues': call.returnValues,
  };
  const present = Object.entries(context).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  const resource = call.index === undefined ? tableArn : `${tableArn}/index/${call.index}`;
  const outcome = await runSimulation(
    {
      request: {
        principal: `arn:aws:sts::${ACCOUNT}:assumed-role/function/instance`,
        action: `dynamodb:${call.action}`,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: Object.fromEntries(present),
      },
      identityPolicies,
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (outcome.resultType !== 'single') throw new Error(JSON.stringify(outcome));
  // The conditions are about keys that DynamoDB provides for this action.
  expect([call.action, outcome.result.ignoredContextKeys]).toEqual([call.action, []]);
  return outcome.overallResult === 'Allowed';
}

/** The policies of each function, resolved once. */
const resolved = new Map<string, RolePolicy[]>();

function policiesAt(path: string): RolePolicy[] {
  const rolePolicies = resolved.get(path) ?? policies.of(roleOf(template, path));
  resolved.set(path, rolePolicies);
  return rolePolicies;
}

let inventory: Inventory;
const seen = new Map<string, TableAccess[]>();

/** The dependencies of one function: its calls to the table are recorded under its name. */
function watched(id: string) {
  const { client, name } = inventory.table;
  const calls: TableAccess[] = [];
  seen.set(id, calls);
  const send = (command: any) => {
    calls.push(...callsOf(command));
    return client.send(command);
  };
  return { ...inventory.dependencies, table: { name, client: { send } as never } };
}

/** The heartbeat of a node as a version wrote it that had other default timers. */
async function forgetDefaults(nodeId: string): Promise<void> {
  const { client, name: TableName } = inventory.table;
  const UpdateExpression = 'REMOVE defaults';
  await client.send(new UpdateCommand({ TableName, Key: heartbeatKey(nodeId), UpdateExpression }));
}

/** Calls every endpoint in all ways that use the table differently. */
async function work(
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>,
): Promise<void> {
  const address = { address: '10.0.0.1' };
  const container = { node_type: 'container', container_id: 'c1', region: 'r', ...address };
  const { node_id: node } = await call('POST', '/v1/nodes', { node_name: 'n1', ...container });
  const { node_id: other } = await call('POST', '/v1/nodes', { node_type: 'generic', node_name: 'n2', ...address });
  const where = { ...address, port: 3306, cluster: 'c', environment: 'e' };
  const service = { service_type: 'mysql', ...where };
  const s1 = await call('POST', '/v1/services', { service_name: 's1', ...service, node_ids: [node, other] });
  const s2 = await call('POST', '/v1/services', { service_name: 's2', ...service, node_ids: [node] });
  const { agent_id: host } = await call('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node });
  const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: host };
  const { agent_id: agent } = await call('POST', '/v1/agents', {
    ...exporter,
    insights: { service_ids: [s1.service_id] },
  });

  for (const status of ['starting', 'starting', 'running'])
    await call('POST', `/v1/agents/${host}/report`, { agents: [{ agent_id: agent, status }] });
  // Of several hosts, without news, with a status that is impossible, and after an upgrade that changed default timers.
  const said = (status: string) => [{ pmm_agent_id: host, agents: [{ agent_id: agent, status }] }];
  for (const status of ['running', 'running', 'starting', 'waiting'])
    await call('POST', '/v1/reports', { reports: said(status) });
  await forgetDefaults(node);
  await call('POST', '/v1/reports', { reports: said('waiting') });
  const presented = { pmm_agent_id: host, authorization: `Bearer ${inventory.keys.Editor}`, source_ip: '10.0.0.1' };
  await call('POST', '/v1/gateway/admissions', { admissions: [presented] });
  await forgetDefaults(node);
  await call('POST', `/v1/agents/${host}/report`, { agents: [{ agent_id: agent, status: 'starting' }] });
  await call('PATCH', `/v1/nodes/${node}`, { custom_labels: { a: 'b' } });
  await call('PATCH', `/v1/services/${s1.service_id}`, { cluster: 'c2', node_ids: [other] });
  await call('PATCH', `/v1/agents/${agent}`, { disabled: true, insights: { service_ids: [s2.service_id] } });

  for (const node_ids of [[other], [other], []])
    await call('PUT', '/v1/services/by-name/s3', { service_type: 'mysql', ...where, node_ids });
  for (const az of ['a', 'a', 'b'])
    await call('PUT', '/v1/nodes/by-name/n3', { node_type: 'generic', region: 'r3', az, ...address });
  // Found by its edges at first, then by its key.
  for (const username of ['u', 'u', 'v'])
    await call('PUT', '/v1/agents/by-key', { ...exporter, username, insights: { service_ids: [s2.service_id] } });
  const once = (key: string) => ({ 'Idempotency-Key': key });
  for (const key of ['n4', 'n4'])
    await call('POST', '/v1/nodes', { node_type: 'generic', node_name: key, ...address }, once(key));
  for (const key of ['s4', 's4']) await call('POST', '/v1/services', { service_name: key, ...service }, once(key));
  const process = { agent_type: 'pmm_agent', runs_on_node_id: other };
  const { agent_id: shortLived } = await call('POST', '/v1/agents', process, once('a4'));
  await call('POST', '/v1/agents', process, once('a4'));
  const under = { agent_type: 'vm_agent', pmm_agent_id: shortLived };
  await call('POST', '/v1/agents', under, once('a5'));
  await call('DELETE', `/v1/agents/${shortLived}?force=true`);
  // Its pmm_agent was removed, so the idempotency record is read.
  await call('POST', '/v1/agents', under, once('a5'));

  for (const path of [`nodes/${node}`, `services/${s1.service_id}`, `agents/${agent}`])
    await call('GET', `/v1/${path}`);
  const pages = ['nodes?include=state', 'nodes?node_type=generic', 'nodes?region=r', 'services?include=state'];
  const relations = [
    'services?service_type=mysql',
    'services?cluster=c',
    `services?node_id=${node}`,
    `agents?service_id=${s2.service_id}`,
  ];
  for (const list of [...pages, ...relations, 'agents?include=state', `agents?pmm_agent_id=${host}`, 'api-keys']) {
    const first = await call('GET', `/v1/${list}${list.includes('?') ? '&' : '?'}page_size=1`);
    if (first.next_page_token !== undefined)
      await call(
        'GET',
        `/v1/${list}${list.includes('?') ? '&' : '?'}page_size=1&page_token=${encodeURIComponent(first.next_page_token)}`,
      );
  }
  const batched = { node_type: 'generic', region: 'r5', ...address };
  const ids = { node_id: node, service_id: s1.service_id, agent_id: agent };
  for (const { path } of simpleReads) await call('GET', pathOf(path, ids));
  await call('GET', '/v1/clusters/c/states');
  const additions = [
    { op: 'addNode', ref: 'n', body: { node_name: 'n5', ...batched } },
    { op: 'addService', ref: 's', body: { service_name: 's5', ...service, node_ids: ['$n'] } },
    { op: 'addAgent', ref: 'a', body: { agent_type: 'pmm_agent', runs_on_node_id: '$n' } },
  ];
  const changes = [
    { op: 'changeNode', id: '$n', body: { region: 'r6' } },
    { op: 'changeService', id: '$s', body: { node_ids: [] } },
    { op: 'changeAgent', id: '$a', body: { disabled: true } },
    { op: 'removeAgent', id: '$a' },
    { op: 'removeService', id: '$s', force: true },
    { op: 'removeNode', id: '$n' },
  ];
  await call('POST', '/v1/batch', { operations: [...additions, ...changes] });
  await call('POST', '/v1/batch', { atomic: true, operations: additions });
  const pageOfAll = await call('GET', '/v1/export?page_size=3');
  const { next_page_token: rest } = pageOfAll.at(-1);
  const all = [...pageOfAll, ...(await call('GET', `/v1/export?page_token=${encodeURIComponent(rest)}`))];
  const brought = {
    kind: 'node',
    object: { node_id: '00000000-0000-4000-8000-000000000006', node_name: 'n6', ...batched, address: 'b' },
  };
  const changed = all.map((line: any) =>
    line.kind === 'node' ? { ...line, object: { ...line.object, custom_labels: { brought: 'x' } } } : line,
  );
  const lines = toLines([brought, ...changed]);
  for (const dryRun of [true, false])
    await call('POST', `/v1/import?dry_run=${dryRun}`, lines, { 'Content-Type': mediaTypes.ndjson });

  for (const path of [`nodes/${node}`, `services/${s1.service_id}`, `agents/${agent}`])
    await call('GET', `/v1/${path}/history`);
  await call('GET', `/v1/as-of/node/${node}?time=${new Date(0).toISOString()}`);
  await call('GET', '/v1/changes');
  const desiredIn = (az: string) => ({
    scope: { selector: 'team=desired' },
    max_removals_percent: 100,
    desired: {
      nodes: [{ node_name: 'n7', ...batched, region: az, az, custom_labels: { team: 'desired' } }],
      services: [{ ...service, service_name: 's7', node_names: ['n7'], custom_labels: { team: 'desired' } }],
      agents: [
        { agent_type: 'pmm_agent', runs_on_node_name: 'n7' },
        { agent_type: 'mysqld_exporter', runs_on_node_name: 'n7', insights: { service_names: ['s7'] } },
      ],
    },
  });
  await call('POST', '/v1/reconcile', { ...desiredIn('z'), mode: 'apply' });
  const withoutAgents = { ...desiredIn('y').desired, agents: [] };
  const plan = await call('POST', '/v1/reconcile', { ...desiredIn('y'), desired: withoutAgents });
  await call('GET', `/v1/reconcile/${plan.plan_id}`);
  await call('POST', '/v1/reconcile', { plan_id: plan.plan_id, mode: 'apply' });
  await call('POST', `/v1/reconcile/${plan.plan_id}/cancel`);

  const { next_page_token: more } = await call('GET', '/v1/audit?page_size=1');
  await call('GET', `/v1/audit?page_size=1&page_token=${encodeURIComponent(more)}`);
  for (const path of ['discovery/prometheus', 'readyz', 'version', 'caller']) await call('GET', `/v1/${path}`);

  const { key_id: key } = await call('POST', '/v1/api-keys', { name: 'k', role: 'Admin' });
  await call('POST', `/v1/api-keys/${key}/rotate`, { overlap: '1h' });
  await call('PATCH', `/v1/api-keys/${key}`, { rate_limit_per_minute: 5 });
  await call('POST', `/v1/api-keys/${key}/rotate`, { overlap: '0s' });
  await call('DELETE', `/v1/api-keys/${key}`);
  const tokens = '/v1/enrolment-tokens';
  const { token_id: unused } = await call('POST', tokens, { name: 't' });
  await call('GET', `${tokens}?page_size=1`);
  await call('DELETE', `${tokens}/${unused}`);
  const { token } = await call('POST', tokens, { name: 't', allowed_addresses: ['10.0.0.0/8'] });
  const newHost = {
    node_type: 'container',
    container_id: 'c2',
    region: 'r',
    address: '10.0.0.2',
    node_name: 'enrolled',
  };
  await call('POST', '/v1/enrolment', { token, node: newHost });
  const { token: again } = await call('POST', tokens, { name: 't', node_name: 'enrolled' });
  await call('POST', '/v1/enrolment', { token: again, node: newHost });
  await call('DELETE', `/v1/agents/${agent}`);
  await call('DELETE', `/v1/services/${s1.service_id}`);
  // More than one transaction: the removal needs several steps.
  const another = { op: 'addAgent', body: { ...exporter, insights: { service_ids: [s2.service_id] } } };
  await call('POST', '/v1/batch', { operations: Array.from({ length: 40 }, () => another) });
  await call('DELETE', `/v1/nodes/${node}?force=true`);
  await call('DELETE', `/v1/nodes/${other}`);
  await call('POST', '/v1/cleanup', { dry_run: true });
  for (const query of ['', '?page_size=1']) await call('GET', `/v1/removed${query}`);
  const [{ removal_id: last }] = (await call('GET', '/v1/removed?page_size=1')).removals;
  await call('POST', `/v1/removed/${last}/restore`);
  for (const kind of ['nodes', 'services', 'agents'])
    for (const state of ['live', 'never_seen']) await call('GET', `/v1/${kind}?state=${state}`);
}

/** A node with its agent process. */
async function host(call: (method: string, path: string, body: unknown) => Promise<any>, name: string, more: object) {
  const body = { node_type: 'generic', node_name: name, address: '10.0.0.9', ...more };
  const { node_id: node } = await call('POST', '/v1/nodes', body);
  const process = { agent_type: 'pmm_agent', runs_on_node_id: node };
  const { agent_id: pmmAgent } = await call('POST', '/v1/agents', process);
  return { node, pmmAgent };
}

/** A job whose request was interrupted before its first step, and its continuation from the table's stream. */
async function interruptedJob(): Promise<void> {
  const node = { node_name: 'n8', node_type: 'generic', address: 'c', region: 'r8', custom_labels: { team: 'jobs' } };
  const desired = { nodes: [node], agents: [{ agent_type: 'pmm_agent', runs_on_node_name: 'n8' }] };
  const { body } = await inventory.request('POST', '/v1/reconcile', {
    body: { scope: { selector: 'team=jobs' }, desired },
  });
  const progress = { total: 2, done: 0, failed: 0, failures: [] };
  await noteProgress(inventory.table, body.plan_id, { ...progress, state: 'applying' });
  await continueReconciliation(watched('continueJobs'), body.plan_id);
  const { body: job } = await inventory.request('GET', `/v1/reconcile/${body.plan_id}`);
  expect(job).toMatchObject({ state: 'done', progress: { total: 2, done: 2, failed: 0 } });
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>;

/** The calls of Grafana by which clients of PMM make keys. */
async function clientOfPmm(call: Ask): Promise<void> {
  const grafana = (method: string, path: string, body?: unknown) => call(method, `/graph/api/${path}`, body);
  const key = await grafana('POST', 'auth/keys', { name: 'operator', role: 'Admin', secondsToLive: 60 });
  await grafana('GET', 'auth/keys');
  await grafana('DELETE', `auth/keys/${key.id}`);
  const { id } = await grafana('POST', 'serviceaccounts', { name: 'operator', role: 'Admin' });
  await grafana('GET', 'serviceaccounts/search');
  await grafana('PATCH', `serviceaccounts/${id}`, {});
  const { id: token } = await grafana('POST', `serviceaccounts/${id}/tokens`, { name: 'first' });
  await grafana('DELETE', `serviceaccounts/${id}/tokens/${token}`);
  await grafana('POST', `serviceaccounts/${id}/tokens`, { name: 'second' });
  await grafana('GET', `serviceaccounts/${id}/tokens`);
  await grafana('DELETE', `serviceaccounts/${id}`);
}

/**
 * Refused calls, for each function that counts them: by role or kind of caller, by enrolment token, by the authorizer.
 */
async function refusals(callAs: (authorization: string) => Ask, worker: string, user: Ask): Promise<void> {
  const refused = async (asked: Promise<any>, status: number) =>
    expect(await asked.catch(String)).toMatch(new RegExp(`: ${status} `));
  const { node_id: id } = await user('POST', '/v1/nodes', { node_type: 'generic', node_name: 'n', address: 'a' });
  const { token } = await user('POST', '/v1/enrolment-tokens', { name: 't', node_name: 'other' });
  const node = { node_type: 'generic', node_name: 'x', address: 'a' };
  await refused(user('POST', '/v1/enrolment', { token, node }), 403);
  for (const { method, path, role, lowerRole, callers } of endpoints) {
    if (role === 'none' || role === 'Viewer') continue;
    // The role of its body is refused with a valid one only.
    const body =
      lowerRole === undefined ? {} : { mode: 'apply', scope: { name_prefix: 'x' }, desired: { nodes: [node] } };
    const asked = callAs(`Bearer ${inventory.keys.Viewer}`)(method, path.replaceAll(/\{[^}]+\}/g, id), body);
    await refused(asked, callers === undefined ? 403 : 401);
  }
  await refused(callAs(`Bearer ${worker}`)('POST', '/v1/sessions'), 403);
  await refused(callAs(`Bearer ${worker}x`)('GET', '/v1/nodes'), 401);
}

/** A user is invited, logs in, changes credentials in its own session, and is removed. */
async function usersWork(callAs: (authorization: string) => Ask, admin: Ask): Promise<void> {
  const user_name = 'maria';
  const { invitation } = await admin('POST', '/v1/users', { user_name, role: 'Admin' });
  const [first, second] = ['a quiet long sentence', 'another long sentence'];
  await admin('POST', '/v1/logins', { method: 'invitation', user_name, invitation, new_password: first });
  await admin('POST', '/v1/logins', { method: 'password', user_name, password: first, new_password: second });
  const { key } = await admin('POST', '/v1/logins', { method: 'password', user_name, password: second });
  const asUser = callAs(`Bearer ${key}`);
  await asUser(
    'DELETE',
    `/v1/enrolment-tokens/${(await asUser('POST', '/v1/enrolment-tokens', { name: 't' })).token_id}`,
  );
  for (const size of [1, 100]) await asUser('GET', `/v1/users?page_size=${size}`);
  await expect(admin('POST', '/v1/logins', { method: 'password', user_name, password: 'x' })).rejects.toThrow('401');
  await admin('DELETE', `/v1/users/${user_name}/sessions`);
  await admin('PATCH', `/v1/users/${user_name}`, { role: 'Viewer' });
  await admin('POST', `/v1/users/${user_name}/invite`, {});
  await admin('DELETE', `/v1/users/${user_name}`);
}

/** A program and a host present tokens, one of which was used. */
async function programsWork(admin: Ask): Promise<void> {
  const logIn = async (token: string) => admin('POST', '/v1/logins', { method: 'jwt', provider: 'cluster', token });
  const binding = { provider: 'cluster', claims: { sub: ['program'] }, role: 'Editor' };
  await admin('POST', '/v1/role-bindings', { ...binding, name: 'program' });
  await admin('POST', '/v1/role-bindings', { ...binding, name: 'host', claims: { sub: ['host'] }, role: 'Registrar' });
  const { session_id: id } = await logIn(await clusterToken({ sub: 'program' }));
  await logIn(await clusterToken({ sub: 'host' }));
  await expect(logIn(await clusterToken({ sub: 'nobody' }))).rejects.toThrow('401');
  await admin('DELETE', `/v1/api-keys/${id}`);
}

/** Two devices ask, and a person approves one and denies the other. */
async function devicesWork(callAs: (authorization: string) => Ask, admin: Ask): Promise<void> {
  const asAdmin = callAs(`Bearer ${(await admin('POST', '/v1/sessions')).key}`);
  for (const answer of ['approve', 'deny']) {
    const asked = await admin('POST', '/v1/device-authorizations', { client_name: 'a program' });
    const poll = () => admin('POST', '/v1/logins', { method: 'device', device_code: asked.device_code });
    await expect(poll()).rejects.toThrow('400');
    const path = '/v1/device-authorizations/answer';
    await asAdmin('POST', path, { user_code: asked.user_code });
    await asAdmin('POST', path, { user_code: asked.user_code, answer });
    if (answer === 'deny') await expect(poll()).rejects.toThrow('400');
    else await admin('DELETE', `/v1/sessions/${(await poll()).session_id}`);
  }
}

/** A person logs in by a provider, renews the session, and is logged out there: once by the session, once by name. */
async function peopleWork(call: Ask, provider: OidcServer): Promise<void> {
  await call('POST', '/v1/role-bindings', {
    ...{ name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' },
  });
  for (const by of ['sid', 'sub'] as const) {
    const { key } = await call('POST', '/v1/logins', (await authorized(provider)).body);
    await call('POST', '/v1/logins', { method: 'session', key });
    const of = by === 'sid' ? { sid: provider.lastSid } : { sub: provider.person };
    const form = formWith(await provider.sign(logOutClaims(of)));
    await call('POST', BACK_CHANNEL_LOGOUT_PATH, form, FORM);
    await expect(call('POST', BACK_CHANNEL_LOGOUT_PATH, form, FORM)).rejects.toThrow('400');
  }
}

/** A role binding is added, read, tried, changed and removed. */
async function bindingsWork(admin: Ask): Promise<void> {
  const claims = { repository_id: ['1'] };
  await admin('POST', '/v1/role-bindings', { name: 'b', provider: 'github', claims, role: 'Viewer' });
  for (const size of [1, 100]) await admin('GET', `/v1/role-bindings?page_size=${size}`);
  await admin('GET', '/v1/role-bindings/b');
  await admin('POST', '/v1/role-bindings/preview', { provider: 'github', claims: { repository_id: '1' } });
  await admin('PATCH', '/v1/role-bindings/b', { role: 'Editor' });
  await admin('DELETE', '/v1/role-bindings/b');
}

/** A silence is added, read and removed. */
async function silencesWork(ask: Ask): Promise<void> {
  const body = { selector: 'cluster=c', reason: 'Upgrade', time_to_live: '1h' };
  const { silence_id: id } = await ask('POST', '/v1/silences', body);
  await ask('GET', '/v1/silences');
  await ask('DELETE', `/v1/silences/${id}`);
}

/** A saved filter is added, read, changed, pinned and removed; a shared one becomes private. */
async function filtersWork(ask: Ask): Promise<void> {
  const body = { name: 'f', list: 'nodes', parameters: { state: 'offline' }, shared: true };
  const { saved_filter_id: id } = await ask('POST', '/v1/saved-filters', body);
  await ask('GET', '/v1/saved-filters');
  for (const change of [{ parameters: { region: 'r' } }, { pinned: true, shared: false }])
    await ask('PATCH', `/v1/saved-filters/${id}`, change);
  await ask('DELETE', `/v1/saved-filters/${id}`);
}

/** Deployments make the key of objects, which saves a filter of its own, replace it after a rotation, and remove it. */
async function objectsKeyWorks(callAs: (authorization: string) => Ask, admin: Ask): Promise<void> {
  const services = watched('objectsKey');
  let text = 'a generated password';
  const secret = {
    read: () => Promise.resolve({ text }),
    write: (made: string) => Promise.resolve(void (text = made)),
  };
  await ensureObjectsKey(services, secret);
  await callAs(`Bearer ${text}`)('POST', '/v1/saved-filters', {
    name: 'f',
    list: 'nodes',
    parameters: { region: 'r' },
  });
  const { api_keys: keys } = await admin('GET', '/v1/api-keys');
  const { key_id: id } = keys.find(({ name }: any) => name === OBJECTS_KEY);
  await admin('POST', `/v1/api-keys/${id}/rotate`, { overlap: '1h' });
  await ensureObjectsKey(services, secret);
  await removeObjectsKey(services);
}

beforeAll(async () => {
  const provider = await startOidcServer({ backChannelLogoutUri: 'http://127.0.0.1:1/', time: testTime() });
  inventory = await startInventory({ identityProviders: [...testProviders, await settingsFor(provider)] });
  const handlers = await Promise.all(
    watchedContracts.map(async ({ id }) => [id, (await loadFunctions(watched(id))).handlers.get(id)!] as const),
  );
  const authorizerServices = watched('authorizer');
  const gateway = createGateway({
    ...(await loadFunctions(inventory.dependencies)),
    handlers: new Map(handlers),
    authorizer: createAuthorizer(() => authorizerServices, createPasswordCheck()),
  });
  const callAs =
    (authorization: string) =>
    async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const { statusCode, body: bytes } = await gateway({
        method,
        url: path,
        rawHeaders: Object.entries({
          ...{ Authorization: authorization, 'Content-Type': 'application/json' },
          ...headers,
        }).flat(),
        body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
        sourceIp: '127.0.0.1',
      });
      const reply = bytes.toString();
      // Also for a part of a request that failed.
      if (statusCode >= 300 || reply.includes('"error"')) throw new Error(`${method} ${path}: ${statusCode} ${reply}`);
      if (reply === '') return undefined;
      if (path === '/v1/metrics') return undefined;
      return JSON.parse(path.startsWith('/v1/export') ? linesToList(reply) : reply);
    };
  // With a rate limit, so that every function counts.
  const limited = { name: 'limited', role: 'Admin', rate_limit_per_minute: 10_000 };
  const { key: worker } = await callAs(`Bearer ${inventory.keys.Admin}`)('POST', '/v1/api-keys', limited);
  await work(callAs(`Bearer ${worker}`));
  const { key: rotating } = await callAs(`Bearer ${worker}`)('POST', '/v1/api-keys', { ...limited, name: 'rotating' });
  const { key: rotated } = await callAs(`Bearer ${rotating}`)('POST', '/v1/caller/rotate', { overlap: '1h' });
  for (const text of [rotating, rotated]) await callAs(`Bearer ${text}`)('GET', '/v1/caller');
  const user = callAs(`Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`);
  await refusals(callAs, worker, user);
  await clientOfPmm(user);
  const [session, another] = [await user('POST', '/v1/sessions'), await user('POST', '/v1/sessions')];
  for (const size of [1, 100]) await callAs(`Bearer ${session.key}`)('GET', `/v1/sessions?page_size=${size}`);
  await user('DELETE', `/v1/sessions/${another.session_id}`);
  await callAs(`Bearer ${session.key}`)('DELETE', '/v1/sessions');
  await usersWork(callAs, user);
  await bindingsWork(user);
  await silencesWork(user);
  await filtersWork(user);
  await devicesWork(callAs, user);
  await programsWork(user);
  await peopleWork(user, provider);
  await provider.stop();
  await interruptedJob();
  await objectsKeyWorks(callAs, user);
  await setUpWithSecret(watched('setUp'), 'arn:secret');
  // Last, because the clock advances until hosts count as gone and the worker's key expires.
  const admin = callAs(`Bearer ${inventory.keys.Admin}`);
  const ephemeral = { lifetime: 'ephemeral', remove_after: '1h' };
  const hosts = [];
  for (let index = 0; index < 12; index += 1) {
    hosts.push(await host(admin, `gone-${index}`, index < 2 ? ephemeral : {}));
  }
  const [first, second] = hosts;
  inventory.clock.now = testTime(2 * 3_600_000);
  await admin('POST', `/v1/agents/${second!.pmmAgent}/report`, { agents: [] });
  await admin('POST', `/v1/agents/${hosts[2]!.pmmAgent}/report`, { agents: [] });
  const { removed } = await admin('POST', '/v1/cleanup', {});
  expect(removed).toMatchObject([{ node_id: first!.node }]);
  inventory.clock.now = testTime(4 * 3_600_000);
  await cleanUpOnSchedule(watched('scheduledCleanup'))();
  await publishStatesOnSchedule(watched('stateEvents'))();
  expect((await admin('GET', '/v1/changes?kinds=state')).changes).not.toEqual([]);
  await expect(admin('GET', `/v1/nodes/${second!.node}`)).rejects.toThrow('404');
});
afterAll(() => inventory.stop());

const isOpenWithoutTable = (id: string) =>
  endpoints.some((endpoint) => endpoint.id === id && endpoint.role === 'none' && endpoint.access === 'none');

const paths = [
  ...watchedContracts.map(({ id }) => `Functions/${id}`),
  'Functions/authorizer',
  'FirstAccess/setUp',
  'ObjectsKey/objectsKey',
  'Jobs/continueJobs',
  'Cleanup/scheduledCleanup',
  'StateEvents/stateEvents',
];

test.each(paths.map((path) => [path.split('/')[1]!, path]))(
  '%s may do to the table all that it does',
  async (id, path) => {
    const statements = grantsOf(template, path);
    const calls = seen.get(id)!;
    const different = [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
    const allowed = await Promise.all(different.map((call) => isAllowed(call, policiesAt(path))));
    expect(different.filter((_, index) => !allowed[index])).toEqual([]);
    // It has the role of functions that count the requests of callers, and nobody is its caller.
    const isCounted = !isOpenWithoutTable(id);
    // A function with permissions but without calls proves nothing.
    if (isCounted && calls.length === 0 && statements.length > 0)
      throw new Error(`infra/data/table-access.test.ts: write a call of ${id} in \`work\``);
    expect([id, calls.length > 0]).toEqual([id, isCounted && statements.length > 0]);
  },
);

test.each<[id: string, action: string, partition: string]>([
  ['getNode', 'UpdateItem', 'NODE#1'],
  ['getNode', 'GetItem', 'RATE#k#1'],
  ['getNode', 'PutItem', 'AUDIT#REFUSED'],
  ['getNode', 'GetItem', 'AUDIT#ACCESS'],
  ['removeNode', 'DeleteItem', 'AUDIT#REFUSED'],
  ['removeNode', 'PutItem', 'AUDIT#ACCESS'],
  ['removeNode', 'PutItem', 'AUDIT#ANNOTATED'],
  ['removeApiKey', 'PutItem', 'AUDIT#ANNOTATED'],
  ['listAudit', 'DeleteItem', 'AUDIT#ANNOTATED'],
  ['removeApiKey', 'DeleteItem', 'AUDIT#ACCESS'],
  ['removeApiKey', 'UpdateItem', 'AUDIT#ACCESS'],
  ['enrolNode', 'DeleteItem', 'AUDIT#ACCESS'],
  ['listAudit', 'DeleteItem', 'AUDIT#ACCESS'],
  ['listAudit', 'PutItem', 'CHANGE#0'],
  ['cleanUp', 'DeleteItem', 'STATE_CHANGES'],
  ['addNode', 'UpdateItem', 'STATE_CHANGES'],
  ['enrolNode', 'PutItem', 'STATE_CHANGES'],
  ['listAudit', 'Query', 'STATE_CHANGES'],
  ['listAudit', 'GetItem', 'ACCOUNT#admin'],
  ['getSummary', 'PutItem', 'NODE#1'],
  ['getSummary', 'UpdateItem', 'HEARTBEATS#0'],
  ['getSummary', 'DeleteItem', 'KEY#0123'],
  ['getSummary', 'GetItem', 'ACCOUNT#admin'],
  ['getSummary', 'Query', 'SESSIONS'],
  ...['reportAgents', 'takeReports', 'admitAgents'].flatMap((id): [string, string, string][] => [
    [id, 'DeleteItem', 'NODE#1'],
    [id, 'UpdateItem', 'NODE#1'],
    [id, 'UpdateItem', 'KEY#0123'],
    [id, 'PutItem', 'KEY#0123'],
    [id, 'DeleteItem', 'KEY#0123'],
    [id, 'Query', 'KEY#0123'],
    [id, 'GetItem', 'ACCOUNT#admin'],
    [id, 'UpdateItem', 'AGENT#1'],
    [id, 'PutItem', 'NODE#1'],
    [id, 'PutItem', 'CHANGE#0'],
    [id, 'PutItem', 'HEARTBEATS#0'],
    [id, 'DeleteItem', 'HEARTBEATS#0'],
    [id, 'UpdateItem', 'SERVICE#1'],
    [id, 'Query', 'NODES'],
  ]),
  ['authorizer', 'UpdateItem', 'AUDIT#ACCESS'],
  ['authorizer', 'GetItem', 'AUDIT#REFUSED'],
  ['changeNode', 'DeleteItem', 'RATE#k#1'],
  ['getVersion', 'UpdateItem', 'KEY#0123'],
  ['addNode', 'PutItem', 'ENROLMENT#0123'],
  ['listEnrolmentTokens', 'DeleteItem', 'ENROLMENT#0123'],
  ['addEnrolmentToken', 'PutItem', 'KEY#0123'],
  ['enrolNode', 'GetItem', 'ACCOUNT#admin'],
  ['enrolNode', 'PutItem', 'SERVICE#1'],
  ['rotateApiKey', 'PutItem', 'ENROLMENT#0123'],
  ...['addSavedFilter', 'removeSavedFilter', 'addSilence'].flatMap((id): [string, string, string][] => [
    [id, 'PutItem', 'ENROLMENT#0123'],
    [id, 'PutItem', 'ENROLMENT_TOKENS'],
    [id, 'PutItem', 'KEY#0123'],
    [id, 'PutItem', 'USERS'],
    [id, 'PutItem', 'AUDIT#ACCESS'],
    [id, 'DeleteItem', 'AUDIT#ANNOTATED'],
  ]),
  ['getNode', 'GetItem', 'KEY#0123'],
  ['getNode', 'GetItem', 'ACCOUNT#admin'],
  ['listNodes', 'Query', 'API_KEYS'],
  ['addNode', 'PutItem', 'KEY#0123'],
  ['addNode', 'PutItem', 'SECRET#PAGE_TOKEN'],
  ['removeNode', 'DeleteItem', 'ACCOUNT#admin'],
  ['getNode', 'DeleteItem', 'NODE#1'],
  ['addApiKey', 'PutItem', 'NODE#1'],
  ['authorizer', 'UpdateItem', 'ACCOUNT#admin'],
  ['authorizer', 'GetItem', 'NODE#1'],
  ['authorizer', 'PutItem', 'KEY#0123'],
  ['authorizer', 'GetItem', 'API_KEYS'],
  ['authorizer', 'DeleteItem', 'SESSIONS'],
  ['addNode', 'UpdateItem', 'CHANGE#0'],
  ['addNode', 'DeleteItem', 'CHANGE#0'],
  ['removeNode', 'DeleteItem', 'CHANGE#0'],
  ['runBatch', 'UpdateItem', 'CHANGE#0'],
  ['enrolNode', 'DeleteItem', 'CHANGE#0'],
  ['enrolNode', 'UpdateItem', 'CHANGE#0'],
  ['addApiKey', 'GetItem', 'ACCOUNT#admin'],
  ['removeApiKey', 'DeleteItem', 'ACCOUNT#admin'],
  ['addSession', 'PutItem', 'ACCOUNT#admin'],
  ['getNode', 'GetItem', 'USERS'],
  ['addNode', 'PutItem', 'USERS'],
  ['listUsers', 'PutItem', 'USERS'],
  ['listRoleBindings', 'PutItem', 'ROLE_BINDINGS'],
  ['getNode', 'GetItem', 'ROLE_BINDINGS'],
  ['authorizer', 'PutItem', 'ROLE_BINDINGS'],
  ['authorizer', 'UpdateItem', 'ROLE_BINDINGS'],
  ['enrolNode', 'GetItem', 'ROLE_BINDINGS'],
  ['authorizer', 'UpdateItem', 'USERS'],
  ['addUser', 'PutItem', 'API_KEYS'],
  ['logIn', 'GetItem', 'ACCOUNT#admin'],
  ['logIn', 'PutItem', 'ACCOUNT#admin'],
  ['logIn', 'PutItem', 'API_KEYS'],
  ['logIn', 'GetItem', 'NODE#1'],
  ['addSession', 'UpdateItem', 'ACCOUNT#admin'],
  ['listSessions', 'GetItem', 'ACCOUNT#admin'],
  ['listSessions', 'DeleteItem', 'SESSIONS'],
  ['endSession', 'DeleteItem', 'API_KEYS'],
  ['getNode', 'Query', 'SESSIONS'],
  ['addApiKey', 'PutItem', 'SECRET#PAGE_TOKEN'],
  ['removeSession', 'DeleteItem', 'SECRET#PAGE_TOKEN'],
])('%s may not %s on %s', async (id, action, partition) => {
  const call = { action, index: undefined, partitions: [partition], attributes: undefined, returnValues: undefined };
  expect(await isAllowed(call, policiesAt(`Functions/${id}`))).toBe(false);
});

test.each([
  ['PutItem', 'USERS'],
  ['PutItem', 'ROLE_BINDINGS'],
  ['PutItem', 'ACCOUNT#admin'],
  ['GetItem', 'ACCOUNT#admin'],
  ['PutItem', 'ENROLMENT#0123'],
  ['UpdateItem', 'KEY#0123'],
  ['Query', 'API_KEYS'],
  ['DeleteItem', 'AUDIT#ACCESS'],
  ['GetItem', 'NODE#1'],
  ['PutItem', 'NODE#1'],
])('the deployment step for the objects key may not %s on %s', async (action, partition) => {
  const call = { action, index: undefined, partitions: [partition], attributes: undefined, returnValues: undefined };
  expect(await isAllowed(call, policiesAt('ObjectsKey/objectsKey'))).toBe(false);
});

// The calls above are of keys and sessions that rest on no role binding.
test.each([
  ['authorizer', 'GetItem'],
  ['admitAgents', 'GetItem'],
  ['addApiKey', 'ConditionCheckItem'],
  ['addEnrolmentToken', 'ConditionCheckItem'],
  ['addSession', 'ConditionCheckItem'],
  ['addUser', 'ConditionCheckItem'],
  ['enrolNode', 'ConditionCheckItem'],
])('%s may %s the role bindings on which a credential rests', async (id, action) => {
  const call = {
    action,
    index: undefined,
    partitions: ['ROLE_BINDINGS'],
    attributes: undefined,
    returnValues: undefined,
  };
  expect(await isAllowed(call, policiesAt(`Functions/${id}`))).toBe(true);
});

const use = ['pk', 'sk', 'last_used_at', 'last_used_from'];

test.each([
  ['notes the use of a key', true, 'KEY#0123', use, 'NONE'],
  ['notes that of a former secret', true, 'KEY#0123', ['pk', 'former_last_used_at', 'former_last_used_from'], 'NONE'],
  ['counts a refusal', true, 'AUDIT#REFUSED', ['pk', 'sk', 'event', 'count', 'write_id', 'ttl'], 'NONE'],
  ['gives a key another role', false, 'KEY#0123', ['pk', 'sk', 'role'], 'NONE'],
  ['gives it along with the use', false, 'KEY#0123', [...use, 'role'], 'NONE'],
  ['asks for the role in a condition', false, 'KEY#0123', [...use, 'expires_at'], 'NONE'],
  ['reads a key by an update', false, 'KEY#0123', use, 'ALL_OLD'],
  ['writes to nothing in particular', false, 'KEY#0123', undefined, 'NONE'],
  ['notes the use of no item in particular', false, undefined, use, 'NONE'],
  ['notes the use of an account', false, 'ACCOUNT#admin', use, 'NONE'],
  ['writes more with a refusal', false, 'AUDIT#REFUSED', ['pk', 'sk', 'count', 'after'], 'NONE'],
] as const)('the authorizer that %s: %s', async (_, allowed, partition, attributes, returnValues) => {
  const partitions = partition === undefined ? undefined : [partition];
  const call = { action: 'UpdateItem', index: undefined, partitions, attributes: attributes?.slice(), returnValues };
  expect(await isAllowed(call, policiesAt('Functions/authorizer'))).toBe(allowed);
});

test.each(paths)('%s may write only count attributes of refusals, and read none through them', async (path) => {
  const refusal = ['pk', 'sk', 'count'];
  const partitions = ['AUDIT#REFUSED'];
  const isPermitted = (attributes: string[] | undefined, returnValues: string) =>
    isAllowed({ action: 'UpdateItem', index: undefined, partitions, attributes, returnValues }, policiesAt(path));
  expect(await isPermitted([...refusal, 'after'], 'NONE')).toBe(false);
  expect(await isPermitted(refusal, 'ALL_OLD')).toBe(false);
  expect(await isPermitted(undefined, 'NONE')).toBe(false);
});

test.each(paths)('%s may do nothing with unnamed items, such as a scan', async (path) => {
  // The permissions without conditions are about the stream.
  const onTable = grantsOf(template, path).filter(({ Condition }) => Condition !== undefined);
  for (const name of new Set(['dynamodb:Scan', ...onTable.flatMap(({ Action }) => Action)])) {
    const action = name.replace('dynamodb:', '');
    const call = { action, index: undefined, partitions: undefined, attributes: undefined, returnValues: undefined };
    expect([action, await isAllowed(call, policiesAt(path))]).toEqual([action, false]);
  }
});

test('the expressions of a call are read as by DynamoDB', () => {
  const names = { '#a': 'alpha', '#b': 'beta' };
  expect(namedIn('SET #a = if_not_exists(gamma, :x), delta.#b = :y REMOVE #b', names)).toEqual([
    'alpha',
    'gamma',
    'delta',
    'beta',
  ]);
  expect(namedIn('attribute_exists(pk) AND (NOT #b IN (:one, :two) OR ends BETWEEN :a AND :b)', names)).toEqual([
    'pk',
    'beta',
    'ends',
  ]);
});

describe('a compromised function without an authorizer', () => {
  /** Action, partition and attributes. */
  type Write = [string, string, (readonly string[])?];
  const key = ['pk', 'sk', 'key_id', 'kind', 'name', 'role', 'prefix', 'created_at', 'created_by'];
  const user = ['pk', 'sk', 'user_id', 'role', 'password_hash', 'version'];
  const updateOfUser = (attribute: string): Write => ['UpdateItem', 'USERS', ['pk', 'sk', 'version', attribute]];
  const may = (id: string, action: string, partition: string, attributes: readonly string[] = ['pk', 'sk', 'role']) =>
    isAllowed(
      { action, index: undefined, partitions: [partition], attributes: [...attributes], returnValues: 'NONE' },
      policiesAt(`Functions/${id}`),
    );
  const everyWrite = (...partitions: string[]): Write[] =>
    partitions.flatMap((partition) =>
      ['PutItem', 'UpdateItem', 'DeleteItem'].map((action): Write => [action, partition]),
    );
  const credentials: Write[] = [
    ...everyWrite('KEY#0123', 'KEY_ID#1', 'API_KEYS', 'ROLE_BINDINGS', 'ACCOUNT#admin'),
    ['PutItem', 'KEY#0123', [...key, 'account_version']],
    ['PutItem', 'KEY#0123', [...key, 'provider', 'rests_on']],
    ['PutItem', 'USERS', user],
    ['DeleteItem', 'USERS', user],
    ...['role', 'owners', 'disabled'].map(updateOfUser),
  ];
  const madeByLogIns: Write[] = [
    ['PutItem', 'SESSION#0123', [...key, 'account_version']],
    ['PutItem', 'SESSION_ID#1'],
    ['PutItem', 'ENROLMENT#0123'],
    ...['password_hash', 'granted_role', 'last_login_at'].map(updateOfUser),
  ];

  /** Which of these writes the role permits. */
  const permitted = async (id: string, writes: readonly Write[]) => {
    const decided = await Promise.all(writes.map(async (write) => [write, await may(id, ...write)] as const));
    return decided.filter(([, isPermitted]) => isPermitted).map(([write]) => write);
  };

  test.each(['logIn', 'authorizeDevice', 'endProviderSession'])('%s writes no key, user or binding', async (id) => {
    expect(await permitted(id, credentials)).toEqual([]);
  });

  test('logIn alone makes sessions and tokens, sets passwords, and adds users of providers, whose role grants nothing', async () => {
    expect(await permitted('logIn', madeByLogIns)).toEqual(madeByLogIns);
    expect(await permitted('authorizeDevice', madeByLogIns)).toEqual([]);
    expect(await permitted('endProviderSession', madeByLogIns)).toEqual([]);
  });

  test('authorizeDevice reads nothing, and ends nothing', async () => {
    for (const partition of ['KEY#0123', 'SESSION#0123', 'USERS', 'ROLE_BINDINGS', 'SESSIONS', 'DEVICE#0123']) {
      const call = { index: undefined, partitions: [partition], attributes: undefined, returnValues: undefined };
      for (const action of ['GetItem', 'Query', 'DeleteItem'])
        expect(await isAllowed({ ...call, action }, policiesAt('Functions/authorizeDevice'))).toBe(false);
    }
  });

  test('has its own role, as has the rotation of a key by itself', () => {
    const logInFunctions = ['logIn', 'authorizeDevice', 'endProviderSession', 'rotateOwnApiKey'];
    const others = endpoints.map(({ id }) => id).filter((id) => !logInFunctions.includes(id));
    const roles = logInFunctions.map((id) => roleOf(template, `Functions/${id}`).id);
    expect(new Set(roles).size).toBe(logInFunctions.length);
    for (const id of others) expect(roles).not.toContain(roleOf(template, `Functions/${id}`).id);
  });
});
