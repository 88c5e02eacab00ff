import { MAX_PROBED } from '../../functions/domain/records/probe.ts';
import { LAST_USED_EVERY_SECONDS } from '../../functions/store/credentials/api-key-use.ts';
import { MEMORY_MB } from '../../infra/functions/function-size.ts';
import { sharedAlarms } from '../../infra/operations/shared-alarms.ts';
import { functionsIn, PROVISIONED_GROUPS, type ProvisionedGroup } from '../../infra/settings/provisioned.ts';
import { markdownTable } from '../../shared/openapi/markdown.ts';
import {
  monthOfCleanups,
  monthOfReports,
  monthOfStatePasses,
  monthOfStorage,
  MONTH_SECONDS,
  type Way,
  withBilling,
} from './fleets.ts';
import { type Bill, billOf, plus, type PricedService, sumOf, times, type Usage, usdOf } from './prices.ts';
import { askedInventory, PROBE_ALARMS, probeAtRest } from './probe.ts';
import { type Reporting, reporting, tuned } from './reporting.ts';
import { collectorRequests, reportRequests, usd } from './request-tables.ts';

/** USD for the reports of a host and a month, at most. */
export const targets: Readonly<Record<Way, number>> = { direct: 0.06, relayed: 0.0015 };

export const ways: readonly Way[] = ['direct', 'relayed'];

export const FLEETS = [100, 1000, 10_000, 100_000] as const;

/** The number of alarms without settings; a test compares it with the stack. */
export const ALARMS = 18;

/** Rules of Contributor Insights: two for the table and each index, whose keys have two parts. A test compares it. */
export const INSIGHT_RULES = 6;

/** Interface endpoints that functions in a VPC need without a NAT gateway; those for DynamoDB and S3 are free. */
const ENDPOINTS = ['Secrets Manager', 'EventBridge', 'API Gateway'];
const ZONES = 2;

/** The number of rules of the web ACL; a test compares it with the stack. */
export const FIREWALL_RULES = 3;

/** The latency of requests is a metric; the number of replies with 429 has data only in hours with such a reply. */
export const atRest: Usage = { secrets: 2, alarms: ALARMS, dashboards: 1, metrics: 1, insightRules: INSIGHT_RULES };

/** An inventory with `tenants`, whose alarms and dashboard are in the shared stack. */
export const tenantAtRest: Usage = { secrets: atRest.secrets ?? 0 };

/** Alarms of the shared stack, each with a metric, its dashboard, and the secret of its page. */
export const sharedAtRest: Usage = {
  secrets: 1,
  alarms: sharedAlarms.length,
  metrics: sharedAlarms.length,
  dashboards: 1,
};

/** USD a month for a tenant at rest, at most. */
export const TENANT_TARGET = 1.5;

/** The price of the setting `waf` without requests. */
export const firewall: Usage = { firewallAcls: 1, firewallRules: FIREWALL_RULES };

/** The rows of a fleet: which requests report for its hosts. */
const rowsOfFleet = [
  ...ways.map((way) => ({ name: way, way, requests: reportRequests })),
  { name: 'OpAMP', way: 'direct', requests: collectorRequests },
] as const;

/** USD for the reports of a host and a month. */
export function reportsPerHost(way: Way, hosts: number, of: Reporting = reporting): number {
  return sumOf(billOf(monthOfReports(way, hosts, reportRequests, of))) / hosts;
}

/** USD for the reports of a host with one collector and a month, by OpAMP at this interval. */
export function collectorsPerHost(hosts: number, intervalSeconds: number = reporting.intervalSeconds): number {
  return sumOf(billOf(monthOfReports('direct', hosts, collectorRequests, { ...reporting, intervalSeconds }))) / hosts;
}

const whole = (value: number) => value.toLocaleString('en');

/** A month of whole fleets, in USD by service. */
export function fleetTable(): string {
  const rest = sumOf(billOf(atRest));
  const rows = FLEETS.flatMap((hosts) =>
    rowsOfFleet.map(({ name, way, requests }) => {
      const month = plus(
        monthOfReports(way, hosts, requests, reporting),
        monthOfCleanups(hosts),
        monthOfStorage(hosts),
      );
      const bill = billOf(month);
      const services = ['API Gateway', 'Lambda', 'DynamoDB'] as const;
      const parts = services.map((service) => bill.get(service) ?? 0);
      const sum = sumOf(bill) + rest;
      return [whole(hosts), name, ...[...parts, sum].map(usd), (sum / hosts).toFixed(4)];
    }),
  );
  return markdownTable(['Hosts', 'Reports', 'API Gateway', 'Lambda', 'DynamoDB', 'Sum', 'For a host'], rows);
}

/** USD a month for a fleet whose hosts report for themselves, with the settings for it. */
export const TUNED_TARGET = { hosts: 100_000, usd: 2000 } as const;

