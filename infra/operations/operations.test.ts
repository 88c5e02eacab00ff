import { readFile } from 'node:fs/promises';
import { endpoints } from '../../functions/api/endpoints.ts';
import { metrics } from '../../gateway/container/metrics.ts';
import { siteDocuments } from '../../console/documents/site-documents.ts';
import { indexes } from '../../functions/store/table/keys.ts';
import { agentGatewayOptions } from '../settings/agent-gateway-options.ts';
import { settingsSchema } from '../settings/settings-table.ts';
import { accessLogFields } from '../gateway/access-log.ts';
import { type AlarmDefinition, alarms, descriptionOf } from './alarms.ts';
import { resourceAt, resourcesOf, statementsIn, synthesise } from '../synthesis/synthesise.ts';

const options = {
  ...agentGatewayOptions,
  stateEvents: true,
  reportEndpoint: 'http',
  billing: 'provisioned',
  adminAccount: 'emergency',
} as const;
const template = synthesise(options);
const { id: topic } = resourceAt(template, 'Operations/Alarms/Resource');
const withSilence = synthesise({ ...options, silenceAlarm: true });
// Others only start or end containers.
const deployed = resourcesOf(withSilence, 'AWS::CloudWatch::Alarm').filter(({ path }) =>
  path.startsWith('Operations/'),
);

const { files } = await siteDocuments();
const runbookPage = files.find(({ path }) => path === 'runbook.html')!.content;

/** The description of an alarm in the template, with the address of CloudFront. */
function describedBy(alarm: AlarmDefinition) {
  const [before, after] = descriptionOf(alarm, 'https://|').split('|');
  const { id: distribution } = resourcesOf(withSilence, 'AWS::CloudFront::Distribution')[0]!;
  return { 'Fn::Join': ['', [before, { 'Fn::GetAtt': [distribution, 'DomainName'] }, after]] };
}

