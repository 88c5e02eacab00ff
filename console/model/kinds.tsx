import { endpoint as addAgent } from '../../functions/api/agents/add/endpoint.ts';
import { endpoint as changeAgent } from '../../functions/api/agents/change/endpoint.ts';
import { endpoint as getAgent } from '../../functions/api/agents/get/endpoint.ts';
import { endpoint as listAgentHistory } from '../../functions/api/agents/history/endpoint.ts';
import { endpoint as listAgents } from '../../functions/api/agents/list/endpoint.ts';
import { endpoint as removeAgent } from '../../functions/api/agents/remove/endpoint.ts';
import { endpoint as addNode } from '../../functions/api/nodes/add/endpoint.ts';
import { endpoint as changeNode } from '../../functions/api/nodes/change/endpoint.ts';
import { endpoint as getNode } from '../../functions/api/nodes/get/endpoint.ts';
import { endpoint as listNodeHistory } from '../../functions/api/nodes/history/endpoint.ts';
import { endpoint as listNodes } from '../../functions/api/nodes/list/endpoint.ts';
import { endpoint as removeNode } from '../../functions/api/nodes/remove/endpoint.ts';
import { endpoint as addService } from '../../functions/api/services/add/endpoint.ts';
import { endpoint as changeService } from '../../functions/api/services/change/endpoint.ts';
import { endpoint as getService } from '../../functions/api/services/get/endpoint.ts';
import { endpoint as listServiceHistory } from '../../functions/api/services/history/endpoint.ts';
import { endpoint as listServices } from '../../functions/api/services/list/endpoint.ts';
import { endpoint as removeService } from '../../functions/api/services/remove/endpoint.ts';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import { call, type CallOptions, parsedBy, type ReplyOf } from '../api/client.tsx';
import { withApiValues } from '../search-index/no-value.ts';
import type { ListPage } from '../ui/use-pages.tsx';

export type Node = ReplyOf<typeof getNode>;
export type Service = ReplyOf<typeof getService>;
export type Agent = ReplyOf<typeof getAgent>;
export type InventoryObject = Node | Service | Agent;
export type Change = ReplyOf<typeof listNodeHistory>['changes'][number];

/** Filters and position as texts of a URL, which the contract of the list parses. */
export type ListQuery = Readonly<Record<string, string | undefined>>;

interface HistoryQuery {
  page_size: number;
  page_token: string | undefined;
}

/** The common interface of the three kinds of objects, so that one page serves all of them. */
export interface Kind<T extends InventoryObject> {
  /** The first segment of the paths of the API and of the console. */
  folder: 'nodes' | 'services' | 'agents';
  noun: 'node' | 'service' | 'agent';
  title: string;
  /** The field with the type, which determines the other fields. */
  typeField: 'node_type' | 'service_type' | 'agent_type';
  idField: 'node_id' | 'service_id' | 'agent_id';
  contracts: Readonly<Record<'list' | 'add' | 'change' | 'remove' | 'history', Endpoint>>;
  idOf: (object: T) => string;
  nameOf: (object: T) => string;
  typeOf: (object: T) => string;
  list: (query: ListQuery, options?: CallOptions) => Promise<CountedPage<T>>;
  get: (id: string, options?: CallOptions) => Promise<T>;
  /** @param body the contract parses it before it is sent. */
  add: (body: unknown) => Promise<T>;
  change: (id: string, body: unknown, options: CallOptions) => Promise<T>;
  remove: (id: string, query: { force: boolean }, options: CallOptions) => Promise<unknown>;
  /** The changes of an object, newest first. */
  history: (id: string, query: HistoryQuery, options: CallOptions) => Promise<ListPage<Change>>;
}

/** A page, and on request the number of all objects of its list. */
interface CountedPage<T> extends ListPage<T>, Pick<ReplyOf<typeof listNodes>, 'total' | 'total_at'> {}

const pageOf = <T extends object>(
  objects: readonly T[],
  { next_page_token: next, ...total }: Omit<ReplyOf<typeof listNodes>, 'nodes'>,
): CountedPage<T> => ({ objects, next, ...total });

/** The start of an id, enough to tell objects apart. */
export const shortId = (id: string) => id.slice(0, 8);

