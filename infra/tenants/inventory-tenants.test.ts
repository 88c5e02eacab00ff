import { type App, Stack } from 'aws-cdk-lib';
import { sharedAlarms } from '../operations/shared-alarms.ts';
import { accessLogFields } from '../gateway/access-log.ts';
import { readContext } from '../settings/read-settings.ts';
import type { Tenant } from '../settings/settings.ts';
import { MAX_TENANTS } from '../settings/tenant-list.ts';
import { resourcesOf, synthesiseApp } from '../synthesis/synthesise.ts';
import { InventoryTenants } from './inventory-tenants.ts';
import { settingsOfTenants, type TenantSettings } from './tenant-settings.ts';

const company = {
  name: 'company',
  kind: 'oidc',
  issuer: 'https://id.example.com',
  clientId: 'inventory',
  clientSecretArn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:client-abc',
} as const;

const settings: TenantSettings = {
  domainName: 'inventory.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/abc',
  alarmEmail: 'ops@example.com',
  identityProviders: [company],
};

const tenants: readonly Tenant[] = [
  { name: 'acme' },
  { name: 'probe', wave: 1 },
  { name: 'umbrella', settings: { logRetentionDays: 90, adminAccount: 'emergency' } },
  { name: 'last', wave: 3, settings: { domainName: 'inventory.example.org' } },
];

/** The stacks on which each stack depends. */
const dependencies = new Map<string, string[]>();

/** The names of the stacks by their paths, by which commands select them. */
const namesByPath = new Map<string, string>();

const templates = synthesiseApp((app: App, assets) => {
  new InventoryTenants(app, 'Inventories', { stackName: 'Inventories', tenants, settings, assets });
  for (const stack of app.node.findAll().filter((construct) => Stack.isStack(construct))) {
    namesByPath.set(stack.node.path, stack.stackName);
    dependencies.set(stack.stackName, stack.dependencies.map(({ stackName }) => stackName).sort());
  }
});

const templateOf = (name: string) => templates.get(`Inventories-${name}`)!;
const names = tenants.map(({ name }) => name);

test('each tenant has a stack, and all share one', () => {
  expect([...templates.keys()].sort()).toEqual(
    ['acme', 'last', 'probe', 'shared', 'umbrella'].map((name) => `Inventories-${name}`),
  );
});

test("commands select a tenant's stack by its name", () => {
  const paths = [...namesByPath.keys()];
  expect(paths.sort()).toEqual([...namesByPath.values()].sort());
  expect(paths).toContain('Inventories-acme');
});

test('one setting protects all stacks from removal', () => {
  const isProtected: boolean[] = [];
  synthesiseApp((app, assets) => {
    new InventoryTenants(app, 'Tenants', { terminationProtection: true, tenants: [{ name: 'acme' }], assets });
    for (const stack of app.node.findAll().filter((construct) => Stack.isStack(construct)))
      isProtected.push(stack.terminationProtection);
  });
  expect(isProtected).toEqual([true, true]);
  expect(readContext({ terminationProtection: 'true' })).toMatchObject({ terminationProtection: true });
});

test('a stack is upgraded after the former wave', () => {
  const waves = { probe: [], acme: ['probe'], umbrella: ['probe'], last: ['acme', 'umbrella'] };
  for (const [name, earlier] of Object.entries(waves))
    expect([name, dependencies.get(`Inventories-${name}`)]).toEqual([
      name,
      earlier.map((wave) => `Inventories-${wave}`),
    ]);
});

test('a tenant has no alarm, dashboard, topic or throttled key list', () => {
  for (const name of names) {
    const types = resourcesOf(templateOf(name)).map(({ type }) => type);
    expect(types).toContain('AWS::ApiGateway::RestApi');
    expect(types.filter((type) => /^AWS::(CloudWatch|SNS)::/.test(type))).toEqual([]);
    const [table] = resourcesOf(templateOf(name), 'AWS::DynamoDB::GlobalTable');
    expect(JSON.stringify(table!.properties)).not.toContain('"ContributorInsightsSpecification":{"Enabled":true');
  }
});

