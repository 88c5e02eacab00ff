import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { eventOf, openInvocations } from '../tests/costs/invocation.ts';
import { type Item, openTable, type Table } from '../shared/db/table.ts';
import type { PrepareRequest } from './compare-cpu.ts';
import { type Inventory, newKey } from './inventory.ts';
import { newProgramTokens } from './program-tokens.ts';
import { newNode, putNodes } from '../tests/support/stored-objects.ts';

/** Nodes in the table: three pages of a list. */
const NODES = 300;

/** An agent process that has reported, with its exporter. */
export interface Host {
  nodeId: string;
  processId: string;
  exporterId: string;
}

/** Requests to the functions as they are deployed, and the objects that they are about. */
export interface HandlerRequests {
  getNode: PrepareRequest;
  /** A page of 100. */
  listNodes: PrepareRequest;
  addNode: PrepareRequest;
  authorizer: PrepareRequest;
  /** Exchanges a token of a program for a key. */
  logIn: PrepareRequest;
  /** A report that says the same as the last one; @param hosts from `addHosts`. */
  report: (hosts: readonly Host[]) => PrepareRequest;
  /** Hosts whose process has reported once. */
  addHosts: (count: number) => Promise<Host[]>;
  nodeId: (number: number) => string;
  /** A node that does not exist yet, with another name at each call. */
  nextNode: () => ReturnType<typeof newNode>;
  /** The hash of the key that the authorizer checks. */
  keyHash: string;
  /** The items that a log-in with a token writes in a transaction. */
  logInItems: readonly Item[];
}

const addedSchema = z.object({ node_id: z.optional(z.string()), agent_id: z.optional(z.string()) });

const writtenSchema = z.object({
  TransactItems: z.array(z.object({ Put: z.object({ Item: z.record(z.string(), z.unknown()) }) })),
});

/** The items of the transaction that some work with a table makes, without undefined attributes. */
async function itemsWrittenBy(work: (table: Table) => Promise<unknown>, { dependencies, environment }: Inventory) {
  const table = openTable(dependencies.table.name, environment);
  const items: Item[] = [];
  table.client.use((next) => (call) => {
    const { data: written } = z.safeParse(writtenSchema, JSON.parse(JSON.stringify(call.input)));
    items.push(...(written?.TransactItems ?? []).map(({ Put }) => Put.Item));
    return next(call);
  });
  await work(table).finally(() => table.client.destroy());
  return items;
}

type Invocation = (status: number, id: string, event: APIGatewayProxyEvent) => Promise<string>;

/** Adds a node, an agent process and an exporter by the API, as their heartbeat needs it. */
async function addHost(invoke: Invocation, number: number): Promise<Host> {
  const add = async (id: string, url: string, body: object) =>
    z.parse(addedSchema, JSON.parse(await invoke(201, id, eventOf({ method: 'POST', url, body }))));
  // After all other nodes in the order of names, so that the first page of a list is the same with and without hosts.
  const node = { node_type: 'generic', node_name: `host-${number}`, address: '10.0.0.1' };
  const { node_id: nodeId = '' } = await add('addNode', '/v1/nodes', node);
  const process = { agent_type: 'pmm_agent', runs_on_node_id: nodeId };
  const { agent_id: processId = '' } = await add('addAgent', '/v1/agents', process);
  const exporter = { agent_type: 'node_exporter', pmm_agent_id: processId };
  const { agent_id: exporterId = '' } = await add('addAgent', '/v1/agents', exporter);
  return { nodeId, processId, exporterId };
}

/** What the exporter of a host is, in every report. */
export const REPORTED = { status: 'running', listen_port: 42_000, version: '1.9.0' } as const;

function reportEvent({ processId, exporterId }: Host): APIGatewayProxyEvent {
  const body = { agents: [{ agent_id: exporterId, ...REPORTED }] };
  return eventOf({ method: 'POST', url: `/v1/agents/${processId}/report`, body });
}

function additionEvent({
  node_type,
  node_name,
  address,
  distro,
  machine_id,
  az,
  custom_labels,
}: ReturnType<typeof newNode>) {
  const body = { node_type, node_name, address, distro, machine_id, az, custom_labels };
  return eventOf({ method: 'POST', url: '/v1/nodes', body });
}

/** Fills the table of an inventory with nodes and a key. */
export async function openHandlerRequests(inventory: Inventory): Promise<HandlerRequests> {
  const { dependencies } = inventory;
  const nodes = Array.from({ length: NODES }, (_, number) => newNode(number));
  await putNodes(dependencies.table, nodes);
  const key = await newKey(dependencies.table);
  const { identityProviders, binding, nextLogIn } = newProgramTokens();
  const { invoke, authorise } = await openInvocations({ ...dependencies, identityProviders });
  const expect: Invocation = async (status, id, event) => {
    const reply = await invoke(id, event);
    if (reply.statusCode !== status) throw new Error(`${id}: ${reply.body}`);
    return reply.body;
  };
  await expect(201, 'addRoleBinding', eventOf({ method: 'POST', url: '/v1/role-bindings', body: binding }));
  const logInEvent = () => eventOf({ method: 'POST', url: '/v1/logins', body: nextLogIn() });
  const logInItems = await itemsWrittenBy(async (table) => {
    const { invoke: invokeWith } = await openInvocations({ ...dependencies, table, identityProviders });
    return invokeWith('logIn', logInEvent());
  }, inventory);
  const nodeId = (number: number) => nodes[number % NODES]?.node_id ?? '';
  let added = NODES;
  const nextNode = () => newNode((added += 1));
  const prepare =
    (status: number, id: string, eventFor: (number: number) => APIGatewayProxyEvent): PrepareRequest =>
    (number) => {
      const event = eventFor(number);
      return () => expect(status, id, event);
    };
  return {
    getNode: prepare(200, 'getNode', (number) => eventOf({ method: 'GET', url: `/v1/nodes/${nodeId(number)}` })),
    listNodes: prepare(200, 'listNodes', () => eventOf({ method: 'GET', url: '/v1/nodes?page_size=100' })),
    addNode: prepare(201, 'addNode', () => additionEvent(nextNode())),
    authorizer: () => {
      const headers = { Authorization: `Bearer ${key.text}` };
      const event = eventOf({ method: 'GET', url: '/v1/version', headers });
      return async () => {
        if (!(await authorise(event))) throw new Error('refused');
      };
    },
    logIn: prepare(201, 'logIn', logInEvent),
    report: (hosts) => prepare(200, 'reportAgents', (number) => reportEvent(hostAt(hosts, number))),
    addHosts: async (count) => {
      const hosts: Host[] = [];
      for (let number = 0; number < count; number += 1) {
        const host = await addHost(expect, number);
        await expect(200, 'reportAgents', reportEvent(host));
        hosts.push(host);
      }
      return hosts;
    },
    nodeId,
    nextNode,
    keyHash: key.hash,
    logInItems,
  };
}

/** The host of a request: one after the other. */
export function hostAt(hosts: readonly Host[], number: number): Host {
  const host = hosts[number % hosts.length];
  if (host === undefined) throw new Error('no hosts');
  return host;
}
