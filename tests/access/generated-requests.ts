import { randomUUID } from 'node:crypto';
import type * as endpointTable from '../../functions/api/endpoint-table.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { type AgentType, agentTypeEntry, agentTypes } from '../../functions/domain/agent/types.ts';
import { nodeTypes, nodeTypeTable } from '../../functions/domain/node/types.ts';
import { serviceTypes, serviceTypeTable } from '../../functions/domain/service/types.ts';
import { groupProperties } from '../../functions/domain/groups/groups.ts';
import { inventoryDocument } from '../../functions/openapi/document.ts';
import { bodyFormatOf, takesBody } from '../../shared/http/http-contract.ts';
import { mediaTypes } from '../../shared/core/format.ts';
import { toLines } from '../../shared/http/lines.ts';
import type { Operation, Parameter, Reference } from '../../shared/openapi/specification.ts';
import type { Random } from '../consistency/random.ts';
import { askForSession, answerWith } from '../support/devices.ts';
import type { Reply } from '../support/inventory.ts';
import { authorized } from '../support/oidc-log-in.ts';
import { PASSWORD } from '../support/users.ts';
import { bodyOf, type Credential, type Kind, OTHER_TEAM, type Scenery, TEAM, VIEWERS } from './credential-kinds.ts';
import { oddValues, propertiesOf, valueOf } from './schema-values.ts';

type Id = keyof typeof endpointTable;

const document = inventoryDocument('1.2.3');
const { schemas, parameters: sharedParameters } = document.components;
const operations = new Map<string, Operation>(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation] as const),
  ),
);

/** The statuses that the document states for an operation. */
export const documentedStatuses = (id: string): readonly number[] =>
  Object.keys(operations.get(id)?.responses ?? {}).map(Number);

const schemaNamed = (name: string) => schemas[name] ?? {};

const isReference = (parameter: Parameter | Reference): parameter is Reference => '$ref' in parameter;

const queryOf = (id: string): Parameter[] =>
  (operations.get(id)?.parameters ?? [])
    .map((one) => (isReference(one) ? sharedParameters[one.$ref.split('/').at(-1) ?? ''] : one))
    .filter((one): one is Parameter => one?.in === 'query');

/** A request before it is sent. */
export interface Draft {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: any;
  headers?: Record<string, string>;
  sourceIp?: string;
  /** Presented instead of the credential of the scene, which the request would end. */
  credential?: Credential;
  /** The proof of identity in the body. */
  proof?: string;
  /** Removes what a success has made, so that no limit is reached. */
  cleanUp?: (body: any) => Promise<unknown>;
}

interface Home {
  node: any;
  service: any;
  process: any;
  exporter: any;
}

/** A credential and what it can work with. */
export class Scene {
  readonly scenery: Scenery;
  readonly random: Random;
  readonly kind: Kind;
  readonly credential: Credential;
  readonly #own = new Map<string, Promise<any>>();
  readonly #left: string[] = [];

  constructor(given: Pick<Scene, 'scenery' | 'random' | 'kind' | 'credential'>) {
    this.scenery = given.scenery;
    this.random = given.random;
    this.kind = given.kind;
    this.credential = given.credential;
  }

  get owner(): string | undefined {
    return this.kind.owners?.[0];
  }

  /** The labels of an object that the credential may write. */
  get labels(): Record<string, string> {
    return this.owner === undefined ? {} : { team: this.owner };
  }

  get isHost(): boolean {
    return this.kind.role === 'Registrar';
  }

  /** The life of what a key with an end makes. */
  get life(): string {
    return this.random.pick(this.kind.ends === true ? ['1m', '90s', '2m'] : ['5m', '1h', '91d']);
  }

  name(): string {
    return `${this.random.pick(['n', 'Größe', 'a b', '数', 'x_1'])}-${randomUUID()}`;
  }

  send(method: string, path: string, body?: object, credential = this.credential): Promise<Reply> {
    const { authorization } = credential;
    return this.scenery.inventory.request(method, path, {
      as: null,
      headers: authorization === undefined ? {} : { Authorization: authorization },
      ...(body === undefined ? {} : { body }),
    });
  }

  another(): Promise<Credential> {
    return this.kind.make(this.scenery);
  }

