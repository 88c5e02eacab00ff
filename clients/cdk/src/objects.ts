import { InventoryError } from '../../typescript/src/error.ts';
import * as operations from '../../typescript/src/generated/operations.ts';
import type { Client, Listing } from '../../typescript/src/operation.ts';
import type { CallOptions, Match } from '../../typescript/src/options.ts';
import { type Fields, fieldsOf, isFields, quoted, textsOf } from './fields.ts';
import { type Existing, OWNER_LABEL, recordedOwner, withOwner } from './ownership.ts';
import { type AgentPlace, agentWithIds, serviceWithIds } from './references.ts';

export type ObjectKind = 'node' | 'service' | 'agent';

/** An object of a resource, in the form of a desired state: it refers to others by name. */
export interface ObjectRequest extends AgentPlace {
  kind: ObjectKind;
  object: Fields;
  existing: Existing;
  /** Removes its dependants with it. */
  force: boolean;
}

/** The resource that asks. */
export interface Requester {
  /** The value of its label. */
  owner: string;
  /** Its physical id; undefined if the resource is new. */
  physicalId: string | undefined;
  /** How it treated existing objects before this update. */
  formerly: Existing | undefined;
}

/** The object of a resource, as CloudFormation sees it. */
export interface ResourceState {
  physicalId: string;
  attributes: Record<string, string>;
}

// Methods instead of functions: the input of an operation is an object that is known at run time.
interface Operations {
  get(client: Client, input: object): Promise<object>;
  list(client: Client, input: object): Listing<object, object>;
  upsert(
    client: Client,
    input: object,
    options?: CallOptions & { ifMatch?: Match; ifNoneMatch?: Match },
  ): Promise<object>;
  remove(client: Client, input: object, options?: CallOptions & { ifMatch?: Match }): Promise<undefined>;
}

const kinds: Readonly<Record<ObjectKind, Operations>> = {
  node: {
    get: operations.getNode,
    list: operations.listNodes,
    upsert: operations.upsertNode,
    remove: operations.removeNode,
  },
  service: {
    get: operations.getService,
    list: operations.listServices,
    upsert: operations.upsertService,
    remove: operations.removeService,
  },
  agent: {
    get: operations.getAgent,
    list: operations.listAgents,
    upsert: operations.upsertAgent,
    remove: operations.removeAgent,
  },
};

/** Repetitions after a concurrent change of the object. */
const ATTEMPTS = 5;

const isStatus = (error: unknown, status: number) => error instanceof InventoryError && error.http === status;

/** The objects of a list that match. */
async function readAll(client: Client, kind: ObjectKind, query: object): Promise<Fields[]> {
  const stored: Fields[] = [];
  for await (const object of kinds[kind].list(client, query)) stored.push(fieldsOf(object));
  return stored;
}

const nameOf = (kind: ObjectKind, object: Fields) => String(object[`${kind}_name`]);

/** Nodes and services have a natural key of one field. That of an agent has up to 41 names: its id is shorter. */
const physicalIdOf = (kind: ObjectKind, object: Fields) =>
  kind === 'agent' ? `agent/${String(object['agent_id'])}` : `${kind}/${nameOf(kind, object)}`;

async function findByName(client: Client, kind: ObjectKind, name: string): Promise<Fields | undefined> {
  const [stored] = await readAll(client, kind, { selector: `${kind}_name=${quoted(name)}` });
  return stored;
}

/** Targets as one text; an agent that monitors only its own node may omit this target. */
function targetsOf(insights: unknown, node: string | undefined, { watchesItsNode }: AgentPlace): string {
  const { node_ids: nodes, service_ids: services } = isFields(insights) ? insights : {};
  const watchedNodes = textsOf(nodes);
  const isOwn =
    watchesItsNode && watchedNodes.length === 1 && watchedNodes[0] === node && textsOf(services).length === 0;
  return JSON.stringify([isOwn ? [] : watchedNodes.toSorted(), textsOf(services).toSorted()]);
}

/** The agent that a declaration changes: the oldest one with its type, place and targets. */
async function findAgent(
  client: Client,
  body: Fields,
  node: string | undefined,
  place: AgentPlace,
): Promise<Fields | undefined> {
  const { agent_type, pmm_agent_id, runs_on_node_id, insights } = body;
  const { node_ids: nodes, service_ids: services } = isFields(insights) ? insights : {};
  const [service_id] = textsOf(services);
  const [node_id] = textsOf(nodes);
  const relations = { pmm_agent_id, runs_on_node_id, service_id, node_id };
  const [relation] = Object.entries(relations).filter(([, value]) => value !== undefined);
  const agents = await readAll(client, 'agent', { agent_type, ...(relation && Object.fromEntries([relation])) });
  const wanted = targetsOf(insights, node, place);
  const same = agents.filter((agent) => targetsOf(agent['insights'], node, place) === wanted);
  return same.toSorted((left, right) => (String(left['created_at']) < String(right['created_at']) ? -1 : 1))[0];
}

/** The body of the declaration, and the object that it would change. */
async function resolve(
  client: Client,
  { kind, object, ...place }: ObjectRequest,
): Promise<{ body: Fields; stored: Fields | undefined }> {
  if (kind === 'agent') {
    const { body, node } = await agentWithIds(client, object, place);
    return { body, stored: await findAgent(client, body, node, place) };
  }
  const body = kind === 'service' ? await serviceWithIds(client, object) : object;
  return { body, stored: await findByName(client, kind, nameOf(kind, object)) };
}

