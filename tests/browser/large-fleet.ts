import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_REPORTS } from '../../functions/domain/agent/report.ts';
import { https } from '../support/https.ts';
import { PASSWORD, type Site } from './browser.ts';
import { untilNodes } from './until-silent.ts';

/**
 * 1,983 nodes in 6 regions, 3,005 services and 8,910 agents. 150 clusters have 2 to 58 nodes with a database each, and a proxy
 * for about every second of them. Each node has four agents, almost each proxy one. Twelve more clusters have nasty names.
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
const hasOldExporters = ({ hostsBefore }: Cluster, number: number) => (hostsBefore + number) % 17 === 0;

/** Proxies without an agent: every 32nd. */
const hasAgent = (proxy: number) => proxy % 32 !== 0;

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

/** The names of the last hosts of the largest cluster. */
export const nastyHosts: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '"quoted" o\'host',
  '100% & more_host?',
  '\u0645\u0636\u064a\u0641-\u0661',
  '\u4e3b\u6a5f-\u6771\u4eac',
  '\u{1f680} rocket host',
];

/** The numbers of nodes that are offline, stale, or never seen: one of each in a cluster that has enough of them. */
export const SILENT = { offline: 46, stale: 60, never_seen: 48 };

/** The number of the silent node in its cluster. */
const silentNumbers = { offline: 5, stale: 6, never_seen: 7 };
const MIN_HOSTS_WITH_SILENT = Math.max(...Object.values(silentNumbers));

/** The number of waiting agents: in one cluster, in its region, and in all. */
export const WAITING = { cluster: 11, region: 56, all: 85 };
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
  /** Of the clusters before it. */
  hostsBefore: number;
  proxies: number;
  /** Of the clusters before it. */
  proxiesBefore: number;
}

const CLUSTERS = products.length * regions.length;

/** 58 to 2 hosts by rank: few clusters are large. The exponent makes 1,983 in all. */
const hostsOfRank = (rank: number) => 2 + Math.round(56 * (1 - rank / (CLUSTERS - 1)) ** 4.033);

/** Mixes large and small clusters in all regions: the factor has no divisor with the number of clusters in common. */
const hostsOf = (index: number) => hostsOfRank((index * 67 + 43) % CLUSTERS);

const hostsBefore = (index: number) =>
  Array.from({ length: index }, (_, before) => hostsOf(before)).reduce((sum, hosts) => sum + hosts, 0);

const NODES = hostsBefore(CLUSTERS);
const PROXIES = 1010;
const proxiesBefore = (index: number) => Math.floor((hostsBefore(index) * PROXIES) / NODES);

export const clusters: readonly Cluster[] = products.flatMap((product, first) =>
  regions.map(([code, region], second) => {
    const index = first * regions.length + second;
    return {
      ...{ index, name: `${product}-mysql-${code}`, code, region },
      ...{ hosts: hostsOf(index), hostsBefore: hostsBefore(index) },
      ...{ proxies: proxiesBefore(index + 1) - proxiesBefore(index), proxiesBefore: proxiesBefore(index) },
    };
  }),
);

/** It has 58 hosts. */
export const largestCluster = clusters.reduce((largest, cluster) =>
  cluster.hosts > largest.hosts ? cluster : largest,
);

const regularHostName = ({ name, code }: Cluster, number: number) =>
  `${code}-${name.split('-')[0]}-db-${String(number).padStart(2, '0')}`;

export const hostName = (cluster: Cluster, number: number): string =>
  (cluster === largestCluster ? nastyHosts[cluster.hosts - number] : undefined) ?? regularHostName(cluster, number);

export const addressOf = ({ index }: Cluster, number: number): string => `10.20.${index}.${number}`;

/** The clusters with silent nodes, the first of which have one of each state. */
const withSilent = clusters.filter(({ hosts }) => hosts >= MIN_HOSTS_WITH_SILENT);

const stateOf = (cluster: Cluster, number: number): keyof typeof SILENT | 'live' => {
  const place = withSilent.indexOf(cluster);
  const hasState = (state: keyof typeof SILENT) =>
    silentNumbers[state] === number && place >= 0 && place < SILENT[state];
  return (['offline', 'stale', 'never_seen'] as const).find(hasState) ?? 'live';
};

/** Timers with which a node has its state for as long as a test can take. */
const timers: Readonly<Record<string, object>> = {
  offline: { stale_after: '10s', offline_after: '11s' },
  stale: { stale_after: '10s', offline_after: '30d' },
};
const lively = { stale_after: '30d', offline_after: '60d' };

/** The addresses of live hosts of these clusters, the first ones of each. */
const liveAddresses = (of: readonly Cluster[], most: number) =>
  of.flatMap((cluster) =>
    Array.from({ length: cluster.hosts }, (_, index) => index + 1)
      .filter((number) => stateOf(cluster, number) === 'live')
      .slice(0, most)
      .map((number) => addressOf(cluster, number)),
  );

/** The addresses of the hosts whose exporter waits. */
const waiting: ReadonlySet<string> = new Set([
  ...liveAddresses(
    clusters.filter(({ name }) => name === WAITING_CLUSTER),
    WAITING.cluster,
  ),
  ...liveAddresses(
    clusters.filter(({ name, region }) => region === WAITING_REGION && name !== WAITING_CLUSTER),
    2,
  ).slice(0, WAITING.region - WAITING.cluster),
  ...liveAddresses(
    clusters.filter(({ region }) => region !== WAITING_REGION),
    1,
  ).slice(0, WAITING.all - WAITING.region),
]);

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
  const statusOf = (type: string) => (type === 'mysqld_exporter' && waiting.has(address) ? 'waiting' : 'running');
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
    const agent = { agent_id: randomUUID(), agent_type: 'proxysql_exporter', pmm_agent_id: processId };
    return [
      line('service', { service_id, service_type: 'proxysql', service_name, node_ids: [nodeId], ...endpoint }),
      ...(hasAgent(cluster.proxiesBefore + index)
        ? [line('agent', { ...agent, insights: { service_ids: [service_id] } })]
        : []),
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
  for (const state of ['offline', 'stale', 'never_seen'] as const) await untilNodes(site, state, SILENT[state]);
}
