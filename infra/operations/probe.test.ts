import { readFile } from 'node:fs/promises';
import { getReadiness } from '../../functions/api/endpoint-table.ts';
import { MAX_PROBED, NOT_READY } from '../../functions/domain/records/probe.ts';
import { synthesiseTenant } from '../../tests/support/synthesise-tenant.ts';
import {
  grantsOf,
  resourceAt,
  resourcesOf,
  synthesise,
  synthesiseApp,
  type Template,
} from '../synthesis/synthesise.ts';
import { MAX_TENANTS } from '../settings/tenant-list.ts';
import { InventoryTenants } from '../tenants/inventory-tenants.ts';
import { descriptionOf } from './alarms.ts';
import { probeAlarms } from './probe.ts';

const probed = synthesise({ probe: true });

const names = Array.from({ length: MAX_TENANTS }, (_, index) => `tenant-${index}`);
const templates = synthesiseApp((app, assets) => {
  new InventoryTenants(app, 'Tenants', {
    stackName: 'All',
    tenants: [
      ...names.slice(0, 3).map((name) => ({ name })),
      { name: 'closed', settings: { closed: true } },
      { name: 'unasked', settings: { probe: false } },
    ],
    settings: {
      probe: true,
      domainName: 'inventory.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/abc',
    },
    assets,
  });
});
const shared = templates.get('All-shared')!;

const schedules = (template: Template) =>
  resourcesOf(template, 'AWS::Events::Rule').filter(({ path }) => path.includes('Probe'));

/** The inventories that a rule hands to the function. */
const askedBy = (template: Template) =>
  schedules(template).flatMap(({ properties }: { properties: any }) =>
    properties.Targets.flatMap(({ Input }: any) => JSON.parse(Input).inventories),
  );

test('by default no inventory is probed, and no tenant has a probe function', () => {
  for (const template of [synthesise(), ...synthesiseTenant().values(), templates.get('All-tenant-0')!])
    expect(resourcesOf(template).filter(({ path }) => path.includes('Probe'))).toEqual([]);
});

test('each tenant with the setting is probed at its address unless closed', () => {
  expect(askedBy(shared)).toEqual(
    names.slice(0, 3).map((name) => ({ name, url: `https://${name}.inventory.example.com` })),
  );
  expect(schedules(shared).map(({ properties }) => properties)).toMatchObject([
    { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' },
  ]);
});

test('a stack probes its own inventory by the stack name unless closed', () => {
  const [
    {
      Targets: [target],
      State,
    },
  ]: any[] = schedules(probed).map(({ properties }) => properties);
  expect(State).toBe('ENABLED');
  const { id: distribution } = resourceAt(probed, 'Site/Distribution/Resource');
  expect(target.Input).toEqual({
    'Fn::Join': [
      '',
      [
        '{"inventories":[{"name":"MonitoringInventory","url":"https://',
        { 'Fn::GetAtt': [distribution, 'DomainName'] },
        '"}]}',
      ],
    ],
  });
  expect(schedules(synthesise({ probe: true, closed: true })).map(({ properties }) => properties['State'])).toEqual([
    'DISABLED',
  ]);
});

test('one rule has room for the maximum of tenants as targets', () => {
  // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html: targets of a rule, and characters of an input.
  expect(Math.ceil(MAX_TENANTS / MAX_PROBED)).toBeLessThanOrEqual(5);
  const longest = { name: 'x'.repeat(32), url: `https://${'x'.repeat(253)}` };
  expect(JSON.stringify({ inventories: Array(MAX_PROBED).fill(longest) }).length).toBeLessThan(8192);
});

describe.each([
  ['of a stack', probed, 'Probe', 'Log/Resource'],
  ['of tenants', shared, 'All-shared/Monitoring/Probe', 'All-shared/ProbeLog/Resource'],
])('the probe %s', (_, template, path, log) => {
  test('has one alarm that names the inventory, with a series for each by the log line', () => {
    const { properties: filter }: any = resourceAt(template, `${path}/NotReady/Resource`);
    expect(filter).toMatchObject({
      FilterPattern: `{ $.message = "${NOT_READY}" }`,
      LogGroupName: { Ref: resourceAt(template, log).id },
      MetricTransformations: [{ MetricValue: '1', Dimensions: [{ Key: 'Inventory', Value: '$.inventory' }] }],
    });
    const [{ MetricNamespace, MetricName, DefaultValue }] = filter.MetricTransformations;
    expect(DefaultValue).toBeUndefined();
    const { properties: alarm }: any = resourceAt(template, `${path}/InventoryIsNotReady/Resource`);
    expect(alarm).toMatchObject({
      Threshold: 0,
      DatapointsToAlarm: 2,
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    });
    const [{ Expression, Period, ReturnData }, ...others] = alarm.Metrics;
    expect([Period, ReturnData ?? true, others]).toEqual([60, true, []]);
    const text = (value: any): string => (typeof value === 'string' ? value : JSON.stringify(value['Fn::Join'][1]));
    expect(text(Expression)).toContain(`SELECT SUM(${MetricName}) FROM SCHEMA(`);
    expect(text(Expression)).toContain(', Inventory) GROUP BY Inventory ORDER BY SUM() DESC');
    const parts = (value: any): unknown[] => (typeof value === 'string' ? [value] : value['Fn::Join'][1]);
    for (const part of parts(MetricNamespace))
      expect(JSON.stringify(Expression)).toContain(typeof part === 'string' ? part : JSON.stringify(part));
  });

  test('has as many alarms as its price states', () => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter((alarm) => alarm.path.startsWith(`${path}/`));
    expect(alarms).toHaveLength(2);
  });

  test('raises another alarm when it fails or does not run', () => {
    const { properties }: any = resourceAt(template, `${path}/ProbeStands/Resource`);
    expect(properties).toMatchObject({ MetricName: 'Errors', TreatMissingData: 'missing' });
    expect(properties.InsufficientDataActions).toEqual(properties.AlarmActions);
  });

  test('may only write its log', () => expect(grantsOf(template, `${path}/probe`)).toEqual([]));
});

test('the readiness of a probed inventory is not traced, because every request would be recorded', () => {
  const tracingOf = (template: Template) =>
    resourceAt(template, `Functions/${getReadiness.id}/Function/Resource`).properties['TracingConfig'];
  expect(tracingOf(synthesise())).toEqual({ Mode: 'Active' });
  expect(tracingOf(probed)).toEqual({ Mode: 'PassThrough' });
});

test.each(Object.values(probeAlarms))('$id has an article in the runbook, and leads to it', async (rule) => {
  const runbook = await readFile(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const article = runbook.split(/^## /m).find((text) => text.startsWith(`${rule.article}\n`)) ?? '';
  for (const part of ['**What it means.**', '**How to look.**', '**What to do.**']) expect(article).toContain(part);
  expect(descriptionOf(rule, 'https://x')).toMatch(/runbook\.html#(an-inventory-is-not-ready|the-probe-stands)$/);
});
