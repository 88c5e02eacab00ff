import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_REPORTS } from '../../functions/domain/agent/report.ts';
import { https } from '../support/https.ts';
import { PASSWORD, type Site } from './browser.ts';
import { untilNodes } from './until-silent.ts';

/**
 * 2,000 nodes in 6 regions, 3,000 services in 150 clusters and 9,000 agents. Each cluster has 13 or 14 nodes with a database
 * each, and 6 or 7 proxies. Each node has four agents, each proxy one. Twelve more clusters have nasty names.
 */
const regions = [
  ['syd', 'ap-southeast-2'],
  ['sin', 'ap-southeast-1'],
  ['fra', 'eu-central-1'],
  ['dub', 'eu-west-1'],
  ['iad', 'us-east-1'],
  ['pdx', 'us-west-2'],
] as const;

const products = [
  ...[
    'ads',
    'audit',
    'billing',
    'cart',
    'catalog',
    'chat',
    'crm',
    'fraud',
    'identity',
    'invoice',
    'ledger',
    'loyalty',
    'mail',
  ],
  ...[
    'media',
    'orders',
    'payment',
    'pricing',
    'profile',
    'ranking',
    'refund',
    'search',
    'stock',
    'tax',
    'voucher',
    'wallet',
  ],
] as const;

/** The version of the exporters of some hosts, and of all others. */
export const OLD_VERSION = '2.41.2';
const VERSION = '2.44.1';
const PROCESS_VERSION = '3.4.1';

/** Every 17th host has old exporters: 6 % of them. */
const hasOldExporters = ({ index }: Cluster, number: number) => (index * 14 + number) % 17 === 0;

/** Clusters whose names are hard for a page, each of one service on a live host. */
export const nastyClusters: readonly string[] = [
  '<b>bold</b>',
  '"><script>alert(1)</script>',
  "'; drop table clusters; --",
  'a/b',
  '100% & more?',
  '#hash',
  '\u0645\u0646\u0637\u0642\u0629',
  '\u6771\u4eac-\u672c\u756a',
  '\u{1f680} launch',
  'UPPER',
  'with  two  spaces',
  'x'.repeat(128),
];

const PROXIES = 1000;
const NODES = 2000;

/** The number of the node of a cluster that is offline, stale, or never seen, and how many clusters have one. */
const silent = {
  offline: { number: 5, clusters: 42 },
  stale: { number: 6, clusters: 62 },
  never_seen: { number: 7, clusters: 54 },
};

/** The number of waiting agents: in one cluster, in its region, and in all. */
export const WAITING = { cluster: 11, region: 57, all: 86 };
export const WAITING_CLUSTER = 'ads-mysql-syd';
export const WAITING_REGION = 'ap-southeast-2';

/** Databases without a version. */
export const WITHOUT_VERSION = 25;

interface Cluster {
  index: number;
  name: string;
  code: string;
  region: string;
  hosts: number;
  proxies: number;
}

export const clusters: readonly Cluster[] = products.flatMap((product, first) =>
  regions.map(([code, region], second) => {
    const [index, count] = [first * regions.length + second, products.length * regions.length];
    const share = (of: number) => Math.floor(of / count) + (index < of % count ? 1 : 0);
    return { index, name: `${product}-mysql-${code}`, code, region, hosts: share(NODES), proxies: share(PROXIES) };
  }),
);

export const hostName = ({ name, code }: Cluster, number: number): string =>
  `${code}-${name.split('-')[0]}-db-${String(number).padStart(2, '0')}`;

export const addressOf = ({ index }: Cluster, number: number): string => `10.20.${index}.${number}`;

const stateOf = ({ index }: Cluster, number: number): string =>
  Object.entries(silent).find(
    ([, silentCluster]) => silentCluster.number === number && index < silentCluster.clusters,
  )?.[0] ?? 'live';

/** Timers with which a node has its state for as long as a test can take. */
const timers: Readonly<Record<string, object>> = {
  offline: { stale_after: '10s', offline_after: '11s' },
  stale: { stale_after: '10s', offline_after: '30d' },
};
const lively = { stale_after: '30d', offline_after: '60d' };

/** The exporters that wait, of the nodes that report. */
function isWaiting({ index, name, region }: Cluster, number: number): boolean {
  if (name === WAITING_CLUSTER) return true;
  const others = Math.floor(index / regions.length);
  const inRegion = WAITING.region - WAITING.cluster;
  if (region === WAITING_REGION) return number <= 2 && (others - 1) * 2 + number <= inRegion;
  const elsewhere = index - others - 1;
  return number === 1 && elsewhere < WAITING.all - WAITING.region;
}

interface Host {
  lines: object[];
  /** The report of its process, unless it was never seen. */
  report: object | undefined;
}

const line = (kind: string, object: object) => ({ kind, object });

