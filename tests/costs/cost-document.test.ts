import { readFile } from 'node:fs/promises';
import { costDocument } from '../../tools/cost-document.ts';
import {
  GATEWAY_TARGET,
  gatewayAtRest,
  gatewayMonth,
  gatewayResources,
  GATEWAYS,
} from '../../tools/costs/agent-gateway.ts';
import {
  atRest,
  FLEETS,
  firewall,
  INSIGHT_RULES,
  reportsPerHost,
  sharedAtRest,
  targets,
  TENANT_TARGET,
  tenantAtRest,
  TUNED_TARGET,
  ways,
} from '../../tools/costs/fleet-tables.ts';
import { monthOfReports, withBilling } from '../../tools/costs/fleets.ts';
import { billOf, plus, sumOf, type Usage, usdOf } from '../../tools/costs/prices.ts';
import { resourcesOf } from '../../infra/synthesis/synthesise.ts';
import { synthesiseTenant } from '../support/synthesise-tenant.ts';
import { GROUPED_HOSTS, groupedUnits } from './grouped.ts';
import { reporting } from '../../tools/costs/reporting.ts';
import { reportRequests } from '../../tools/costs/request-tables.ts';
import { costOf } from '../../tools/costs/requests.ts';

const MILLION = 1e6;

test.each([
  [0, 0],
  [1, 3.5],
  [333, 333 * 3.5],
  [334, 333 * 3.5 + 2.8],
  [1001, 333 * 3.5 + 667 * 2.8 + 2.38],
  [20_001, 333 * 3.5 + 667 * 2.8 + 19_000 * 2.38 + 1.51],
])('%d million requests to the gateway cost %d USD, each tier at its own price', (millions, usd) => {
  expect(usdOf('gatewayRequests', millions * MILLION)).toBeCloseTo(usd, 6);
});

test('the reports of a host cost no more than the target, directly and through a relay, in every fleet', () => {
  for (const way of ways)
    for (const hosts of FLEETS) {
      const usd = reportsPerHost(way, hosts);
      expect([way, hosts, usd, usd > 0 && usd <= targets[way]]).toEqual([way, hosts, usd, true]);
    }
});

test('100,000 hosts that a relay reports cost at most 100 USD a month, with the table and all that is billed at rest', () => {
  const [, sum] = /^\| 100,000 \| relayed \|.*?\| ([\d.]+) \| [\d.]+ \|$/m.exec(costDocument()) ?? [];
  expect(Number(sum)).toBeGreaterThan(0);
  expect(Number(sum)).toBeLessThanOrEqual(100);
});

test('10,000 hosts through two containers of the agent gateway cost at most 200 USD a month, with the whole service', () => {
  const [, gateway] = GATEWAYS;
  expect(gateway).toEqual({ hosts: 10_000, tasks: 2 });
  expect(GATEWAY_TARGET).toEqual({ hosts: 10_000, usd: 200 });
  const [, , sum] = /^\| \*\*sum\*\* \| ([\d.]+) \| ([\d.]+) \|$/m.exec(costDocument()) ?? [];
  expect(sum).toBe(gatewayMonth(gateway).toFixed(2));
  expect(gatewayMonth(gateway)).toBeLessThanOrEqual(GATEWAY_TARGET.usd);
});

test('the gateway has no NAT gateway and no endpoint, and each container costs the same', () => {
  const types = gatewayResources(2).map(({ type }) => type);
  expect(types).toContain('AWS::ElasticLoadBalancingV2::LoadBalancer');
  expect(types.filter((type) => /NatGateway|VPCEndpoint|EIP/.test(type))).toEqual([]);
  const [one, two, three] = [1, 2, 3].map(gatewayAtRest);
  expect(three! - two!).toBeCloseTo(two! - one!, 6);
  // 0.5 vCPU, 1 GB and an address.
  expect(two! - one!).toBeGreaterThan(720 * (0.5 * 0.03238 + 0.00356 + 0.005));
});

