import { readFile } from 'node:fs/promises';
import { endpoints } from '../functions/api/endpoints.ts';
import { MAX_ALARMS } from '../tools/costs/fleet-tables.ts';
import { accessLogFields } from './access-log.ts';
import { alarms, anchorOf, descriptionOf } from './alarms.ts';
import { resourceAt, resourcesOf, statementsIn, synthesise } from './synthesise.ts';

const template = synthesise({ stateEvents: true });
const { id: topic } = resourceAt(template, 'Operations/Alarms/Resource');
const withSilence = synthesise({ stateEvents: true, silenceAlarm: true });
const deployed = resourcesOf(withSilence, 'AWS::CloudWatch::Alarm');

describe.each(alarms.map((alarm) => [alarm.id, alarm]))('%s', (id, alarm) => {
  test('says what it means for users, and goes to the topic', () => {
    expect(alarm.means).toMatch(/^[A-Z].{30,}\.$/);
    expect(resourceAt(withSilence, `Operations/${id}/Resource`).properties).toMatchObject({
      AlarmDescription: descriptionOf(alarm),
      AlarmActions: [{ Ref: topic }],
      Threshold: alarm.threshold,
      TreatMissingData: alarm.isMinimum === true ? 'breaching' : 'notBreaching',
      ComparisonOperator: alarm.isMinimum === true ? 'LessThanThreshold' : 'GreaterThanThreshold',
    });
  });

  test('has an article in the runbook: what it means, how to look, what to do', async () => {
    const runbook = await readFile(new URL('../docs/runbook.md', import.meta.url), 'utf8');
    const article = runbook.split(/^## /m).find((text) => text.startsWith(`${alarm.article}\n`)) ?? '';
    for (const part of ['**What it means.**', '**How to look.**', '**What to do.**']) expect(article).toContain(part);
    expect(descriptionOf(alarm)).toContain(`docs/runbook.md#${anchorOf(alarm.article)}`);
  });
});

test('there is no alarm but those of the table, and no more than the costs are stated for', () => {
  expect(deployed).toHaveLength(alarms.length);
  expect(deployed.length).toBeLessThanOrEqual(MAX_ALARMS);
});

test('the absence of requests raises an alarm only if it is wanted', () => {
  const others = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(({ path }) => path);
  expect(others).toHaveLength(alarms.length - 1);
  expect(others).not.toContain('Operations/NoRequestsArrive/Resource');
});

test('CloudWatch, and in this account only, may publish to the topic, with TLS only', () => {
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

test('alarms are mailed to whom one says', () => {
  expect(resourcesOf(template, 'AWS::SNS::Subscription')).toEqual([]);
  const [subscription] = resourcesOf(synthesise({ alarmEmail: 'ops@example.com' }), 'AWS::SNS::Subscription');
  expect(subscription!.properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
});

test('throttled requests are counted in the access log, by the field that it has', () => {
  const [filter] = resourcesOf(template, 'AWS::Logs::MetricFilter');
  expect(Object.keys(accessLogFields)).toContain('status');
  expect(filter!.properties).toMatchObject({
    FilterPattern: '{ $.status = "429" }',
    LogGroupName: { Ref: resourceAt(template, 'ApiAccessLog/Resource').id },
  });
});

test('the dashboard shows every endpoint by name, and every alarm', () => {
  const body = JSON.stringify(resourcesOf(template, 'AWS::CloudWatch::Dashboard')[0]!.properties);
  for (const { id } of endpoints) expect(body).toContain(`\\"label\\":\\"${id}\\"`);
  for (const { id } of resourcesOf(template, 'AWS::CloudWatch::Alarm')) expect(body).toContain(id);
});

test('an alarm is on one metric: metric math is not needed, and emulators do not have it', () => {
  for (const { properties } of deployed) expect(Object.keys(properties)).toContain('MetricName');
});
