import { metrics, metricsLine } from '../../gateway/container/metrics.ts';
import { readContainerSettings } from '../../gateway/container/settings.ts';
import { CHECK_MS, EARLY_SHARE, PING_MS } from '../../gateway/relay/agent-gateway.ts';
import { MAX_PAIRS } from '../../gateway/relay/admissions.ts';
import { agentGatewayOptions } from '../../infra/settings/agent-gateway-options.ts';
import { type Resource, resourcesOf, synthesise } from '../../infra/synthesis/synthesise.ts';
import { markdownTable } from '../../shared/openapi/markdown.ts';
import { GROUPED_HOSTS, groupedUnits } from '../../tests/costs/grouped.ts';
import { atRest } from './fleet-tables.ts';
import { monthOfReports, monthOfCleanups, monthOfStorage, MONTH_SECONDS, tracedShare } from './fleets.ts';
import { billOf, plus, sumOf, times, type Usage } from './prices.ts';
import { reporting } from './reporting.ts';
import { reportRequests, usd } from './request-tables.ts';
import { callUsage, costOf, durationOf, invocation, logLineBytes, logUsage, type TimedRequest } from './requests.ts';

const MONTH_HOURS = MONTH_SECONDS / 3600;

/** USD a month for 10,000 hosts through the gateway, with the table and all that is billed at rest. */
export const GATEWAY_TARGET = { hosts: 10_000, usd: 200 } as const;

/** Hosts and containers of the columns of the document. */
export const GATEWAYS = [
  { hosts: 1000, tasks: 1 },
  { hosts: GATEWAY_TARGET.hosts, tasks: 2 },
] as const;

/** Types of resources of the gateway that are not billed by themselves. */
const FREE = [
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::EC2::InternetGateway',
  'AWS::EC2::Route',
  'AWS::EC2::RouteTable',
  'AWS::EC2::SecurityGroup',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::Subnet',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPC',
  'AWS::EC2::VPCGatewayAttachment',
  'AWS::ECS::Cluster',
  'AWS::ECS::Service',
  'AWS::ElasticLoadBalancingV2::Listener',
  'AWS::ElasticLoadBalancingV2::TargetGroup',
  'AWS::IAM::Role',
  'AWS::Logs::LogGroup',
];

/** Alarms that Application Auto Scaling creates for a policy that tracks a metric. */
const ALARMS_OF_TRACKING = 2;

/** Hours of containers, balancers and public addresses, and what else is billed for a resource. @throws Error for one without a price. */
function usageOf({ type, properties }: Resource, tasks: number): Usage {
  const is = (name: string, value: unknown) => properties[name] === value;
  switch (type) {
    case 'AWS::ECS::TaskDefinition':
      return {
        fargateVcpuHours: (tasks * MONTH_HOURS * Number(properties['Cpu'])) / 1024,
        fargateGbHours: (tasks * MONTH_HOURS * Number(properties['Memory'])) / 1024,
      };
    case 'AWS::ElasticLoadBalancingV2::LoadBalancer': {
      const { Subnets: subnets = [] } = properties;
      const zones = is('Scheme', 'internet-facing') && Array.isArray(subnets) ? subnets.length : 0;
      return { balancerHours: MONTH_HOURS, addressHours: zones * MONTH_HOURS };
    }
    case 'AWS::ApplicationAutoScaling::ScalingPolicy':
      return { alarms: is('PolicyType', 'TargetTrackingScaling') ? ALARMS_OF_TRACKING : 0 };
    case 'AWS::CloudWatch::Alarm':
      return { alarms: 1 };
    case 'AWS::SecretsManager::Secret':
      return { secrets: 1 };
    default:
      if (!FREE.includes(type))
        throw new Error(`${type} of the agent gateway has no price in tools/costs/agent-gateway.ts.`);
      return {};
  }
}

/** The resources that a stack has with the gateway only. */
export function gatewayResources(tasks: number): Resource[] {
  const others = new Set(resourcesOf(synthesise()).map(({ path }) => path));
  const all = resourcesOf(synthesise({ ...agentGatewayOptions, agentGatewayTasks: tasks }));
  return all.filter(({ path }) => !others.has(path));
}

/** A month of the resources of the gateway, without agents. */
function monthOfResources(tasks: number): Usage {
  const resources = gatewayResources(tasks);
  const [service] = resources.filter(({ type }) => type === 'AWS::ECS::Service');
  const hasAddresses = JSON.stringify(service?.properties).includes('"AssignPublicIp":"ENABLED"');
  return plus(...resources.map((one) => usageOf(one, tasks)), {
    addressHours: hasAddresses ? tasks * MONTH_HOURS : 0,
    metrics: Object.keys(metrics).length,
  });
}

/** Connections of a unit of the balancer (TLS). Agents need no other dimension of it: they send few bytes. */
const STREAMS_OF_A_UNIT = 3000;

/** Bytes on the wire: headers of IP and TCP with their options, a record of TLS, a frame of HTTP/2, and of gRPC, a ping. */
const SEGMENT_BYTES = 52;
const PING_BYTES = 22 + 9 + 5 + 8;

/** A month of idle streams: units of the balancer, pings, and the replies to them. */
function monthOfStreams(hosts: number): Usage {
  const pings = hosts * ((MONTH_SECONDS * 1000) / PING_MS);
  // A ping, and the acknowledgement of its reply.
  const sent = pings * (SEGMENT_BYTES + PING_BYTES + SEGMENT_BYTES);
  return {
    balancerUnits: (hosts / STREAMS_OF_A_UNIT) * MONTH_HOURS,
    internetBytes: sent,
    // Of two zones: half of the bytes, in both directions, billed on both sides.
    zoneBytes: ((2 * sent) / 2) * 2,
  };
}

