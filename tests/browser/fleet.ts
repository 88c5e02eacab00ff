import type { Site } from './browser.ts';

/**
 * 60 nodes, 90 services and 300 agents in 15 clusters, of which some need attention.
 *
 * Each cluster has four nodes (`ledger-3-host-1` to `-4`) with a database each (`ledger-3-db-1` to `-4`), and two proxies
 * (`ledger-3-proxy-1` and `-2`) on the nodes 1 and 3. Each node has a pmm_agent, a node_exporter and a vm_agent, and two
 * agents for its database.
 */
export interface Fleet {
  /** Ids by names of nodes and services. */
  ids: Readonly<Record<string, string>>;
  /** Each node's pmm_agent id, by node name. */
  processes: Readonly<Record<string, string>>;
}

export type Writes = Pick<Site, 'api' | 'write'>;

const places = [
  { name: 'ledger', region: 'eu-central-1', database: 'postgresql', port: 5432, proxy: 'haproxy' },
  { name: 'orders', region: 'us-east-1', database: 'mysql', port: 3306, proxy: 'proxysql' },
  { name: 'search', region: 'ap-south-1', database: 'mongodb', port: 27_017, proxy: 'haproxy' },
] as const;

const exporters = {
  postgresql: ['postgres_exporter', 'qan_postgresql_pgstatements_agent'],
  mysql: ['mysqld_exporter', 'qan_mysql_slowlog_agent'],
  mongodb: ['mongodb_exporter', 'qan_mongodb_profiler_agent'],
} as const;

const CLUSTERS_PER_PLACE = 5;
const NODES_PER_CLUSTER = 4;

/** The least that the timers of a node may be. */
const silent = { stale_after: '10s', offline_after: '11s' };

/** Nodes without further reports. All others stay live for as long as a test can take. */
export const OFFLINE_NODES = ['ledger-3-host-2', 'ledger-5-host-1', 'orders-2-host-1'] as const;
export const STALE_NODES = ['ledger-3-host-4', 'search-1-host-2'] as const;
export const NEVER_SEEN_NODES = ['search-5-host-4'] as const;

const timers = new Map<string, object>([
  ...OFFLINE_NODES.map((name) => [name, silent] as const),
  ...STALE_NODES.map((name) => [name, { stale_after: '10s', offline_after: '30d' }] as const),
]);
const lively = { stale_after: '30d', offline_after: '60d' };

/** The reported status of the agents of a database, where it is not `running`. */
const statuses = new Map([
  ['ledger-1-db-1', 'waiting'],
  ['orders-4-db-2', 'done'],
]);

/** The number of enabled agents that wait or do not run: two of each database in `statuses`. */
export const IDLE_AGENTS = { waiting: 2, not_running: 2 } as const;

interface Operation {
  op: string;
  ref: string;
  body: Record<string, unknown>;
}

function hostOf(place: (typeof places)[number], cluster: string, number: number): Operation[] {
  const { region, database, port } = place;
  const host = `${cluster}-host-${number}`;
  const service = `${cluster}-db-${number}`;
  const az = `${region}${'abc'[(number - 1) % 3]}`;
  const node = { node_type: 'generic', node_name: host, address: `${host}.example.com`, region, az };
  const [exporter, analytics] = exporters[database];
  const under = { pmm_agent_id: `$pmm_${number}` };
  const insights = { insights: { service_ids: [`$db_${number}`] } };
  const agent = (name: string, body: Record<string, unknown>) => ({ op: 'addAgent', ref: `${name}_${number}`, body });
  return [
    {
      op: 'addNode',
      ref: `host_${number}`,
      body: { ...node, ...(timers.get(host) ?? lively), custom_labels: { tier: number === 1 ? 'gold' : 'silver' } },
    },
    {
      op: 'addService',
      ref: `db_${number}`,
      body: {
        service_type: database,
        service_name: service,
        node_ids: [`$host_${number}`],
        address: `${host}.example.com`,
        port,
        cluster,
        environment: cluster.endsWith('5') ? 'staging' : 'production',
      },
    },
    agent('pmm', { agent_type: 'pmm_agent', runs_on_node_id: `$host_${number}` }),
    agent('machine', { agent_type: 'node_exporter', ...under }),
    agent('scraper', { agent_type: 'vm_agent', ...under }),
    agent('exporter', { agent_type: exporter, ...under, ...insights }),
    agent('analytics', { agent_type: analytics, ...under, ...insights }),
  ];
}

function proxyOf(place: (typeof places)[number], cluster: string, number: number): Operation {
  const endpoint = place.proxy === 'haproxy' ? {} : { address: `${cluster}-proxy-${number}.example.com`, port: 6033 };
  const body = {
    service_type: place.proxy,
    service_name: `${cluster}-proxy-${number}`,
    node_ids: [`$host_${2 * number - 1}`],
    cluster,
    environment: cluster.endsWith('5') ? 'staging' : 'production',
    ...endpoint,
  };
  return { op: 'addService', ref: `proxy_${number}`, body };
}

/** Adds the objects of one cluster; returns their ids by the names of the operations. */
async function addCluster(site: Writes, operations: readonly Operation[]): Promise<Map<string, string>> {
  const { results } = await site.write('POST', '/v1/batch', { operations });
  return new Map(
    operations.map(({ ref }, index) => {
      const { status, id, error } = results[index];
      if (status !== 201) throw new Error(JSON.stringify(error));
      return [ref, id as string];
    }),
  );
}

/** Adds the fleet, and lets each node report once. @param wait until the silent nodes have the state that they shall have. */
export async function addFleet(site: Writes, wait: (site: Writes) => Promise<void> | void): Promise<Fleet> {
  const ids: Record<string, string> = {};
  const processes: Record<string, string> = {};
  for (const place of places)
    for (let index = 1; index <= CLUSTERS_PER_PLACE; index += 1) {
      const cluster = `${place.name}-${index}`;
      const numbers = Array.from({ length: NODES_PER_CLUSTER }, (_, position) => position + 1);
      const operations = [
        ...numbers.flatMap((number) => hostOf(place, cluster, number)),
        ...[1, 2].map((number) => proxyOf(place, cluster, number)),
      ];
      const added = await addCluster(site, operations);
      for (const [ref, id] of added) {
        const [part = '', number = ''] = ref.split('_');
        if (['host', 'db', 'proxy'].includes(part)) ids[`${cluster}-${part}-${number}`] = id;
        if (part === 'pmm') processes[`${cluster}-host-${number}`] = id;
      }
      for (const number of numbers) {
        const host = `${cluster}-host-${number}`;
        if (NEVER_SEEN_NODES.some((name) => name === host)) continue;
        const status = statuses.get(`${cluster}-db-${number}`) ?? 'running';
        const agents = ['machine', 'scraper', 'exporter', 'analytics'].map((part) => ({
          agent_id: added.get(`${part}_${number}`),
          status: part === 'exporter' || part === 'analytics' ? status : 'running',
        }));
        await site.write('POST', `/v1/agents/${processes[host]}/report`, { agents });
      }
    }
  await wait(site);
  return { ids, processes };
}
