import { randomUUID } from 'node:crypto';
import { fieldsOf, reconcileBodyOf, simpleNode } from './object-bodies.ts';
import type { Scene } from './scene.ts';

/** A value for a parameter of a path, for operations without a recipe of their own. */
export const params: Readonly<Record<string, (scene: Scene, isUsedUp: boolean) => Promise<string>>> = {
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
    (await scene.madeOnce('plan', 'POST', '/v1/reconcile', () => reconcileBodyOf(scene, [simpleNode(scene)]))).plan_id,
  silence_id: async (scene, isUsedUp) => {
    const add = () => scene.scenery.admin('POST', '/v1/silences', silenceBody(scene));
    return (await scene.target('silence', isUsedUp, add, ({ silence_id }) => `/v1/silences/${silence_id}`)).silence_id;
  },
  saved_filter_id: async (scene) =>
    (await scene.madeOnce('filter', 'POST', '/v1/saved-filters', () => filterBody(scene))).saved_filter_id,
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

export const addUser = (scene: Scene, isUsedUp = true) => {
  const add = () => scene.scenery.admin('POST', '/v1/users', { user_name: `u-${randomUUID()}`, role: 'Viewer' });
  return scene.target('user', isUsedUp, add, ({ user_id }) => `/v1/users/${user_id}`);
};

export const newBinding = (scene: Scene) => ({
  ...{ name: `b-${randomUUID()}`, provider: 'cluster', claims: { job: [randomUUID()] } },
  role: scene.random.pick(['Viewer', 'Editor', 'Admin', 'Registrar']),
});

export const silenceBody = (scene: Scene) => ({
  selector: `${scene.owner === undefined ? 'node_type=generic' : `team=${scene.owner}`},note!=${randomUUID()}`,
  reason: scene.name(),
  time_to_live: scene.random.pick(['1h', '30d', '1s']),
});

export const filterBody = (scene: Scene): any => ({
  ...fieldsOf(scene, 'Add_saved_filter'),
  name: scene.name(),
  parameters: { state: 'offline' },
  shared: false,
});

export const mayShare = ({ kind }: Scene) => kind.role === 'Editor' || kind.role === 'Admin';