describe.each(alarms.map((alarm) => [alarm.id, alarm]))('%s', (id, alarm) => {
  test('has its meaning for users, and notifies the topic', () => {
    expect(alarm.means).toMatch(/^[A-Z].{30,}\.$/);
    expect(resourceAt(withSilence, `Operations/${id}/Resource`).properties).toMatchObject({
      AlarmDescription: describedBy(alarm),
      AlarmActions: [{ Ref: topic }],
      OKActions: [{ Ref: topic }],
      Threshold: alarm.threshold,
      TreatMissingData: alarm.isMinimum === true ? 'breaching' : alarm.isRegular === true ? 'missing' : 'notBreaching',
      ComparisonOperator: alarm.isMinimum === true ? 'LessThanThreshold' : 'GreaterThanThreshold',
    });
  });

  test('has a runbook article with meaning, diagnosis and remedy', async () => {
    const runbook = await readFile(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
    const article = runbook.split(/^## /m).find((text) => text.startsWith(`${alarm.article}\n`)) ?? '';
    for (const part of ['**What it means.**', '**How to look.**', '**What to do.**']) expect(article).toContain(part);
  });
});

test('the alarm that docs/maintenance.md sets manually is in the template', async () => {
  const text = await readFile(new URL('../../docs/maintenance.md', import.meta.url), 'utf8');
  const [, part = ''] = /contains\(LogicalResourceId, '(\w+)'\)/.exec(text) ?? [];
  expect(deployed.filter(({ id }) => id.includes(part))).toHaveLength(1);
});

test.each([
  ['RequestsFail', 'More than 5 % of', 0.05],
  ['RequestsAreSlow', 'longer than three seconds', 3000],
  ['EventsAreLate', 'more than ten minutes late', 600_000],
  ['JobsAreLate', 'more than half an hour', 1_800_000],
])('the threshold of %s is that of its meaning: %s', (id, words, threshold) => {
  const alarm = alarms.find((candidate) => candidate.id === id);
  expect([alarm?.means.includes(words), alarm?.threshold]).toEqual([true, threshold]);
});

test.each([
  ['ReadsAreThrottled', 'ReadThrottleEvents', {}],
  ['ListsByNameAreThrottled', 'ReadThrottleEvents', { GlobalSecondaryIndexName: indexes.byName.name }],
  ['ListsByTypeAreThrottled', 'ReadThrottleEvents', { GlobalSecondaryIndexName: indexes.byType.name }],
  ['WritesAreThrottled', 'ThrottledRequests', { Operation: 'TransactWriteItems' }],
  ['UpdatesAreThrottled', 'ThrottledRequests', { Operation: 'UpdateItem' }],
  ['CapacityIsUsedUp', 'WriteThrottleEvents', {}],
  ['ReadsFail', 'SystemErrors', { Operation: 'GetItem' }],
  ['ListsFail', 'SystemErrors', { Operation: 'Query' }],
  ['WritesFail', 'SystemErrors', { Operation: 'TransactWriteItems' }],
])('%s counts %s of the table with %p', (id, name, dimensions) => {
  const { MetricName, Namespace, Statistic, Dimensions } = resourceAt(withSilence, `Operations/${id}/Resource`)
    .properties as any;
  const { TableName, ...others } = Object.fromEntries(
    Dimensions.map((dimension: any) => [dimension.Name, dimension.Value]),
  );
  const { id: table } = resourcesOf(withSilence, 'AWS::DynamoDB::GlobalTable')[0]!;
  expect({ MetricName, Namespace, Statistic, TableName, others }).toEqual({
    ...{ MetricName: name, Namespace: 'AWS/DynamoDB', Statistic: 'Sum', TableName: { Ref: table }, others: dimensions },
  });
});

test.each(alarms)('the link of $id leads to its article on the site', (alarm) => {
  const [, path, anchor] = /(\/docs\/runbook\.html)#(\S+)$/.exec(
    descriptionOf(alarm, 'https://inventory.example.com'),
  )!;
  expect(path).toBe('/docs/runbook.html');
  expect(runbookPage).toContain(`id="${anchor}"`);
});

test("without CloudFront, links lead to the gateway's site", () => {
  const [alarm] = resourcesOf(synthesise({ cdn: false }), 'AWS::CloudWatch::Alarm');
  expect(JSON.stringify(alarm!.properties['AlarmDescription'])).toMatch(/execute-api.*\/docs\/runbook\.html#/);
});

test('a scheduled function also raises an alarm when it misses three runs', () => {
  const regular = deployed.filter(({ properties }) => properties['InsufficientDataActions'] !== undefined);
  const rules = resourcesOf(withSilence, 'AWS::Events::Rule').map(({ properties }) => properties['ScheduleExpression']);
  const minutes = regular.map(({ properties }) => Number(properties['Period']) / 60);
  const spell = (count: number) => (count === 60 ? 'rate(1 hour)' : `rate(${count} minutes)`);
  expect(minutes.map(spell).sort()).toEqual(rules.sort());
  for (const { properties } of regular)
    expect(properties).toMatchObject({ MetricName: 'Errors', EvaluationPeriods: 3, TreatMissingData: 'missing' });
});

test('throttled reads are counted one by one, of the table and of each index', () => {
  const watched = deployed
    .filter(({ properties }) => properties['MetricName'] === 'ReadThrottleEvents')
    .map(
      ({ properties }: any) =>
        properties.Dimensions.find(({ Name }: any) => Name === 'GlobalSecondaryIndexName')?.Value,
    );
  expect(watched).toEqual([undefined, ...Object.values(indexes).map(({ name }) => name)]);
});

test('slow requests are those of all endpoints except discovery, whose parts take seconds', () => {
  const filter = resourcesOf(template, 'AWS::Logs::MetricFilter').find(({ path }) => path.includes('Latency'))!;
  expect(filter.properties).toMatchObject({
    FilterPattern: '{ ($.route != "/v1/discovery/prometheus") && ($.latency_ms >= 0) }',
    MetricTransformations: [{ MetricValue: '$.latency_ms' }],
  });
  const { properties } = resourceAt(template, 'Operations/RequestsAreSlow/Resource');
  const [{ MetricName, MetricNamespace }] = filter.properties['MetricTransformations'] as any;
  expect(properties).toMatchObject({ MetricName, Namespace: MetricNamespace, ExtendedStatistic: 'p99' });
});

test('admin account log-ins are counted by their log line', () => {
  const filter = resourcesOf(template, 'AWS::Logs::MetricFilter').find(({ path }) => path.includes('EmergencyLogIns'))!;
  expect(filter.properties).toMatchObject({
    FilterPattern: '{ $.message = "emergency log-in" }',
    LogGroupName: { Ref: resourceAt(template, 'Log/Resource').id },
  });
  const { properties } = resourceAt(template, 'Operations/AdminLogsIn/Resource');
  const [{ MetricName, MetricNamespace }] = filter.properties['MetricTransformations'] as any;
  expect(properties).toMatchObject({ MetricName, Namespace: MetricNamespace, Statistic: 'Sum' });
});

test('the alarms are those of the table, and 18 without settings, priced in docs/costs.md', () => {
  expect(deployed).toHaveLength(alarms.length);
  expect(resourcesOf(synthesise(), 'AWS::CloudWatch::Alarm')).toHaveLength(18);
});

test('Contributor Insights has two rules for the table and each index, six in all, priced in docs/costs.md', () => {
  const { properties }: any = resourceAt(template, 'Table/Resource');
  const [replica] = properties.Replicas;
  const watched = [replica, ...replica.GlobalSecondaryIndexes].map((index) => index.ContributorInsightsSpecification);
  expect(watched).toEqual(watched.map(() => ({ Enabled: true, Mode: 'THROTTLED_KEYS' })));
  expect(2 * watched.length).toBe(6);
});

test('missing requests raise an alarm only on request', () => {
  const others = resourcesOf(template, 'AWS::CloudWatch::Alarm')
    .map(({ path }) => path)
    .filter((path) => path.startsWith('Operations/'));
  expect(others).toHaveLength(alarms.length - 1);
  expect(others).not.toContain('Operations/NoRequestsArrive/Resource');
});

test('only CloudWatch of this account may publish to the topic, with TLS', () => {
  const statements = statementsIn(resourcesOf(template, 'AWS::SNS::TopicPolicy')[0]!.properties);
  expect(statements).toMatchObject([
    { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    {
      Effect: 'Allow',
      Action: ['sns:Publish'],
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('alarms are mailed to the configured address', () => {
  expect(resourcesOf(template, 'AWS::SNS::Subscription')).toEqual([]);
  const [subscription] = resourcesOf(synthesise({ alarmEmail: 'ops@example.com' }), 'AWS::SNS::Subscription');
  expect(subscription!.properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
});

test('throttled requests are counted in the access log by its field', () => {
  const filter = resourcesOf(template, 'AWS::Logs::MetricFilter').find(({ path }) => path.includes('Status429'));
  expect(Object.keys(accessLogFields)).toContain('status');
  expect(filter!.properties).toMatchObject({
    FilterPattern: '{ $.status = "429" }',
    LogGroupName: { Ref: resourceAt(template, 'ApiAccessLog/Resource').id },
  });
});

test('Lambda throttles count only requests to this service, so that other workloads raise no alarm', () => {
  const filter = resourcesOf(template, 'AWS::Logs::MetricFilter').find(({ path }) => path.includes('Throttled/'))!;
  expect(accessLogFields.lambda_status).toBe('$context.integration.status');
  expect(filter.properties).toMatchObject({
    FilterPattern: '{ $.lambda_status = "429" }',
    LogGroupName: { Ref: resourceAt(template, 'ApiAccessLog/Resource').id },
  });
  const { properties } = resourceAt(template, 'Operations/FunctionsAreThrottled/Resource');
  const [{ MetricName, MetricNamespace }] = filter.properties['MetricTransformations'] as any;
  expect(properties).toMatchObject({ MetricName, Namespace: MetricNamespace, Statistic: 'Sum' });
  const ofAccount = deployed.filter(
    ({ properties: { Dimensions: none, Namespace } }) => none === undefined && String(Namespace).startsWith('AWS/'),
  );
  expect(ofAccount).toEqual([]);
});

test('the dashboard shows every endpoint by name, and every alarm', () => {
  const body = JSON.stringify(resourcesOf(template, 'AWS::CloudWatch::Dashboard')[0]!.properties);
  for (const { id } of endpoints) expect(body).toContain(`\\"label\\":\\"${id}\\"`);
  const shown = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter(({ path }) => path.startsWith('Operations/'));
  for (const { id } of shown) expect(body).toContain(id);
});

test('with the agent gateway, the dashboard shows its streams and containers, and each metric has an alarm', () => {
  const bodyOf = (of: typeof template) => JSON.stringify(resourcesOf(of, 'AWS::CloudWatch::Dashboard')[0]!.properties);
  for (const name of ['Streams', 'RefusedAdmissions', 'FeedAge', 'HealthyHostCount', 'MemoryUtilization']) {
    expect(bodyOf(template)).toContain(`\\"${name}\\"`);
    expect(bodyOf(synthesise())).not.toContain(`\\"${name}\\"`);
  }
  const watched = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(({ properties }) => properties['MetricName']);
  expect(watched).toEqual(expect.arrayContaining(Object.values(metrics).map(({ name }) => name)));
});

test('an alarm has one metric, because emulators lack metric math', () => {
  for (const { properties } of deployed) expect(Object.keys(properties)).toContain('MetricName');
});

test('the article on throttled requests names every rate setting', async () => {
  const runbook = await readFile(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const [, rest = ''] = runbook.split('\n## Requests are throttled\n');
  const [article] = rest.split('\n## ');
  for (const name of Object.keys(settingsSchema.shape).filter((setting) => setting.endsWith('Rate')))
    expect(article).toContain(`\`${name}\``);
});