/** An alarm of each of the settings. */
const alarmsOf = ({ endpoint, billing }: Reporting): Usage => ({
  alarms: ALARMS + (endpoint === 'http' ? 1 : 0) + (billing === 'provisioned' ? 1 : 0),
});

/** A month of everything that is billed for a fleet. */
const monthOfFleet = (hosts: number, of: Reporting) =>
  billOf(
    plus(
      withBilling(
        plus(monthOfReports('direct', hosts, reportRequests, of), monthOfCleanups(hosts), monthOfStorage(hosts)),
        of,
      ),
      atRest,
      alarmsOf(of),
      times({ alarms: ALARMS }, -1),
    ),
  );

/** Each step from a fleet without any of them to the settings for it, in USD of a month. */
export function tunedTable(): string {
  const steps: readonly (readonly [name: string, of: Reporting])[] = [
    [
      'if the authorizer wrote each last use',
      { ...reporting, lastUseSeconds: { ...reporting.lastUseSeconds, direct: LAST_USED_EVERY_SECONDS } },
    ],
    ['defaults: the last use of a key follows from reports', reporting],
    ['`reportEndpoint=http`', { ...reporting, endpoint: tuned.endpoint }],
    ['and `billing=provisioned`', tuned],
  ];
  const bills = steps.map(([, of]) => monthOfFleet(TUNED_TARGET.hosts, of));
  const rows = steps.map(([name], index) => {
    const bill: Bill = bills[index] ?? new Map();
    const part = (...services: PricedService[]) => services.reduce((sum, service) => sum + (bill.get(service) ?? 0), 0);
    const before = bills[index - 1];
    const parts = [part('API Gateway'), part('Lambda'), part('DynamoDB', 'DynamoDB, provisioned'), part('CloudWatch')];
    const saved = before === undefined ? '' : usd(sumOf(before) - sumOf(bill));
    return [name, ...[...parts, sumOf(bill)].map(usd), saved];
  });
  return markdownTable(['Settings', 'API Gateway', 'Lambda', 'DynamoDB', 'CloudWatch', 'Sum', 'Saves'], rows);
}

/** USD for a month of `stateEvents` without changes of states. */
export const statesFor = (hosts: number) => usd(sumOf(billOf(monthOfStatePasses(hosts))));

/** A month without requests. */
export function restTable(): string {
  const warm = (group: ProvisionedGroup) => {
    const count = functionsIn([group]);
    const price = usd(usdOf('provisionedGbSeconds', count * (MEMORY_MB / 1024) * MONTH_SECONDS));
    return [
      `With \`provisionedConcurrency=1\`, \`${group}\`: one instance of ${count} function${count === 1 ? '' : 's'}`,
      price,
    ];
  };
  return markdownTable(
    ['At rest', 'USD a month'],
    [
      ['Secrets: the admin password, and the proof of CloudFront', usd(usdOf('secrets', 2))],
      [`${ALARMS} alarms (the first 10 of an account are free)`, usd(usdOf('alarms', ALARMS))],
      ['The metric of the latency (the first 10 of an account are free)', usd(usdOf('metrics', 1))],
      [`${INSIGHT_RULES} rules of Contributor Insights for throttled keys`, usd(usdOf('insightRules', INSIGHT_RULES))],
      ['Dashboard (the first three of an account are free)', usd(usdOf('dashboards', 1))],
      ['With `tenants`, in place of all above: the secrets of each tenant', usd(sumOf(billOf(tenantAtRest)))],
      [
        `With \`tenants\`, for all together: ${sharedAtRest.alarms} alarms, a dashboard; and up to ${sharedAtRest.metrics} metrics in months with their symptoms`,
        usd(sumOf(billOf(sharedAtRest))),
      ],
      ['With `probe`, for each inventory: its replies, one a minute', usd(sumOf(billOf(askedInventory)))],
      [
        `With \`probe\`, for all together: ${PROBE_ALARMS} alarms, and a call a minute for ${MAX_PROBED} inventories`,
        usd(sumOf(billOf(probeAtRest))),
      ],
      ['With `customerManagedKey`, without requests to the key', usd(usdOf('keys', 1))],
      [
        `With \`subnetIds\` and no NAT gateway: endpoints for ${ENDPOINTS.join(', ')} in ${ZONES} zones`,
        usd(usdOf('endpointHours', (ENDPOINTS.length * ZONES * MONTH_SECONDS) / 3600)),
      ],
      [
        `With \`waf\`: a web ACL with ${FIREWALL_RULES} rules, without CloudFront one rule less`,
        usd(sumOf(billOf(firewall))),
      ],
      ...PROVISIONED_GROUPS.map(warm),
    ],
  );
}