describe('tenants', () => {
  const templates = synthesiseTenant();
  const billedIn = (name: string): Usage => {
    const countOf = (type: string) => resourcesOf(templates.get(`MonitoringInventory-${name}`)!, type).length;
    return {
      secrets: countOf('AWS::SecretsManager::Secret'),
      alarms: countOf('AWS::CloudWatch::Alarm'),
      dashboards: countOf('AWS::CloudWatch::Dashboard'),
      firewallAcls: countOf('AWS::WAFv2::WebACL'),
      keys: countOf('AWS::KMS::Key'),
      insightRules: /"ContributorInsightsSpecification":\{"Enabled":true/.test(
        JSON.stringify(templates.get(`MonitoringInventory-${name}`)),
      )
        ? INSIGHT_RULES
        : 0,
    };
  };

  test('cost at rest what their resources cost, each less than the target', () => {
    const usd = sumOf(billOf(billedIn('acme')));
    expect(usd).toBeGreaterThan(0);
    expect(usd).toBeLessThan(TENANT_TARGET);
    expect(TENANT_TARGET).toBe(1.5);
    expect(sumOf(billOf(tenantAtRest))).toBeCloseTo(usd, 6);
    expect(costDocument()).toContain(`less than 1.50 USD a month, now ${usd.toFixed(2)}.`);
  });

  test('share a stack whose resources cost what the document states, with its metrics', () => {
    const { metrics = 0 } = sharedAtRest;
    expect(metrics).toBeGreaterThan(0);
    expect(sumOf(billOf(plus(billedIn('shared'), { metrics })))).toBeCloseTo(sumOf(billOf(sharedAtRest)), 6);
  });
});

test('100,000 hosts that report for themselves cost at most 2,000 USD a month with the settings for them; each step saves', () => {
  const [, table = ''] = costDocument().split('| Settings | API Gateway |');
  const rows = [...table.split('\n\n')[0]!.matchAll(/^\| [^-].*\| ([\d.]+) \| ([\d.-]*) \|$/gm)];
  const sums = rows.map(([, sum]) => Number(sum));
  expect(sums).toHaveLength(4);
  expect(sums).toEqual([...sums].sort((left, right) => right - left));
  expect(sums.at(-1)).toBeGreaterThan(0);
  expect(sums.at(-1)).toBeLessThanOrEqual(TUNED_TARGET.usd);
  const [, direct] = /^\| 100,000 \| direct \|.*?\| ([\d.]+) \| [\d.]+ \|$/m.exec(costDocument()) ?? [];
  expect(sums[1]).toBe(Number(direct));
});

test.each([
  [100, 50 * 0.00013 * 720],
  [1e12, (1e12 / (86_400 * 30 * 0.8)) * 0.00013 * 720],
])('provisioned billing of %d read units a month has a minimum, and room above the use', (readUnits, usd) => {
  const { readCapacityHours = 0 } = withBilling({ readUnits }, { billing: 'provisioned' });
  const ofIndexes = 2 * 5 * 0.00013 * 720;
  expect(usdOf('readCapacityHours', readCapacityHours)).toBeCloseTo(usd + ofIndexes, 3);
});

describe('10,000 hosts that report every minute', () => {
  const HOSTS = 10_000;
  const everyMinute = {
    ...reporting,
    intervalSeconds: 60,
    writeAfterSeconds: 0,
    authorizerCacheSeconds: 30,
    traced: { perSecond: 1, share: 0.05 },
  };
  const reports = HOSTS * 60 * 24 * 30;
  const { report, authorizer, authorizerFirstUse } = reportRequests;
  const { unwritten, written } = report;
  const units = (of: { function: string; request: string }) => costOf(of);

  test('use what their number of requests, authorizer runs and writes of the last use amount to', () => {
    const usage = monthOfReports('direct', HOSTS, reportRequests, everyMinute);
    expect(usage.gatewayRequests).toBeCloseTo(reports, 3);
    // The cache ends before the next report; the last use is written once a day.
    expect(usage.lambdaRequests).toBeCloseTo(2 * reports, 3);
    expect(usage.readUnits).toBeCloseTo(reports * (units(written).readUnits + units(authorizer).readUnits), 3);
    const writes = units(written).writeUnits + units(authorizerFirstUse).writeUnits / (24 * 60);
    expect(usage.writeUnits).toBeCloseTo(reports * writes, 3);
    const perSecond = HOSTS / 60;
    expect(usage.traces).toBeCloseTo(86_400 * 30 * (1 + 0.05 * (perSecond - 1)), 3);
  });

  test('run the authorizer and write less with a longer cache, and write fewer reports without news', () => {
    const later = { ...everyMinute, authorizerCacheSeconds: 300, writeAfterSeconds: 300 };
    const usage = monthOfReports('direct', HOSTS, reportRequests, later);
    expect(usage.lambdaRequests).toBeCloseTo(reports * (1 + 1 / 5), 3);
    const writes = units(written).writeUnits / 5 + units(authorizerFirstUse).writeUnits / (24 * 60);
    expect(usage.writeUnits).toBeCloseTo(reports * writes, 3);
    expect(units(unwritten).writeUnits).toBe(0);
  });

  test('use through a relay one request and one invocation for all hosts in it, and its own units for reports', () => {
    const relayed = monthOfReports('relayed', HOSTS, reportRequests, { ...everyMinute, hostsPerRequest: 100 });
    expect(relayed.gatewayRequests).toBeCloseTo(reports / 100, 3);
    const minutes = 60 * 24 * 30;
    // The requests of the relay have one key: its authorizer runs twice a minute.
    expect(relayed.lambdaRequests).toBeCloseTo(reports / 100 + 2 * minutes, 0);
    const { written: routine, renewed } = groupedUnits;
    const perDay = (HOSTS / GROUPED_HOSTS) * 30;
    expect(relayed.readUnits).toBeCloseTo(
      (reports / 100) * routine.readUnits + perDay * renewed.readUnits + 2 * minutes * units(authorizer).readUnits,
      0,
    );
    // And one write of the last use of the key every five minutes.
    const lastUses = (minutes / 5) * units(authorizerFirstUse).writeUnits;
    expect(relayed.writeUnits).toBeCloseTo(
      (reports / 100) * routine.writeUnits + perDay * renewed.writeUnits + lastUses,
      0,
    );
  });
});

test('the settings state the prices of the document', async () => {
  const settings = await readFile(new URL('../../infra/settings/settings.ts', import.meta.url), 'utf8');
  expect(settings).toContain(`a key of this account (${usdOf('keys', 1)} USD a month)`);
  expect(settings).toContain(`the requests to the API (about ${sumOf(billOf(firewall))} USD a month)`);
  expect(settings).toContain(`EventBridge (${usdOf('events', MILLION)} USD for a million events)`);
});

test('docs/deploy.md states the price of a month without requests, and of a million requests also at a low rate', async () => {
  const guide = await readFile(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
  const [, rest, least, most] = /About (\d+) dollars a month, and \[(\d+) to (\d+) dollars for a million/.exec(guide)!;
  expect(Number(rest)).toBe(Math.round(sumOf(billOf(atRest))));
  const [, table = ''] = costDocument().split('\n## A million requests\n');
  const sums = [...table.split('\n## ')[0]!.matchAll(/^\| `\w+`, .*?\| ([\d.]+) \| ([\d.]+) \|$/gm)];
  expect(sums.length).toBeGreaterThan(10);
  expect(Math.floor(Math.min(...sums.map(([, sum]) => Number(sum))))).toBe(Number(least));
  const dearest = Math.max(...sums.map(([, , withAuthorizer]) => Number(withAuthorizer)));
  // All of a million requests a month are traced, instead of 5 %.
  expect(5 * Math.ceil((dearest + 0.95 * usdOf('traces', MILLION)) / 5)).toBe(Number(most));
});

test('the document begins with reports', () => {
  const [, first] = /^\| --- .*\n(.*)$/m.exec(costDocument()) ?? [];
  expect(first).toMatch(/^\| `reportAgents`, what it said last \| 3\.50 \|/);
});