/**
 * Whether the resource owns the object: it adds or added it.
 *
 * @throws Error if the object exists already and must not be adopted.
 */
function isOwned(
  stored: Fields | undefined,
  { kind, existing }: ObjectRequest,
  { owner, physicalId, formerly }: Requester,
): boolean {
  if (stored === undefined) return true;
  const recorded = recordedOwner(stored);
  if (recorded === owner) return true;
  if (existing === 'adopt') return false;
  const id = physicalIdOf(kind, stored);
  // Another program has declared the object of this resource without the label.
  if (recorded === undefined && id === physicalId && formerly !== undefined) return formerly === 'refuse';
  const of = recorded === undefined ? '' : `, and belongs to the resource ${recorded}`;
  throw new Error(`${id} exists already${of}. To change it, set existing to 'adopt'.`);
}

const nameIn = (kind: ObjectKind, physicalId: string | undefined): string | undefined =>
  physicalId?.startsWith(`${kind}/`) ? physicalId.slice(kind.length + 1) : undefined;

/** The fields of a node whose values no other node may have: an address is unique in its region. */
const uniqueFields = ['region', 'container_id'];

/**
 * A renamed node: its former object exists until the end of the deployment, and has the unique values that the new one needs.
 *
 * @returns the change that restores it; undefined if there is no such object.
 */
async function releaseUniqueValues(
  client: Client,
  { kind, object }: ObjectRequest,
  { owner, physicalId }: Requester,
): Promise<(() => Promise<unknown>) | undefined> {
  const name = nameIn(kind, physicalId);
  if (kind !== 'node' || name === undefined || name === nameOf(kind, object)) return undefined;
  const former = await findByName(client, kind, name);
  if (former === undefined || recordedOwner(former) !== owner) return undefined;
  const values = Object.entries(former).filter(([field]) => uniqueFields.includes(field));
  const node_id = String(former['node_id']);
  const released = Object.fromEntries(values.map(([field]) => [field, null]));
  await operations.changeNode(client, { node_id, ...released }, { ifMatch: Number(former['revision']) });
  return () => operations.changeNode(client, { node_id, ...Object.fromEntries(values) });
}

/** Adds or changes an object, depending on whether one was found. */
async function declare(
  client: Client,
  request: ObjectRequest,
  from: Requester,
  { body, stored }: { body: Fields; stored: Fields | undefined },
): Promise<Fields> {
  const declared = isOwned(stored, request, from) ? withOwner(body, from.owner) : body;
  const condition = stored === undefined ? { ifNoneMatch: '*' } : { ifMatch: Number(stored['revision']) };
  const upsert = async () => fieldsOf(await kinds[request.kind].upsert(client, declared, condition));
  try {
    return await upsert();
  } catch (error) {
    const restore = isStatus(error, 409) ? await releaseUniqueValues(client, request, from) : undefined;
    if (restore === undefined) throw error;
    try {
      return await upsert();
    } catch (second) {
      await restore();
      throw second;
    }
  }
}

/** Declares the object of a resource. Repeatable: a second call with the same arguments finds the object of the first. */
export async function provideObject(client: Client, request: ObjectRequest, from: Requester): Promise<ResourceState> {
  const { kind } = request;
  for (let attempt = 1; ; attempt += 1)
    try {
      const object = await declare(client, request, from, await resolve(client, request));
      const attributes: Record<string, string> = { Id: String(object[`${kind}_id`]) };
      if (kind !== 'agent') attributes['Name'] = nameOf(kind, object);
      return { physicalId: physicalIdOf(kind, object), attributes };
    } catch (error) {
      if (!isStatus(error, 412) || attempt === ATTEMPTS) throw error;
    }
}

/** The objects that a physical id names; without one, as after a failed addition, those that the properties name. */
async function findRemovable(client: Client, { kind, object }: ObjectRequest, from: Requester): Promise<Fields[]> {
  const { physicalId, owner } = from;
  const key = nameIn(kind, physicalId);
  if (kind !== 'agent') {
    const stored = await findByName(client, kind, key ?? nameOf(kind, object));
    return stored === undefined ? [] : [stored];
  }
  if (key === undefined) return readAll(client, kind, { selector: `${OWNER_LABEL}=${quoted(owner)}` });
  try {
    return [fieldsOf(await kinds.agent.get(client, { agent_id: key }))];
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return [];
  }
}

/** Removes the object of a resource. Leaves objects that the resource did not add. */
export async function removeObject(client: Client, request: ObjectRequest, from: Requester): Promise<void> {
  const { kind, force } = request;
  for (let attempt = 1; ; attempt += 1)
    try {
      for (const stored of await findRemovable(client, request, from)) {
        if (recordedOwner(stored) !== from.owner) continue;
        const input = { [`${kind}_id`]: stored[`${kind}_id`], ...(force ? { force } : {}) };
        await kinds[kind].remove(client, input, { ifMatch: Number(stored['revision']) });
      }
      return;
    } catch (error) {
      // Changed or removed at the same time.
      if (!(isStatus(error, 412) || isStatus(error, 404)) || attempt === ATTEMPTS) throw error;
    }
}
