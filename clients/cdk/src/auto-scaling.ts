import {
  listNodes,
  listServices,
  removeNode,
  removeService,
  upsertAgent,
  upsertNode,
  upsertService,
} from '../../typescript/src/generated/operations.ts';
import { InventoryError } from '../../typescript/src/error.ts';
import type { Client } from '../../typescript/src/operation.ts';
import { type Fields, quoted } from './fields.ts';
import { type AgentPlace, agentWithIds, serviceWithIds } from './references.ts';

/** An instance that a group has and does not terminate. */
export interface GroupInstance {
  id: string;
  zone: string;
}

/** An event of EventBridge: an instance was launched or terminated, or it is time to compare the whole group. */
export interface ScalingEvent {
  'detail-type': string;
  detail: { EC2InstanceId?: string };
}

/** The objects of each instance of a group. Texts can contain the placeholders. */
export interface InstanceObjects {
  node: Fields;
  services: Fields[];
  agents: ({ object: Fields } & AgentPlace)[];
}

export interface ScalingGroup {
  name: string;
  region: string;
  objects: InstanceObjects;
  /** The instances that the group has now. */
  readInstances: () => Promise<GroupInstance[]>;
}

/** Replaced in all texts of the objects of an instance. */
export const PLACEHOLDERS = { instance: '{instance_id}', region: '{region}', zone: '{availability_zone}' } as const;

/** The label with the name of the group. */
export const GROUP_LABEL = 'autoscaling_group';

export const LAUNCHED = 'EC2 Instance Launch Successful';
export const TERMINATED = 'EC2 Instance Terminate Successful';

// Methods instead of functions: the objects are known at run time.
interface Upserts {
  node(client: Client, input: object): Promise<object>;
  service(client: Client, input: object): Promise<object>;
  agent(client: Client, input: object): Promise<object>;
}

const upsert: Upserts = { node: upsertNode, service: upsertService, agent: upsertAgent };

/** The objects of one instance. */
export function objectsOf(
  { objects, region }: Pick<ScalingGroup, 'objects' | 'region'>,
  { id, zone }: GroupInstance,
): InstanceObjects {
  const replaceIn = (text: string) =>
    text
      .replaceAll(PLACEHOLDERS.instance, id)
      .replaceAll(PLACEHOLDERS.region, region)
      .replaceAll(PLACEHOLDERS.zone, zone);
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return replaceIn(value);
    if (Array.isArray(value)) return value.map(replace);
    return typeof value === 'object' && value !== null ? fieldsOf(value) : value;
  };
  const fieldsOf = (object: object): Fields =>
    Object.fromEntries(Object.entries(object).map(([name, item]) => [name, replace(item)]));
  return {
    node: fieldsOf(objects.node),
    services: objects.services.map(fieldsOf),
    agents: objects.agents.map(({ object, ...place }) => ({ object: fieldsOf(object), ...place })),
  };
}

/** Declares the objects; a repetition changes nothing. */
async function declare(client: Client, { node, services, agents }: InstanceObjects): Promise<void> {
  await upsert.node(client, node);
  for (const service of services) await upsert.service(client, await serviceWithIds(client, service));
  for (const { object, ...place } of agents)
    await upsert.agent(client, (await agentWithIds(client, object, place)).body);
}

/** An object that does not exist any more is removed. */
async function ignoreAbsent(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!(error instanceof InventoryError) || error.http !== 404) throw error;
  }
}

/** Removes the objects, and all that runs on the node. */
async function remove(client: Client, { node, services }: InstanceObjects): Promise<void> {
  for (const { service_name: name } of services)
    for await (const { service_id } of listServices(client, { selector: `service_name=${quoted(String(name))}` }))
      await ignoreAbsent(removeService(client, { service_id, force: true }));
  for await (const { node_id } of listNodes(client, { selector: `node_name=${quoted(String(node['node_name']))}` }))
    await ignoreAbsent(removeNode(client, { node_id, force: true }));
}

/** Declares all instances of the group, and removes the nodes of others: after the first deployment, and after lost events. */
async function compare(client: Client, group: ScalingGroup): Promise<void> {
  const names = new Set<unknown>();
  for (const instance of await group.readInstances()) {
    const objects = objectsOf(group, instance);
    names.add(objects.node['node_name']);
    await declare(client, objects);
  }
  const [before = '', after = ''] = String(group.objects.node['node_name']).split(PLACEHOLDERS.instance);
  for await (const { node_name: name } of listNodes(client, { selector: `${GROUP_LABEL}=${quoted(group.name)}` }))
    if (!names.has(name) && name.startsWith(before) && name.endsWith(after)) {
      const id = name.slice(before.length, name.length - after.length);
      await remove(client, objectsOf(group, { id, zone: '' }));
    }
}

/**
 * Makes the inventory follow an event of a group. Events can be repeated, lost, and arrive in any order: the end of an instance
 * is final, a launch counts only while the group has the instance, and each other event compares the whole group.
 */
export async function followGroup(client: Client, group: ScalingGroup, event: ScalingEvent): Promise<void> {
  const {
    'detail-type': type,
    detail: { EC2InstanceId: id },
  } = event;
  if (id === undefined || (type !== LAUNCHED && type !== TERMINATED)) {
    await compare(client, group);
    return;
  }
  const instance =
    type === LAUNCHED ? (await group.readInstances()).find((candidate) => candidate.id === id) : undefined;
  if (instance === undefined) await remove(client, objectsOf(group, { id, zone: '' }));
  else await declare(client, objectsOf(group, instance));
}