  /**
   * A new object where `isUsedUp`, else one that is made once.
   *
   * @param pathOf where it is removed at the end, so that no limit is reached.
   */
  target(name: string, isUsedUp: boolean, make: () => Promise<any>, pathOf?: (made: any) => string): Promise<any> {
    const making = async () => {
      const made = await make();
      if (pathOf !== undefined) this.#left.push(pathOf(made));
      return made;
    };
    return isUsedUp ? making() : this.#once(name, making);
  }

  /** Removes what it has made, as far as it is still there. */
  async end(): Promise<void> {
    const { request } = this.scenery.inventory;
    for (const path of this.#left.splice(0)) await request('DELETE', path);
  }

  #once(name: string, make: () => Promise<any>): Promise<any> {
    const kept = this.#own.get(name) ?? make();
    this.#own.set(name, kept);
    return kept;
  }

  /** What the caller makes once and keeps; where it may not, an Admin makes it. */
  own(name: string, method: string, path: string, body: () => object): Promise<any> {
    const make = async () => {
      const { status, body: made } = await this.send(method, path, body());
      return status < 300 ? made : this.scenery.admin(method, path, body());
    };
    return this.#once(name, make);
  }

  add(path: string, body: object): Promise<any> {
    return this.scenery.admin('POST', path, { custom_labels: this.labels, ...body });
  }

  addNode(more: object = {}): Promise<any> {
    return this.add('/v1/nodes', {
      node_type: 'generic',
      node_name: this.name(),
      address: this.scenery.address(),
      ...more,
    });
  }

  addService(node_id: string, service_type = 'mysql'): Promise<any> {
    const { options } = serviceTypeTable[service_type as keyof typeof serviceTypeTable];
    const place = options.some((name) => name === 'address') ? { address: '10.0.0.1', port: 3306 } : {};
    const body = { service_type, service_name: this.name(), node_ids: [node_id], cluster: `c-${node_id}`, ...place };
    return this.add('/v1/services', body);
  }

