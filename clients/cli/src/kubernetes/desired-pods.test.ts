import { commandCall, type SentRequest } from '../../../../tests/support/command-call.ts';
import { PodPlanner, selectorOf } from './desired-pods.ts';
import type { DatabasePod } from './pods.ts';

const { signal } = new AbortController();

const pod = (name: string, more: Partial<DatabasePod> = {}): DatabasePod => ({
  ...{ namespace: 'prod', name, address: '10.0.0.1', type: 'mysql', port: 3306 },
  ...{ cluster: undefined, replicationSet: undefined, ...more },
});

const node = { node_id: 'n', node_name: 'k/prod/a-0', node_type: 'container', address: '10.0.0.9' };
const agent = { agent_id: 'i', agent_type: 'pmm_agent', runs_on_node_id: 'n' };

interface PlannedPart {
  items?: readonly object[];
  items_left_out?: number;
}

/** Plans the pods of the cluster `k`, whose inventory has one node with one agent; each plan is the next of these. */
async function plan(pods: readonly DatabasePod[], plans: readonly PlannedPart[] = [], more: object = {}) {
  const rest = [...plans];
  const call = commandCall({
    answer: ({ method }: SentRequest) =>
      method === 'GET'
        ? { nodes: [node], services: [], agents: [agent] }
        : { plan_id: 'p', state: 'planned', items: [], ...(rest.length > 1 ? rest.shift() : rest[0]) },
  });
  const scope = { client: await call.connect(), cluster: 'k', namespace: undefined, maxRemovals: undefined, ...more };
  const planner = new PodPlanner(scope);
  const all = new Map(pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod]));
  const ended = planner.plan(all, signal);
  const failure: unknown = await ended.then(
    () => undefined,
    (error: unknown) => error,
  );
  const bodies = call.sent.flatMap(({ method, body }) => (method === 'GET' ? [] : [body]));
  return { failure, body: bodies.at(-1), count: bodies.length, reads: call.sent.length - bodies.length };
}

test('the scope is the cluster, or one namespace of it, with quoted names', () => {
  expect([
    selectorOf({ cluster: 'k', namespace: undefined }),
    selectorOf({ cluster: 'a"\\', namespace: 'prod' }),
  ]).toEqual(['kubernetes="k"', 'kubernetes="a\\"\\\\",namespace="prod"']);
});

test('a pod is a node and a service with one name, and the labels of its cluster and namespace', async () => {
  const labels = { custom_labels: { kubernetes: 'k', namespace: 'prod' } };
  const { body, reads } = await plan([pod('a-0', { cluster: 'orders', replicationSet: 'rs0' })], [], {
    maxRemovals: 30,
  });
  expect([body, reads]).toMatchObject([
    {
      mode: 'plan',
      scope: { selector: 'kubernetes="k"' },
      max_removals_percent: 30,
      desired: {
        nodes: [{ node_type: 'container', node_name: 'k/prod/a-0', address: '10.0.0.1', ...labels }],
        services: [
          {
            ...{ service_type: 'mysql', service_name: 'k/prod/a-0', node_names: ['k/prod/a-0'], ...labels },
            ...{ address: '10.0.0.1', port: 3306, cluster: 'orders', replication_set: 'rs0' },
          },
        ],
        agents: [],
      },
    },
    0,
  ]);
  const { body: other } = await plan([pod('a-0', { type: 'external' })]);
  expect(other.max_removals_percent).toBeUndefined();
  expect(Object.keys(other.desired.services[0])).toEqual([
    ...['service_type', 'service_name', 'node_names', 'custom_labels'],
  ]);
});

test('a restarting pod keeps its address and agents, and a new one waits for an address', async () => {
  const { body } = await plan([pod('a-0', { address: undefined }), pod('b-0', { address: undefined })]);
  expect(
    body.desired.nodes.map((node: { node_name: string; address: string }) => [node.node_name, node.address]),
  ).toEqual([['k/prod/a-0', '10.0.0.9']]);
  expect(body.desired.agents).toEqual([{ agent_type: 'pmm_agent', runs_on_node_name: 'k/prod/a-0' }]);
});

const change = { kind: 'agent', action: 'remove' };

test.each([
  ['on a pod', { ...change, runs_on_node_name: 'k/prod/a-0' }],
  ['whose targets are pods', { ...change, insights: { service_names: ['k/prod/a-0'] } }],
  ['whose targets are nodes of pods', { ...change, insights: { node_names: ['k/prod/a-0'] } }],
  ['that is added', { kind: 'agent', action: 'add' }],
])('a plan that removes an agent %s is made again with the agents of the inventory', async (_, item) => {
  const { failure, count, reads, body } = await plan([pod('a-0')], [{ items: [item] }, {}]);
  expect([failure, count, reads > 0, body.desired.agents.length]).toEqual([undefined, 2, true, 1]);
});

test.each([
  ['an agent on no pod', { ...change, runs_on_node_name: 'other' }],
  [
    'an agent on a pod with another target',
    { ...change, runs_on_node_name: 'k/prod/a-0', insights: { node_names: ['other'] } },
  ],
  ['an agent without a place and targets', change],
  ['a node', { kind: 'node', action: 'remove', node_name: 'k/prod/b-0' }],
])('a plan that removes %s is accepted', async (_, item) => {
  expect(await plan([pod('a-0')], [{ items: [item] }])).toMatchObject({ failure: undefined, count: 1, reads: 0 });
});

test('a plan with hidden items is made again once with the agents', async () => {
  const { failure, count } = await plan([pod('a-0')], [{ items_left_out: 1 }]);
  expect([failure, count]).toEqual([undefined, 2]);
});

test('three plans that agents have overtaken are a conflict', async () => {
  const { failure, count } = await plan([pod('a-0')], [{ items: [{ kind: 'agent', action: 'add' }] }]);
  expect(failure).toMatchObject({ exit: 'conflict' });
  expect(count).toBe(3);
});