export const nodes: Kind<Node> = {
  folder: 'nodes',
  noun: 'node',
  title: 'Nodes',
  typeField: 'node_type',
  idField: 'node_id',
  contracts: { list: listNodes, add: addNode, change: changeNode, remove: removeNode, history: listNodeHistory },
  idOf: ({ node_id: id }) => id,
  nameOf: ({ node_name: name }) => name,
  typeOf: ({ node_type: type }) => type,
  list: async (query, options) => {
    const { nodes: objects, ...rest } = await call(
      listNodes,
      { query: parsedBy(listNodes.query, withApiValues(query)) },
      options,
    );
    return pageOf(objects, rest);
  },
  get: (id, options) => call(getNode, { params: { node_id: id } }, options),
  add: (body) => call(addNode, { body: parsedBy(addNode.body, body) }),
  change: (id, body, options) =>
    call(changeNode, { params: { node_id: id }, body: parsedBy(changeNode.body, body) }, options),
  remove: (id, query, options) => call(removeNode, { params: { node_id: id }, query }, options),
  history: async (id, query, options) => {
    const { changes: objects, next_page_token: next } = await call(
      listNodeHistory,
      { params: { node_id: id }, query },
      options,
    );
    return { objects, next };
  },
};

export const services: Kind<Service> = {
  folder: 'services',
  noun: 'service',
  title: 'Services',
  typeField: 'service_type',
  idField: 'service_id',
  contracts: {
    ...{ list: listServices, add: addService, change: changeService, remove: removeService },
    history: listServiceHistory,
  },
  idOf: ({ service_id: id }) => id,
  nameOf: ({ service_name: name }) => name,
  typeOf: ({ service_type: type }) => type,
  list: async (query, options) => {
    const { services: objects, ...rest } = await call(
      listServices,
      { query: parsedBy(listServices.query, withApiValues(query)) },
      options,
    );
    return pageOf(objects, rest);
  },
  get: (id, options) => call(getService, { params: { service_id: id } }, options),
  add: (body) => call(addService, { body: parsedBy(addService.body, body) }),
  change: (id, body, options) =>
    call(changeService, { params: { service_id: id }, body: parsedBy(changeService.body, body) }, options),
  remove: (id, query, options) => call(removeService, { params: { service_id: id }, query }, options),
  history: async (id, query, options) => {
    const { changes: objects, next_page_token: next } = await call(
      listServiceHistory,
      { params: { service_id: id }, query },
      options,
    );
    return { objects, next };
  },
};

export const agents: Kind<Agent> = {
  folder: 'agents',
  noun: 'agent',
  title: 'Agents',
  typeField: 'agent_type',
  idField: 'agent_id',
  contracts: {
    ...{ list: listAgents, add: addAgent, change: changeAgent, remove: removeAgent },
    history: listAgentHistory,
  },
  idOf: ({ agent_id: id }) => id,
  nameOf: ({ agent_type: type, agent_id: id }) => `${type} ${shortId(id)}`,
  typeOf: ({ agent_type: type }) => type,
  list: async (query, options) => {
    const { agents: objects, ...rest } = await call(
      listAgents,
      { query: parsedBy(listAgents.query, withApiValues(query)) },
      options,
    );
    return pageOf(objects, rest);
  },
  get: (id, options) => call(getAgent, { params: { agent_id: id } }, options),
  add: (body) => call(addAgent, { body: parsedBy(addAgent.body, body) }),
  change: (id, body, options) =>
    call(changeAgent, { params: { agent_id: id }, body: parsedBy(changeAgent.body, body) }, options),
  remove: (id, query, options) => call(removeAgent, { params: { agent_id: id }, query }, options),
  history: async (id, query, options) => {
    const { changes: objects, next_page_token: next } = await call(
      listAgentHistory,
      { params: { agent_id: id }, query },
      options,
    );
    return { objects, next };
  },
};

/** Whether an object is of this kind. */
export function isObjectOf<T extends InventoryObject>(kind: Kind<T>, object: object): object is T {
  return Object.hasOwn(object, kind.idField) && Object.hasOwn(object, kind.typeField);
}

/** A field that only some types have; the types of the contracts know these only at run time. */
export function fieldOf(object: InventoryObject, name: string): unknown {
  return Object.entries(object).find(([field]) => field === name)?.[1];
}

export function textOf(object: InventoryObject, name: string): string | undefined {
  const value = fieldOf(object, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
