import { randomUUID } from 'node:crypto';
import type * as endpointTable from '../../functions/api/endpoint-table.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { groupProperties } from '../../functions/domain/groups/groups.ts';
import { bodyFormatOf, takesBody } from '../../shared/http/http-contract.ts';
import { mediaTypes } from '../../shared/core/format.ts';
import { toLines } from '../../shared/http/lines.ts';
import { askForSession } from '../support/devices.ts';
import type { Reply } from '../support/inventory.ts';
import { operations, queryOf, schemas } from './documented-operations.ts';
import {
  agentBody,
  batchOperations,
  changeOf,
  labelsOf,
  nodeBody,
  reconcileBodyOf,
  reportOf,
  serviceBody,
  someNodes,
} from './object-bodies.ts';
import { filterBody, mayShare, newBinding, params, silenceBody } from './path-parameters.ts';
import { proofs, somePerson } from './proofs.ts';
import type { Draft, Scene } from './scene.ts';
import { bodyOf, OTHER_TEAM, TEAM } from './scenery.ts';
import { valueOf } from './schema-values.ts';

type Id = keyof typeof endpointTable;

type Recipe = (scene: Scene, isPermitted: boolean) => Promise<Draft> | Draft;

const removeKey =
  ({ scenery }: Scene) =>
  (body: any) =>
    scenery.admin('DELETE', `/v1/api-keys/${body.key_id}`);
const removeUser =
  ({ scenery }: Scene) =>
  (body: any) =>
    scenery.admin('DELETE', `/v1/users/${body.user_id}`);
const removeBinding =
  ({ scenery }: Scene) =>
  (body: any) =>
    scenery.admin('DELETE', `/v1/role-bindings/${body.binding_id}`);