  /** A host with all that runs on it: for a host's key, its own. */
  home(): Promise<Home> {
    const make = async () => {
      const { node_id: own } = this.credential;
      const node = own === undefined ? await this.addNode() : await this.scenery.admin('GET', `/v1/nodes/${own}`);
      const process = await this.add('/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
      const service = await this.addService(node.node_id);
      const exporter = await this.addExporter(process.agent_id, service.service_id);
      return { node, service, process, exporter };
    };
    return this.#once('home', make);
  }

  addExporter(pmm_agent_id: string, service_id: string): Promise<any> {
    return this.add('/v1/agents', {
      agent_type: 'mysqld_exporter',
      pmm_agent_id,
      insights: { service_ids: [service_id] },
    });
  }
}

// Objects -------------------------------------------------------------------------------------------------------------

/** Values of some of the fields of a schema, and those that it requires. */
const fieldsOf = ({ random }: Scene, schema: string): any => valueOf(random, schemaNamed(schema), schemas);

/** Labels that leave the object where the credential may write. */
const labelsOf = ({ random, labels }: Scene) =>
  random.chance(0.5) ? labels : { ...labels, [random.pick(['rack', 'tier'])]: random.pick(['r7', 'gold', 'ü']) };

function nodeBody(scene: Scene, form: 'Add' | 'Declare'): any {
  const type = scene.random.pick(nodeTypes);
  const {
    stale_after: _s,
    offline_after: _o,
    remove_after: _r,
    container_id: _c,
    ...fields
  } = fieldsOf(scene, `${form}_${type}_node`);
  const address = scene.isHost
    ? {}
    : { address: nodeTypeTable[type].required.length > 0 ? `i-${randomUUID()}` : scene.scenery.address() };
  return {
    ...{ ...fields, ...(form === 'Add' ? { node_name: scene.name() } : {}), ...address },
    custom_labels: labelsOf(scene),
  };
}

async function serviceBody(scene: Scene, form: 'Add' | 'Declare'): Promise<any> {
  const type = scene.random.pick(serviceTypes);
  const { socket: _, address: _a, port: _p, ...fields } = fieldsOf(scene, `${form}_${type}_service`);
  const { node } = await scene.home();
  const hasEndpoint = serviceTypeTable[type].options.some((name) => name === 'address');
  const endpoint =
    scene.isHost || scene.random.chance(0.3) ? { socket: '/run/db.sock' } : { address: '10.9.9.9', port: 3306 };
  return {
    ...{ ...fields, ...(form === 'Add' ? { service_name: scene.name() } : {}) },
    ...(hasEndpoint ? endpoint : {}),
    node_ids: [node.node_id],
    custom_labels: labelsOf(scene),
  };
}

/** The body of an agent of any type, with a target that it accepts. */
async function agentBody(scene: Scene): Promise<any> {
  const { random } = scene;
  const { node, process, service } = await scene.home();
  const fitting: readonly AgentType[] = agentTypes.filter(
    (type) => type !== 'azure_database_exporter' && type !== 'rds_exporter',
  );
  const type = random.pick(fitting);
  const { place, services } = agentTypeEntry(type);
  const [serviceType = 'mysql'] = services;
  const target =
    services.length === 0
      ? undefined
      : serviceType === 'mysql'
        ? service
        : await scene.addService(node.node_id, serviceType);
  const insights = target === undefined ? {} : { insights: { service_ids: [target.service_id] } };
  const { insights: _, pmm_agent_id: _p, runs_on_node_id: _r, ...fields } = fieldsOf(scene, `Add_${type}`);
  return {
    ...{ ...fields, ...insights },
    ...(place === 'pmm_agent' ? { pmm_agent_id: process.agent_id } : { runs_on_node_id: node.node_id }),
    custom_labels: labelsOf(scene),
  };
}

/** A change of one or two fields that objects of every type have, and of others of the schema now and then. */
function changeOf(scene: Scene, schema: string, common: readonly string[]): object {
  const properties = propertiesOf(schemaNamed(schema), schemas);
  const names = scene.random.some(common);
  const chosen = names.length > 0 && scene.random.chance(0.8) ? names : [scene.random.pick(Object.keys(properties))];
  const fields = Object.fromEntries(
    chosen.map((name) => [name, valueOf(scene.random, properties[name] ?? {}, schemas)]),
  );
  const label = scene.random.chance(0.5) ? { custom_labels: { rack: scene.random.pick(['r1', null]) } } : {};
  const { custom_labels: _, ...others } = fields;
  return { ...others, ...label };
}

const reported = ({ random }: Scene, agent_id: string) => ({
  ...{ agent_id, status: random.pick(['starting', 'running', 'waiting', 'stopping', 'done']) },
  ...(random.chance(0.3) ? { listen_port: 42000 + random.below(100) } : {}),
  ...(random.chance(0.3) ? { version: random.pick(['1.0', 'Größe']) } : {}),
});

const reportOf = async (scene: Scene) => ({
  agents: scene.random.chance(0.8) ? [reported(scene, (await scene.home()).exporter.agent_id)] : [],
  ...(scene.random.chance(0.3) ? { reset: true } : {}),
});

const batchOperations: readonly ((scene: Scene, index: number) => Promise<object> | object)[] = [
  (scene, index) => ({ op: 'addNode', ref: `n${index}`, body: nodeBody(scene, 'Add') }),
  async (scene, index) => ({ op: 'addService', ref: `s${index}`, body: await serviceBody(scene, 'Add') }),
  async (scene) => ({ op: 'addAgent', body: await agentBody(scene) }),
  (scene) => ({ op: 'upsertNode', body: nodeBody(scene, 'Add') }),
  async (scene) => ({
    op: 'changeNode',
    id: (await scene.home()).node.node_id,
    body: changeOf(scene, 'Change_node', ['region', 'az']),
  }),
  async (scene) => ({ op: 'removeNode', id: (await scene.addNode()).node_id }),
];

const simpleNode = (scene: Scene) => ({
  ...{ node_type: 'generic', node_name: scene.name(), address: scene.scenery.address() },
});

function reconcileBodyOf(scene: Scene, desired: readonly object[]): any {
  const scope = randomUUID();
  const custom_labels = { ...scene.labels, scope };
  const selector = scene.owner === undefined ? `scope=${scope}` : `team=${scene.owner},scope=${scope}`;
  return { scope: { selector }, desired: { nodes: desired.map((node) => ({ ...node, custom_labels })) } };
}

const someNodes = (scene: Scene) => Array.from({ length: scene.random.below(3) }, () => nodeBody(scene, 'Add'));

// Requests ------------------------------------------------------------------------------------------------------------

type Recipe = (scene: Scene, isPermitted: boolean) => Promise<Draft> | Draft;

/** A value for a parameter of a path, for operations without a recipe of their own. */
const params: Readonly<Record<string, (scene: Scene, isUsedUp: boolean) => Promise<string>>> = {
  node_id: async (scene, isUsedUp) =>
    (isUsedUp && !scene.isHost ? await scene.addNode() : (await scene.home()).node).node_id,
  service_id: async (scene, isUsedUp) => {
    const { node, service } = await scene.home();
    return (isUsedUp ? await scene.addService(node.node_id) : service).service_id;
  },
  agent_id: async (scene, isUsedUp) => {
    const { process, service, exporter } = await scene.home();
    return (isUsedUp ? await scene.addExporter(process.agent_id, service.service_id) : exporter).agent_id;
  },
  node_name: async (scene) =>
    scene.isHost || scene.random.chance(0.3) ? (await scene.home()).node.node_name : scene.name(),
  service_name: (scene) => Promise.resolve(scene.name()),
  cluster: async (scene) => (await scene.home()).service.cluster,
  kind: () => Promise.resolve('node'),
  object_id: async (scene) => (await scene.home()).node.node_id,
  key_id: async (scene, isUsedUp) => {
    const body = {
      ...{ name: scene.name(), role: scene.owner === undefined ? scene.random.pick(['Viewer', 'Editor']) : 'Viewer' },
      ...(scene.kind.ends === true ? { time_to_live: '1m' } : {}),
      ...(scene.owner === undefined ? {} : { owners: [scene.owner] }),
    };
    const add = () => scene.scenery.admin('POST', '/v1/api-keys', body);
    return (await scene.target('key', isUsedUp, add, ({ key_id }) => `/v1/api-keys/${key_id}`)).key_id;
  },
  token_id: async (scene, isUsedUp) => {
    const add = () => scene.scenery.admin('POST', '/v1/enrolment-tokens', { name: scene.name() });
    const pathOf = ({ token_id }: any) => `/v1/enrolment-tokens/${token_id}`;
    return (await scene.target('token', isUsedUp, add, pathOf)).token_id;
  },
  user_id: async (scene, isUsedUp) => (await addUser(scene, isUsedUp)).user_id,
  binding_id: async (scene, isUsedUp) => {
    const add = () => scene.scenery.admin('POST', '/v1/role-bindings', newBinding(scene));
    const pathOf = ({ binding_id }: any) => `/v1/role-bindings/${binding_id}`;
    return (await scene.target('binding', isUsedUp, add, pathOf)).binding_id;
  },
  plan_id: async (scene) =>
    (await scene.own('plan', 'POST', '/v1/reconcile', () => reconcileBodyOf(scene, [simpleNode(scene)]))).plan_id,
  silence_id: async (scene, isUsedUp) => {
    const add = () => scene.scenery.admin('POST', '/v1/silences', silenceBody(scene));
    return (await scene.target('silence', isUsedUp, add, ({ silence_id }) => `/v1/silences/${silence_id}`)).silence_id;
  },
  saved_filter_id: async (scene) =>
    (await scene.own('filter', 'POST', '/v1/saved-filters', () => filterBody(scene))).saved_filter_id,
  removal_id: (scene, isUsedUp) =>
    scene.target('removal', isUsedUp, async () => {
      const { node_id } = await scene.addNode();
      await scene.scenery.admin('DELETE', `/v1/nodes/${node_id}`);
      const { removals } = await scene.scenery.admin('GET', '/v1/removed?page_size=1');
      return removals[0].removal_id;
    }),
  session_id: async (scene) => {
    const { body } = await scene.send('GET', '/v1/caller');
    return body?.kind === 'session' ? body.id : randomUUID();
  },
};

const addUser = (scene: Scene, isUsedUp = true) => {
  const add = () => scene.scenery.admin('POST', '/v1/users', { user_name: `u-${randomUUID()}`, role: 'Viewer' });
  return scene.target('user', isUsedUp, add, ({ user_id }) => `/v1/users/${user_id}`);
};

const newBinding = (scene: Scene) => ({
  ...{ name: `b-${randomUUID()}`, provider: 'cluster', claims: { job: [randomUUID()] } },
  role: scene.random.pick(['Viewer', 'Editor', 'Admin', 'Registrar']),
});

const silenceBody = (scene: Scene) => ({
  selector: scene.owner === undefined ? `cluster=${randomUUID()}` : `team=${scene.owner},cluster=${randomUUID()}`,
  reason: scene.name(),
  time_to_live: scene.random.pick(['1h', '30d', '1s']),
});

const filterBody = (scene: Scene): any => ({
  ...fieldsOf(scene, 'Add_saved_filter'),
  name: scene.name(),
  parameters: { state: 'offline' },
  shared: false,
});

const mayShare = ({ kind }: Scene) => kind.role === 'Editor' || kind.role === 'Admin';

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

const somePersonName = (random: Random) => `viewers-${random.below(VIEWERS)}`;

const somePerson = ({ random, scenery }: Scene) => scenery.logInPerson(somePersonName(random));

/** Proofs of identity, each with the request that presents it. */
const proofs: Readonly<Record<string, (scene: Scene) => Promise<object>>> = {
  jwt: async ({ scenery }) => ({ provider: 'cluster', token: await scenery.programToken('viewers') }),
  oidc: async ({ random, scenery: { provider, setPerson } }) => {
    setPerson(somePersonName(random));
    return (await authorized(provider)).body;
  },
  session: async (scene) => ({ key: (await somePerson(scene)).key }),
  device: async (scene) => {
    const { inventory } = scene.scenery;
    const { user_code, device_code } = bodyOf(await askForSession(inventory));
    bodyOf(await answerWith(inventory, (await somePerson(scene)).key, { user_code, answer: 'approve' }));
    return { device_code };
  },
  invitation: async (scene) => {
    const { user_name, invitation } = await addUser(scene);
    return { user_name, invitation, new_password: PASSWORD };
  },
  password: async (scene) => {
    const user_name = await scene.target('user with a password', false, async () => {
      const body = { method: 'invitation', ...(await proofs['invitation']!(scene)) };
      const sourceIp = scene.scenery.address();
      return bodyOf(await scene.scenery.inventory.request('POST', '/v1/logins', { as: null, body, sourceIp })).user_id;
    });
    return { user_name, password: PASSWORD };
  },
};

export const allProofs: readonly string[] = [...Object.keys(proofs), 'enrolment token', 'enrolment token of a program'];

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
    if (make === undefined) throw new Error(`tests/access/generated-requests.ts: write \`${name}\` in \`params\``);
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

/** A copy of a JSON value with another value in one place. */
function withOddPlace(random: Random, value: any): any {
  if (typeof value !== 'object' || value === null) return random.pick(oddValues);
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.1))
    return { ...value, [random.pick(['odd', 'id', '__proto__x'])]: random.pick(oddValues) };
  const name = random.pick(names);
  const changed = random.chance(0.4)
    ? random.pick(oddValues)
    : random.chance(0.2)
      ? undefined
      : withOddPlace(random, value[name]);
  return Array.isArray(value)
    ? value.map((one: unknown, index) => (String(index) === name ? changed : one))
    : { ...value, [name]: changed };
}