function hostOf(cluster: Cluster, number: number): Host & { nodeId: string; processId: string } {
  const [nodeId, serviceId, processId] = [randomUUID(), randomUUID(), randomUUID()];
  const name = hostName(cluster, number);
  const address = addressOf(cluster, number);
  const state = stateOf(cluster, number);
  const az = `${cluster.region}${'abc'[number % 3]}`;
  const node = { node_id: nodeId, node_type: 'generic', node_name: name, address, region: cluster.region, az };
  const version = number === 2 && cluster.index < WITHOUT_VERSION ? {} : { version: '8.4.3' };
  const service = { service_id: serviceId, service_type: 'mysql', service_name: `${name}-mysql`, node_ids: [nodeId] };
  const agents = ['node_exporter', 'mysqld_exporter', 'qan_mysql_slowlog_agent'].map((agent_type, index) => ({
    ...{ agent_id: randomUUID(), agent_type, pmm_agent_id: processId },
    ...(index === 0 ? {} : { insights: { service_ids: [serviceId] } }),
  }));
  const statusOf = (type: string) =>
    type === 'mysqld_exporter' && state === 'live' && isWaiting(cluster, number) ? 'waiting' : 'running';
  return {
    nodeId,
    processId,
    lines: [
      line('node', { ...node, ...(timers[state] ?? lively) }),
      line('service', { ...service, address, port: 3306, cluster: cluster.name, ...version }),
      line('agent', { agent_id: processId, agent_type: 'pmm_agent', runs_on_node_id: nodeId }),
      ...agents.map((agent) => line('agent', agent)),
    ],
    report:
      state === 'never_seen'
        ? undefined
        : {
            pmm_agent_id: processId,
            agents: [
              { agent_id: processId, status: 'running', version: PROCESS_VERSION },
              ...agents.map(({ agent_id, agent_type }) => ({
                ...{ agent_id, status: statusOf(agent_type) },
                version: hasOldExporters(cluster, number) ? OLD_VERSION : VERSION,
              })),
            ],
          },
  };
}

/** A cluster as lines of an import, and the reports of its hosts. */
function contentOf(cluster: Cluster): { lines: object[]; reports: object[] } {
  const hosts = Array.from({ length: cluster.hosts }, (_, index) => hostOf(cluster, index + 1));
  const proxies = Array.from({ length: cluster.proxies }, (_, index) => {
    const { nodeId, processId } = hosts[index]!;
    const service_id = randomUUID();
    const endpoint = { address: addressOf(cluster, index + 1), port: 6033, version: '2.7.1', cluster: cluster.name };
    const service_name = `${hostName(cluster, index + 1)}-proxysql`;
    return [
      line('service', { service_id, service_type: 'proxysql', service_name, node_ids: [nodeId], ...endpoint }),
      line('agent', {
        ...{ agent_id: randomUUID(), agent_type: 'proxysql_exporter', pmm_agent_id: processId },
        insights: { service_ids: [service_id] },
      }),
    ];
  }).flat();
  const nasty = (cluster.index === 0 ? nastyClusters : []).map((name, index) =>
    line('service', {
      ...{ service_id: randomUUID(), service_type: 'mysql', service_name: `nasty-${index}`, cluster: name },
      ...{ node_ids: [hosts[0]!.nodeId], address: addressOf(cluster, 1), port: 3400 + index, version: '8.4.3' },
    }),
  );
  return {
    lines: [...hosts.flatMap(({ lines }) => lines), ...proxies, ...nasty],
    reports: hosts.flatMap(({ report }) => report ?? []),
  };
}

const CLUSTERS_PER_IMPORT = 7;

/** Adds the fleet by imports, lets its hosts report once, and waits until the silent ones have their states. */
export async function addLargeFleet(site: Site): Promise<void> {
  const headers = {
    Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    'Content-Type': 'application/x-ndjson',
  };
  const reports: object[] = [];
  for (let first = 0; first < clusters.length; first += CLUSTERS_PER_IMPORT) {
    const contents = clusters.slice(first, first + CLUSTERS_PER_IMPORT).map(contentOf);
    const body = contents.flatMap(({ lines }) => lines).map((line) => `${JSON.stringify(line)}\n`);
    let reply = await https(site.server.base, 'POST', '/v1/import', { headers, body: body.join('') });
    // A busy server refuses a password now and then.
    while (reply.status === 503) {
      await delay(1000);
      reply = await https(site.server.base, 'POST', '/v1/import', { headers, body: body.join('') });
    }
    expect([reply.status, /"error":.*/.exec(reply.text)?.[0]]).toEqual([200, undefined]);
    reports.push(...contents.flatMap((content) => content.reports));
  }
  for (let first = 0; first < reports.length; first += MAX_REPORTS)
    await site.write('POST', '/v1/reports', { reports: reports.slice(first, first + MAX_REPORTS) });
  for (const state of ['offline', 'stale', 'never_seen'] as const)
    await untilNodes(site, state, silent[state].clusters);
}