/** Requests of operations that need more than objects that exist and values that fit the schema. */
const recipes: Readonly<Partial<Record<Id, Recipe>>> = {
  addNode: (scene) => ({ body: nodeBody(scene, 'Add') }),
  changeNode: (scene) => ({ body: changeOf(scene, 'Change_node', ['region', 'az', 'node_model', 'instance_id']) }),
  upsertNode: async (scene) => {
    const node_name = await params['node_name']!(scene, true);
    const { node } = await scene.home();
    // The type of a node that exists cannot change.
    const isHome = node_name === node.node_name;
    const body = isHome
      ? { node_type: node.node_type, address: node.address, custom_labels: labelsOf(scene) }
      : nodeBody(scene, 'Declare');
    return { params: { node_name }, body };
  },
  removeNode: async (scene, isPermitted) => ({
    query: { force: 'true' },
    // The key of a host ends with its node.
    ...(scene.isHost && isPermitted ? await ofAnother(scene) : {}),
  }),
  addService: async (scene) => ({ body: await serviceBody(scene, 'Add') }),
  changeService: (scene) => ({
    body: changeOf(scene, 'Change_service', ['environment', 'replication_set', 'version']),
  }),
  upsertService: async (scene) => ({ body: await serviceBody(scene, 'Declare') }),
  addAgent: async (scene) => ({ body: await agentBody(scene) }),
  changeAgent: (scene) => ({
    body: changeOf(scene, 'Change_agent', ['disabled', 'listen_port', 'log_level', 'username']),
  }),
  upsertAgent: async (scene) => ({ body: await agentBody(scene) }),
  reportAgents: async (scene) => ({
    params: { agent_id: (await scene.home()).process.agent_id },
    body: await reportOf(scene),
  }),
  takeReports: async (scene) => ({
    body: { reports: [{ pmm_agent_id: (await scene.home()).process.agent_id, ...(await reportOf(scene)) }] },
  }),
  admitAgents: async (scene) => ({
    body: {
      admissions: [
        {
          pmm_agent_id: (await scene.home()).process.agent_id,
          authorization: scene.credential.authorization ?? 'Bearer x',
          source_ip: scene.scenery.address(),
        },
      ],
    },
  }),
  addApiKey: (scene) => ({
    body: {
      ...{
        name: scene.name(),
        role: scene.random.pick(
          scene.owner === undefined ? ['Viewer', 'Editor', 'Relay', 'Gateway'] : ['Viewer', 'Editor'],
        ),
      },
      ...(scene.kind.ends === true || scene.random.chance(0.5) ? { time_to_live: scene.life } : {}),
      ...(scene.random.chance(0.5) ? { rate_limit_per_minute: 1 + scene.random.below(5000) } : {}),
    },
    cleanUp: removeKey(scene),
  }),
  changeApiKey: (scene) => ({
    body: scene.random.pick<object>([
      { rate_limit_per_minute: 1 + scene.random.below(30_000) },
      { disabled: true },
      { owners: [scene.owner ?? TEAM] },
    ]),
  }),
  rotateApiKey: (scene) => ({ body: { overlap: scene.random.pick(['0s', '1m', '30s']) } }),
  rotateOwnApiKey: async (scene) => ({
    credential: await scene.another(),
    body: { overlap: scene.random.pick(['0s', '1h', '7d']) },
  }),
  addEnrolmentToken: (scene) => ({
    body: {
      ...{ name: scene.name(), time_to_live: scene.random.pick(['1m', '30s']) },
      ...(scene.kind.ends === true ? { key_time_to_live: '30s' } : {}),
      ...(scene.random.chance(0.3) ? { node_name: scene.name() } : {}),
      ...(scene.random.chance(0.3) ? { allowed_addresses: ['10.0.0.0/8'] } : {}),
    },
    cleanUp: ({ token_id }) => scene.scenery.admin('DELETE', `/v1/enrolment-tokens/${token_id}`),
  }),
  enrolNode: async (scene) => {
    const sourceIp = scene.scenery.address();
    const isOfProgram = scene.random.chance(0.5);
    const added = { name: scene.name(), ...(scene.owner === undefined ? {} : { owner: scene.owner }) };
    const token = isOfProgram
      ? bodyOf(
          await logInOf(scene, {
            method: 'jwt',
            provider: 'cluster',
            token: await scene.scenery.programToken('hosts'),
          }),
        ).key
      : (await scene.scenery.admin('POST', '/v1/enrolment-tokens', added)).token;
    return {
      proof: isOfProgram ? 'enrolment token of a program' : 'enrolment token',
      sourceIp,
      body: { token, node: { node_type: 'generic', node_name: scene.name(), address: sourceIp } },
    };
  },
  addSession: (scene) => ({ cleanUp: ({ session_id }) => scene.scenery.admin('DELETE', `/v1/sessions/${session_id}`) }),
  endSession: async (scene, isPermitted) => {
    if (scene.kind.caller !== 'session' || !isPermitted)
      return {
        params: {
          session_id: await scene.target('session', isPermitted, async () => (await somePerson(scene)).session_id),
        },
      };
    const credential = await scene.another();
    return {
      credential,
      params: { session_id: (await scene.send('GET', '/v1/caller', undefined, credential)).body.id },
    };
  },
  removeSession: async (scene, isPermitted) => (isPermitted ? { credential: await scene.another() } : {}),
  addUser: (scene) => {
    const owners = scene.random.chance(0.3) ? { owners: [TEAM, OTHER_TEAM], role: 'Editor' } : {};
    const body = { user_name: `u-${randomUUID()}`, role: scene.random.pick(['Viewer', 'Editor', 'Admin']), ...owners };
    return { body, cleanUp: removeUser(scene) };
  },
  changeUser: (scene) => ({
    body: scene.random.pick<object>([{ role: 'Editor' }, { role: 'Editor', owners: [TEAM] }, { disabled: true }]),
  }),
  addRoleBinding: (scene) => ({ body: newBinding(scene), cleanUp: removeBinding(scene) }),
  changeRoleBinding: (scene) => ({
    body: scene.random.pick<object>([
      { description: scene.name() },
      { claims: { job: [randomUUID()] } },
      { role: 'Viewer', owners: null, description: 'x' },
    ]),
  }),
  previewRoleBindings: (scene) => ({
    body: scene.random.pick<object>([
      { provider: 'cluster', claims: { job: 'admins' } },
      { provider: 'corporate', claims: { groups: ['team', 'x'], deep: { a: [1, null] } } },
      { provider: 'corporate', claims: {} },
    ]),
  }),
  authorizeDevice: (scene) => ({ sourceIp: scene.scenery.address(), body: { client_name: scene.name() } }),
  answerDevice: async (scene) => {
    const { user_code } = bodyOf(await askForSession(scene.scenery.inventory));
    const answer = scene.random.pick<object>([
      {},
      { answer: 'approve' },
      { answer: 'deny' },
      { answer: 'approve', role: 'Viewer' },
    ]);
    return { body: { user_code, ...answer } };
  },
  logIn: async (scene) => {
    // The hash of a password takes a second of a slow machine.
    const cheap = ['jwt', 'jwt', 'jwt', 'oidc', 'session', 'device'];
    const method = scene.random.chance(0.15) ? scene.random.pick(['password', 'invitation']) : scene.random.pick(cheap);
    const body = { method, ...(await proofs[method]!(scene)) };
    const path = method === 'jwt' ? '/v1/api-keys' : '/v1/sessions';
    const cleanUp = ({ session_id }: any) => scene.scenery.admin('DELETE', `${path}/${session_id}`);
    return { proof: method, sourceIp: scene.scenery.address(), body, cleanUp };
  },
  listNodes: (scene) => listQuery(scene, 'listNodes', 'node_name,region,custom_labels'),
  listServices: (scene) => listQuery(scene, 'listServices', 'service_name,cluster'),
  listAgents: async (scene) => {
    const { node, service, process } = await scene.home();
    const relation = scene.random.pick<Record<string, string>>([
      ...[{}, { node_id: node.node_id }, { service_id: service.service_id }],
      ...[{ pmm_agent_id: process.agent_id }, { runs_on_node_id: `${node.node_id},${randomUUID()}` }],
    ]);
    return { query: { ...listQuery(scene, 'listAgents', 'agent_type,status').query, ...relation } };
  },
  listChanges: (scene) => ({
    query: scene.random.pick<Record<string, string>>([{}, { since: 'now' }, { kinds: 'node,state' }, { limit: '1' }]),
  }),
  getObjectAsOf: async (scene) => {
    const { node } = await scene.home();
    const time = scene.random.chance(0.5)
      ? node.created_at
      : scene.scenery.inventory.dependencies.clock().toISOString();
    return { query: { time } };
  },
  discoverTargets: (scene) => ({
    query: scene.isHost
      ? { node: 'self' }
      : scene.random.pick<Record<string, string>>([
          {},
          { shard: '0/2' },
          { networks: '10.0.0.0/8' },
          { selector: 'team,!x' },
        ]),
  }),
  runBatch: async (scene) => {
    const count = 1 + scene.random.below(4);
    const operations = [];
    for (let index = 0; index < count; index += 1)
      operations.push(await scene.random.pick(batchOperations)(scene, index));
    const atomic = scene.random.chance(0.3);
    return { body: { operations, atomic }, ...(atomic && scene.random.chance(0.5) ? withIdempotencyKey() : {}) };
  },
  importInventory: async (scene) => {
    const { node, service } = await scene.home();
    const node_id = randomUUID();
    return {
      query: scene.random.chance(0.3) ? { dry_run: 'true' } : {},
      body: [
        { kind: 'node', object: { node_id, ...nodeBody(scene, 'Add') } },
        ...scene.random.some([
          { kind: 'node', object: { ...node, state: undefined } },
          { kind: 'service', object: { ...service, state: undefined } },
          { kind: 'end', complete: true },
        ]),
      ],
    };
  },
  cleanUp: (scene) => ({ body: scene.random.pick<object>([{ dry_run: true }, {}, { max_removals_percent: 1 }]) }),
  reconcile: (scene) => ({
    body: {
      ...reconcileBodyOf(scene, someNodes(scene)),
      mode: scene.kind.role === 'Viewer' ? 'plan' : scene.random.pick(['plan', 'apply']),
    },
  }),
  addSilence: (scene) => ({
    body: silenceBody(scene),
    cleanUp: ({ silence_id }) => scene.scenery.admin('DELETE', `/v1/silences/${silence_id}`),
  }),
  addSavedFilter: (scene) => ({
    body: { ...filterBody(scene), shared: mayShare(scene) && scene.random.chance(0.3) },
    cleanUp: ({ saved_filter_id }) => scene.send('DELETE', `/v1/saved-filters/${saved_filter_id}`),
  }),
  changeSavedFilter: (scene) => ({
    body: scene.random.pick<object>([
      { name: scene.name() },
      { pinned: scene.random.chance(0.5) },
      { parameters: { sort: 'name' } },
    ]),
  }),
  removeSavedFilter: async (scene, isPermitted) => {
    const { body } = isPermitted ? await scene.send('POST', '/v1/saved-filters', filterBody(scene)) : {};
    return body?.saved_filter_id === undefined ? {} : { params: { saved_filter_id: body.saved_filter_id } };
  },
  countGroups: (scene) => {
    const kind = scene.random.pick(['node', 'service', 'agent'] as const);
    const by = scene.random.pick([...groupProperties[kind], 'owner', 'labels.rack']);
    return { query: { kind, group_by: by } };
  },
};

