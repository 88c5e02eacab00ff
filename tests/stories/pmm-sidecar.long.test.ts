/** The sidecars of Percona's operators for MySQL, MongoDB and PostgreSQL, by the calls of PMM 3. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  cleanUp,
  listAgents,
  listAudit,
  listNodes,
  listServices,
  reportAgents,
} from '../../clients/typescript/src/index.ts';
import { eventually } from '../end-to-end/processes.ts';
import { assertCode, startStory, type Story } from './story.ts';

/** The database of each operator, and the agents of its pod. */
const databases = {
  mysql: ['mysqld_exporter', 'node_exporter', 'pmm_agent', 'qan_mysql_perfschema_agent'],
  mongodb: ['mongodb_exporter', 'node_exporter', 'pmm_agent', 'qan_mongodb_profiler_agent'],
  postgresql: ['node_exporter', 'pmm_agent', 'postgres_exporter', 'qan_postgresql_pgstatmonitor_agent'],
} as const;

type Database = keyof typeof databases;

let story: Story;
beforeAll(async () => (story = await startStory()));
afterAll(() => story.stop());

interface Pod {
  sidecar: ChildProcessWithoutNullStreams;
  /** The id of its pmm_agent. */
  agent: string;
  /** Its exit code and its signal. */
  ended: Promise<unknown[]>;
}

/** Starts the sidecar of a pod, and waits until it has registered its database. */
async function startPod(database: Database, number: number): Promise<Pod> {
  const env = {
    ...{ POD_NAMESPACE: 'shop', POD_NAME: `${database}-${number}`, POD_IP: `10.1.0.${number}` },
    ...{ CLUSTER: `shop-${database}`, DB_TYPE: database },
  };
  const sidecar = story.start('pmm-sidecar.ts', { env });
  let [out, err] = ['', ''];
  sidecar.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  sidecar.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(sidecar, 'close');
  await Promise.race([eventually(() => out.endsWith('\n')), ended]);
  if (!out.endsWith('\n')) throw new Error(`the sidecar ended: ${err}`);
  return { sidecar, agent: out.trim(), ended };
}

async function end({ sidecar, ended }: Pod, signal: NodeJS.Signals): Promise<unknown[]> {
  sidecar.kill(signal);
  return ended;
}

const nodeNames = async () => (await listNodes(story.admin)).nodes.map(({ node_name: name }) => name).sort();

describe.each(Object.keys(databases) as Database[])('%s', (database) => {
  const name = `shop-${database}-0`;

  test('registers its node, service and agents with a pod, and preStop removes them', async () => {
    const pod = await startPod(database, 0);
    const [node] = (await listNodes(story.admin, { name_prefix: name })).nodes;
    expect(node).toMatchObject({ node_type: 'container', node_name: name, address: '10.1.0.0' });
    const { services } = await listServices(story.admin);
    expect(services).toMatchObject([{ service_type: database, service_name: name, cluster: `shop-${database}` }]);
    const { agents } = await listAgents(story.admin);
    expect(agents.map((agent) => agent.agent_type).sort()).toEqual(databases[database]);
    expect(JSON.stringify([services, agents])).not.toContain('canary-of-pod');
    const { entries } = await listAudit(story.admin, { event: 'annotation.added' });
    expect(entries[0]).toMatchObject({ after: { text: 'Service restarted', service_names: [name] } });

    expect(await end(pod, 'SIGTERM')).toEqual([0, null]);
    expect([await nodeNames(), (await listServices(story.admin)).services]).toEqual([[], []]);
    expect((await listAgents(story.admin)).agents).toEqual([]);
  });

  test('keeps node and service of a killed pod that restarts under its name', async () => {
    const first = await startPod(database, 0);
    const before = [(await listNodes(story.admin)).nodes, (await listServices(story.admin)).services] as const;
    expect(await end(first, 'SIGKILL')).toEqual([null, 'SIGKILL']);
    const second = await startPod(database, 0);
    const after = [(await listNodes(story.admin)).nodes, (await listServices(story.admin)).services] as const;
    expect(after[0].map(({ node_id: id }) => id)).toEqual([before[0][0]!.node_id]);
    expect(after[1]).toEqual(before[1]);
    expect(await end(second, 'SIGTERM')).toEqual([0, null]);
    expect(await nodeNames()).toEqual([]);
  });
});

test('a pod that is killed without preStop is removed after its lifetime, and reporting pods remain', async () => {
  const pods = await Promise.all((Object.keys(databases) as Database[]).map((database) => startPod(database, 1)));
  const [killed, ...alive] = pods as [Pod, ...Pod[]];
  assertCode(await story.run('pod-lifetime.sh'));
  await reportAgents(story.admin, { agent_id: killed.agent, agents: [] });
  await end(killed, 'SIGKILL');
  await eventually(async () => {
    await delay(500);
    for (const { agent } of alive) await reportAgents(story.admin, { agent_id: agent, agents: [] });
    const { removed } = await cleanUp(story.admin, { max_removals_percent: 100 });
    return removed.length > 0;
  });
  expect(await nodeNames()).toEqual(['shop-mongodb-1', 'shop-postgresql-1']);
  for (const pod of alive) expect(await end(pod, 'SIGTERM')).toEqual([0, null]);
  expect(await nodeNames()).toEqual([]);
});