test('the shared alarms watch metrics of all tenants', () => {
  const alarms = resourcesOf(templateOf('shared'), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
  const tenantAlarms = alarms.filter(({ Namespace }) => Namespace === 'Inventories-shared');
  expect(tenantAlarms.map(({ MetricName }) => MetricName).sort()).toEqual(sharedAlarms.map(({ id }) => id).sort());
  // None is on a metric of the account, to which other workloads add.
  expect(tenantAlarms).toHaveLength(alarms.length);
  for (const { Dimensions } of alarms) expect(Dimensions).toBeUndefined();
  for (const name of names) {
    const added = resourcesOf(templateOf(name), 'AWS::Logs::MetricFilter').flatMap(
      ({ properties }): any => properties['MetricTransformations'],
    );
    expect(added).toHaveLength(tenantAlarms.length);
    for (const { MetricName, Namespace } of tenantAlarms)
      expect(added).toContainEqual({ MetricName, MetricNamespace: Namespace, MetricValue: '1' });
  }
});

test("the alarms are mailed to one address, and name a tenant's runbook article", () => {
  const shared = templateOf('shared');
  const [subscription] = resourcesOf(shared, 'AWS::SNS::Subscription');
  expect(subscription!.properties).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
  const [topic] = resourcesOf(shared, 'AWS::SNS::Topic');
  for (const { properties } of resourcesOf(shared, 'AWS::CloudWatch::Alarm')) {
    expect(properties['AlarmDescription']).toContain('https://acme.inventory.example.com/docs/runbook.html#');
    expect(properties['AlarmActions']).toEqual([{ Ref: topic!.id }]);
  }
});

test('filters name access log fields', () => {
  const access = resourcesOf(templateOf('acme'), 'AWS::Logs::MetricFilter').filter(({ properties }) =>
    JSON.stringify(properties['LogGroupName']).includes('AccessLog'),
  );
  expect(access).toHaveLength(sharedAlarms.filter(({ log }) => log === 'access').length);
  for (const { properties } of access)
    for (const [, field] of String(properties['FilterPattern']).matchAll(/\$\.(\w+)/g))
      expect(Object.keys(accessLogFields)).toContain(field);
});

test("the dashboard has a line for each tenant, by its API's name", () => {
  const shared = JSON.stringify(resourcesOf(templateOf('shared'), 'AWS::CloudWatch::Dashboard')[0]!.properties);
  for (const name of names) {
    const [api] = resourcesOf(templateOf(name), 'AWS::ApiGateway::RestApi');
    const stackName = `Inventories-${name}`;
    const { 'Fn::Join': joined }: any = api!.properties['Name'];
    const apiName = joined[1].map((part: any) => (part.Ref === 'AWS::StackName' ? stackName : part)).join('');
    expect(apiName).toMatch(new RegExp(`^${stackName}-\\w{8}$`));
    expect(shared).toContain(`\\"${apiName}\\"`);
    expect(shared).toContain(`\\"label\\":\\"${name}\\"`);
  }
});

test('all tenants share one provider client: each accepts its own address, and the output lists all', () => {
  const hosts = ['acme', 'probe', 'umbrella'].map((name) => `${name}.inventory.example.com`);
  const addresses = [...hosts, 'inventory.example.org'].map((host) => `https://${host}/`);
  const { RedirectAddresses: output } = templateOf('shared').Outputs;
  expect(String(output!.Value).split(' ').sort()).toEqual([...addresses].sort());
  const [provider] = settingsOfTenants(settings, tenants).get('last')!.identityProviders!;
  expect(provider).toEqual({ ...company, redirectUris: ['https://inventory.example.org/'] });
});

test('the shared stack has no function, API or secret, and every resource has the settings', () => {
  const without = synthesiseApp((app, assets) => {
    new InventoryTenants(app, 'Inventories', {
      tenants: [{ name: 'acme' }],
      settings: { tags: { team: 'ops' } },
      assets,
    });
  }).get('MonitoringInventory-shared')!;
  const types = resourcesOf(without).map(({ type }) => type);
  expect(types.filter((type) => /Lambda|ApiGateway|Secret/.test(type))).toEqual([]);
  // Settings of every resource are also those of the shared ones.
  expect(JSON.stringify(resourcesOf(without, 'AWS::SNS::Topic')[0]!.properties)).toContain('"team"');
});

test('settings of a tenant apply to it alone', () => {
  const days = names.map((name) => [
    name,
    new Set(
      resourcesOf(templateOf(name), 'AWS::Logs::LogGroup').map(({ properties }) => properties['RetentionInDays']),
    ),
  ]);
  expect(days).toEqual(names.map((name) => [name, new Set([name === 'umbrella' ? 90 : 30])]));
});

const problemsOf = (all: TenantSettings, list: readonly Tenant[]) => {
  try {
    settingsOfTenants(all, list);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each<[string, TenantSettings, Tenant]>([
  ['Tenant acme: throttleRate is 0, but must be', {}, { name: 'acme', settings: { throttleRate: 0 } }],
  ['Tenant acme: alarmEmail receives', {}, { name: 'acme', settings: { alarmEmail: 'a@example.com' } }],
  ['Tenant acme: silenceAlarm has an alarm of its own', { silenceAlarm: true }, { name: 'acme' }],
  ['Tenant acme: agentGateway has an alarm of its own', {}, { name: 'acme', settings: { agentGateway: true } }],
  ['Tenant acme: identityProviders: people need a domainName', { identityProviders: [company] }, { name: 'acme' }],
])('%s', (sentence, all, tenant) => expect(problemsOf(all, [tenant])).toContain(sentence));

test.each([
  '[]',
  '{"name": "acme"}',
  '[{"name": "shared"}]',
  '[{"name": "Acme"}]',
  '[{"name": "acme"}, {"name": "acme"}]',
  '[{"name": "acme", "wave": 0}]',
  '[{"name": "acme", "region": "eu-west-1"}]',
  JSON.stringify(Array.from({ length: MAX_TENANTS + 1 }, (_, index) => ({ name: `t${index}` }))),
])('-c tenants=%s is refused', (text) =>
  expect(() => readContext({ tenants: text })).toThrow(/tenants is .*, but must be a list of 1 to 49 tenants/),
);

test('the app setting is a JSON list, and other settings apply to all tenants', () => {
  const read = readContext({ tenants: '[{"name": "acme", "wave": 1}]', waf: 'true', stackName: 'Inventories' });
  expect(read).toMatchObject({ tenants: [{ name: 'acme', wave: 1 }], waf: true, stackName: 'Inventories' });
});