/** The query of a list: parameters of its schema, without those that only follow from a reply. */
function listQuery(scene: Scene, id: string, fields: string): { query: Record<string, string> } {
  const relations = ['runs_on_node_id', 'pmm_agent_id', 'service_id', 'node_id', 'fields'];
  const query = Object.entries(generatedQuery(scene, id)).filter(([name]) => !relations.includes(name));
  return { query: { ...Object.fromEntries(query), ...(scene.random.chance(0.1) ? { fields } : {}) } };
}

function generatedQuery({ random }: Scene, id: string): Record<string, string> {
  const given = queryOf(id).flatMap(({ name, required, schema }) => {
    if (
      required !== true &&
      (!random.chance(0.2) || ['page_token', 'wait', 'after', 'selector', 'removal', 'user_id'].includes(name))
    )
      return [];
    const value = valueOf(random, schema, schemas);
    return typeof value === 'object' || value === undefined
      ? []
      : [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });
  return Object.fromEntries(given);
}

const withIdempotencyKey = () => ({ headers: { 'Idempotency-Key': randomUUID() } });

/** Another credential of a host's key, and its node. */
async function ofAnother(scene: Scene): Promise<Draft> {
  const credential = await scene.another();
  return { credential, params: { node_id: credential.node_id ?? '' } };
}

const logInOf = ({ scenery: { inventory, address } }: Scene, body: object): Promise<Reply> =>
  inventory.request('POST', '/v1/logins', { as: null, body, sourceIp: address() });

/** Operations that use up the object in their path. */
const usesUp = /^(remove|restore|rotate|invite|end|change(User|RoleBinding|ApiKey))/;

/** A request of an operation. If the caller may call it, hardly anything hinders its success. */
export async function requestOf(scene: Scene, endpoint: Endpoint, isPermitted: boolean): Promise<Draft> {
  const { random } = scene;
  const draft: Draft = (await recipes[endpoint.id as Id]?.(scene, isPermitted)) ?? {};
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const given: Record<string, string> = { ...draft.params };
  for (const name of names) {
    const make = params[name];
    if (given[name] !== undefined) continue;
    if (make === undefined) throw new Error(`tests/access/path-parameters.ts: write \`${name}\` in \`params\``);
    given[name] = await make(scene, isPermitted && usesUp.test(endpoint.id));
  }
  const operation = operations.get(endpoint.id);
  const schema = Object.values(operation?.requestBody?.content ?? {})[0]?.schema;
  const body = draft.body ?? (schema === undefined ? undefined : valueOf(random, schema, schemas));
  const isConditional = endpoint.etag === 'revision' && ['PATCH', 'DELETE'].includes(endpoint.method);
  const condition = isConditional && random.chance(0.2) ? { 'If-Match': '*' } : {};
  const once = endpoint.idempotent === true && endpoint.idempotentWith === undefined && random.chance(0.2);
  return {
    ...draft,
    params: given,
    query: draft.query ?? generatedQuery(scene, endpoint.id),
    body: takesBody(endpoint) ? body : undefined,
    headers: { ...condition, ...(once ? withIdempotencyKey().headers : {}), ...draft.headers },
  };
}

/** Sends a request. */
export function sendRequest(scene: Scene, endpoint: Endpoint, draft: Draft): Promise<Reply> {
  const { params: given = {}, query = {}, body, headers = {}, sourceIp, credential = scene.credential } = draft;
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const format = bodyFormatOf(endpoint);
  const text = format === 'ndjson' && Array.isArray(body) ? toLines(body) : body;
  return scene.scenery.inventory.request(endpoint.method, search === '' ? path : `${path}?${search}`, {
    as: null,
    headers: {
      ...(credential.authorization === undefined ? {} : { Authorization: credential.authorization }),
      ...(body === undefined ? {} : { 'Content-Type': mediaTypes[format] }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: text }),
    ...(sourceIp === undefined ? {} : { sourceIp }),
  });
}