const oddTexts = oddValues.filter(
  (value) => typeof value === 'string' && value !== '' && value.isWellFormed(),
) as string[];

const spoils: readonly ((random: Random, draft: Draft, endpoint: Endpoint) => Draft)[] = [
  (random, draft) => (draft.body === undefined ? draft : { ...draft, body: withOddPlace(random, draft.body) }),
  (random, draft) => (draft.body === undefined ? draft : { ...draft, body: withOddPlace(random, draft.body) }),
  (random, draft) =>
    draft.body === undefined
      ? draft
      : { ...draft, body: random.pick(['', '{', '[]', 'null', '"x"', '{"a":1,"a":2}', '\ufeff{}']) },
  (random, draft) => {
    const [name] = Object.keys(draft.params ?? {});
    const odd = random.pick([...oddTexts.filter((text) => text.length < 1000), randomUUID(), 'x', '0', 'ü/ä%2F']);
    return name === undefined ? draft : { ...draft, params: { ...draft.params, [name]: odd } };
  },
  (random, draft, { id }) => {
    const name = random.pick([...queryOf(id).map((one) => one.name), 'unknown']);
    return { ...draft, query: { ...draft.query, [name]: random.pick(oddTexts) } };
  },
  (random, draft) => {
    const [name, values] = random.pick<[string, string[]]>([
      ['If-Match', ['"1"', '"999999"', 'x', '*, "1"']],
      ['If-None-Match', ['*', '"1"', 'W/"x"']],
      ['Idempotency-Key', ['k', 'x'.repeat(300), 'ü']],
      ['Content-Type', ['text/plain', '', 'application/json; charset=latin1']],
    ]);
    return { ...draft, headers: { ...draft.headers, [name]: random.pick(values) } };
  },
];

/** The request with something wrong in it, which may still be permitted. */
export const spoiled = (random: Random, draft: Draft, endpoint: Endpoint): Draft =>
  random.pick(spoils)(random, draft, endpoint);
