import { randomUUID } from 'node:crypto';
import { type AgentType, agentTypeEntry, agentTypes } from '../../functions/domain/agent/types.ts';
import { nodeTypes, nodeTypeTable } from '../../functions/domain/node/types.ts';
import { serviceTypes, serviceTypeTable } from '../../functions/domain/service/types.ts';
import { schemaNamed, schemas } from './documented-operations.ts';
import type { Scene } from './scene.ts';
import { propertiesOf, valueOf } from './schema-values.ts';

/** Values of a schema's required fields and of some others. */
export const fieldsOf = ({ random }: Scene, schema: string): any => valueOf(random, schemaNamed(schema), schemas);

/** Labels that leave the object where the credential may write. */
export const labelsOf = ({ random, labels }: Scene) =>
  random.chance(0.5) ? labels : { ...labels, [random.pick(['rack', 'tier'])]: random.pick(['r7', 'gold', 'ü']) };

export function nodeBody(scene: Scene, form: 'Add' | 'Declare'): any {
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

export async function serviceBody(scene: Scene, form: 'Add' | 'Declare'): Promise<any> {
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
export async function agentBody(scene: Scene): Promise<any> {
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

/** Changes one or two fields that every type has, and sometimes others. */
export function changeOf(scene: Scene, schema: string, common: readonly string[]): object {
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

export const reportOf = async (scene: Scene) => ({
  agents: scene.random.chance(0.8) ? [reported(scene, (await scene.home()).exporter.agent_id)] : [],
  ...(scene.random.chance(0.3) ? { reset: true } : {}),
});

export const batchOperations: readonly ((scene: Scene, index: number) => Promise<object> | object)[] = [
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

export const simpleNode = (scene: Scene) => ({
  ...{ node_type: 'generic', node_name: scene.name(), address: scene.scenery.address() },
});

export function reconcileBodyOf(scene: Scene, desired: readonly object[]): any {
  const scope = randomUUID();
  const custom_labels = { ...scene.labels, scope };
  const selector = scene.owner === undefined ? `scope=${scope}` : `team=${scene.owner},scope=${scope}`;
  return { scope: { selector }, desired: { nodes: desired.map((node) => ({ ...node, custom_labels })) } };
}

export const someNodes = (scene: Scene) => Array.from({ length: scene.random.below(3) }, () => nodeBody(scene, 'Add'));