const feed: TimedRequest = { function: 'listChanges', request: 'nothing new', cpuMs: 3.5 };
const admission: TimedRequest = {
  function: 'admitAgents',
  request: 'a host with one agent and its service',
  cpuMs: 3.5,
};
const lines = logUsage(logLineBytes.gateway + logLineBytes.function);

/** A month of reads of the change feed. */
function monthOfFeed(tasks: number): Usage {
  const { feedMs } = readContainerSettings({ API_URL: 'https://inventory.example.com', KEY_FILE: '/key' });
  const perSecond = (tasks * 1000) / feedMs;
  const reads = perSecond * MONTH_SECONDS;
  return times(plus(callUsage(feed), { gatewayRequests: 1, traces: tracedShare(perSecond) }, lines), reads);
}

/** A month of the repeated checks of the keys of agents, in requests for many of them. */
function monthOfChecks(hosts: number): Usage {
  const checks = hosts * ((MONTH_SECONDS * 1000) / CHECK_MS);
  const requests = checks / Math.min(hosts, MAX_PAIRS);
  const { readUnits, writeUnits } = costOf(admission);
  return plus(
    times(
      { readUnits, writeUnits, lambdaGbSeconds: invocation(durationOf(admission.cpuMs, 0)).lambdaGbSeconds },
      checks,
    ),
    times(plus(invocation(durationOf(0, costOf(admission).steps)), { gatewayRequests: 1, traces: 1 }, lines), requests),
  );
}

/** Requests of a container in an interval for hosts that are due at another time than most, at most (a test counts them). */
const FURTHER_REQUESTS = 4;

/**
 * A month of reports. At most: each host is as early as the gateway permits, and each request has hosts of all groups,
 * because hosts change between containers.
 */
function monthOfRelayedReports(hosts: number, tasks: number): Usage {
  const intervals = MONTH_SECONDS / ((1 - EARLY_SHARE) * reporting.intervalSeconds);
  const requests = intervals * tasks * (Math.ceil(hosts / tasks / reporting.hostsPerRequest) + FURTHER_REQUESTS);
  const hostsPerRequest = (hosts * intervals) / requests;
  const groups = Math.ceil(hosts / GROUPED_HOSTS);
  const { readUnits, writeUnits } = groupedUnits.written;
  const month = monthOfReports('relayed', hosts, reportRequests, {
    ...reporting,
    intervalSeconds: MONTH_SECONDS / intervals,
    hostsPerRequest,
  });
  const { readUnits: _, writeUnits: __, ...others } = month;
  const renewed = times(groupedUnits.renewed, (hosts / GROUPED_HOSTS) * (MONTH_SECONDS / 86_400));
  return plus(others, renewed, times({ readUnits: groups * readUnits, writeUnits: groups * writeUnits }, requests));
}

/** A month of the lines of metrics. */
function monthOfLogs(tasks: number): Usage {
  const values = { streams: 10_000, feedAgeMs: 3000, refused: 0, before: [], keyAgeMs: 86_400_000 };
  return times(
    logUsage(26 + metricsLine('MonitoringInventory-00000000', values, new Date()).length),
    tasks * (MONTH_SECONDS / 60),
  );
}

const partsOf = ({ hosts, tasks }: { hosts: number; tasks: number }): [string, Usage][] => {
  const {
    fargateVcpuHours = 0,
    fargateGbHours = 0,
    balancerHours = 0,
    addressHours = 0,
    ...others
  } = monthOfResources(tasks);
  const { balancerUnits = 0, ...bytes } = monthOfStreams(hosts);
  return [
    ['containers, ARM', { fargateVcpuHours, fargateGbHours }],
    ['Network Load Balancer: hours', { balancerHours }],
    ['its units for streams', { balancerUnits }],
    ['public addresses, of the balancer and of the containers', { addressHours }],
    ['secret, alarms, metrics, their log', plus(others, monthOfLogs(tasks))],
    [`pings every ${PING_MS / 1000} seconds: transfer to agents, and between zones`, bytes],
    ['reads of the change feed', monthOfFeed(tasks)],
    ['repeated checks of keys', monthOfChecks(hosts)],
    ['reports', monthOfRelayedReports(hosts, tasks)],
    ['table, cleanups', plus(monthOfCleanups(hosts), monthOfStorage(hosts))],
    ['the service at rest', atRest],
  ];
};

/** USD a month for a fleet of agents, with everything else of the service. */
export const gatewayMonth = (of: { hosts: number; tasks: number }) =>
  partsOf(of).reduce((sum, [, usage]) => sum + sumOf(billOf(usage)), 0);

/** USD a month of a gateway without agents. */
export const gatewayAtRest = (tasks: number) =>
  sumOf(billOf(plus(monthOfResources(tasks), monthOfFeed(tasks), monthOfLogs(tasks))));

/** A month with the gateway, in USD. */
export function gatewayTable(): string {
  const columns = GATEWAYS.map(partsOf);
  const rows = (columns[0] ?? []).map(([name], row) => [
    name,
    ...columns.map((parts) => usd(sumOf(billOf(parts[row]?.[1] ?? {})))),
  ]);
  const heads = GATEWAYS.map(
    ({ hosts, tasks }) => `${hosts.toLocaleString('en')} hosts, ${tasks} container${tasks === 1 ? '' : 's'}`,
  );
  return markdownTable(['A month', ...heads], [...rows, ['**sum**', ...GATEWAYS.map((of) => usd(gatewayMonth(of)))]]);
}
