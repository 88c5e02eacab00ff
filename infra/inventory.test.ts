import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { endpoints } from '../functions/api/endpoints.ts';
import { iamLimits } from '../functions/triggers/deployment/gateway-log-role/role-exists.ts';
import { TABLE_FORMAT } from '../functions/store/table/keys.ts';
import { indexes, tableKey, TTL_ATTRIBUTE } from '../functions/store/table/keys.ts';
import { InventoryStack } from './inventory-stack.ts';
import { agentGatewayOptions } from './settings/agent-gateway-options.ts';
import { everyOption } from './settings/every-option.ts';
import { resourceAt, resourcesOf, synthesise, synthesiseApp } from './synthesis/synthesise.ts';

const template = synthesise();
const destroyed = synthesise({ removalPolicy: 'destroy', ...agentGatewayOptions });

test('the outputs contain what the first request needs', () => {
  const { id: distribution } = resourceAt(template, 'Site/Distribution/Resource');
  const url = (path: string) => ({
    'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }, path]],
  });
  expect(Object.fromEntries(Object.entries(template.Outputs).map(([name, { Value }]) => [name, Value]))).toEqual({
    BaseUrl: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }]] },
    MachineUrl: { 'Fn::Join': ['', expect.arrayContaining(['https://', '.execute-api.'])] },
    SwaggerUrl: url('/swagger/'),
    ConsoleUrl: url('/'),
    AdminSecretArn: { Ref: resourceAt(template, 'AdminPassword/Resource').id },
    TableName: { Ref: resourceAt(template, 'Table/Resource').id },
    WhatNext1OpenTheConsole: url('/'),
    WhatNext2ReadThePassword: {
      'Fn::Join': [
        '',
        [
          'aws secretsmanager get-secret-value --query SecretString --output text --region ',
          { Ref: 'AWS::Region' },
          ' --secret-id ',
          { Ref: resourceAt(template, 'AdminPassword/Resource').id },
        ],
      ],
    },
  });
  // In this order the command line prints them.
  expect(Object.keys(template.Outputs).sort().slice(-2)).toEqual([
    'WhatNext1OpenTheConsole',
    'WhatNext2ReadThePassword',
  ]);
});

test('one stack has at most the resources of decision 8, and two for an endpoint', async () => {
  const decision = await readFile(new URL('../docs/decisions/0008-one-stack.md', import.meta.url), 'utf8');
  const [, most, mostOfAll] = /at most (\d+) of CloudFormation's 500 resources,\s(\d+) with every option/.exec(
    decision,
  )!;
  expect(resourcesOf(template).length).toBeLessThanOrEqual(Number(most));
  expect(resourcesOf(synthesise(everyOption)).length).toBeLessThanOrEqual(Number(mostOfAll));
  const forEndpoints = resourcesOf(template).filter(({ path }) => /^(Functions|Invokers)\//.test(path));
  expect(forEndpoints.length).toBeLessThanOrEqual(2 * endpoints.length);
});

test('a build changes only the functions that state it, so that an upgrade keeps the others warm', () => {
  const withBuild = resourcesOf(template, 'AWS::Lambda::Function').filter(({ properties }) =>
    /BUILD_|SERVICE_VERSION|"1\.2\.3"|"abc"|2026-01-01/.test(JSON.stringify(properties['Environment'])),
  );
  expect(withBuild.map(({ path }) => path)).toEqual(
    ['getMetrics', 'getVersion', 'pmmServer'].map((name) => `Functions/${name}/Function/Resource`),
  );
  for (const { properties } of withBuild)
    expect(properties['Environment']).toMatchObject({
      Variables: { SERVICE_VERSION: '1.2.3', BUILD_COMMIT: 'abc', BUILD_TIME: '2026-01-01T00:00:00.000Z' },
    });
});

test("the template with every option is far below CloudFormation's megabyte", () => {
  let bytes = 0;
  synthesiseApp((app, assets) => {
    new InventoryStack(app, 'MonitoringInventory', { inventory: { ...everyOption, assets } });
    bytes = statSync(app.synth().stacks[0]!.templateFullPath).size;
  });
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(600_000);
});

test("no policy grows towards IAM's 10,240 characters for all inline policies of a role", () => {
  // Longer than any name in an ARN: generated names have at most 64 characters.
  const longest = `arn:aws-us-gov:dynamodb:us-gov-west-1:000000000000:table/${'x'.repeat(64)}/index/by_name`;
  for (const { path, properties } of resourcesOf(synthesise({ customerManagedKey: true }), 'AWS::IAM::Role')) {
    const policies = JSON.stringify(properties['Policies'] ?? [], (_, value: unknown) =>
      typeof value === 'object' && value !== null && ('Fn::GetAtt' in value || 'Fn::Join' in value) ? longest : value,
    );
    expect([path, policies.length < 9500]).toEqual([path, true]);
  }
});

describe('a second stack in the account has other names, also in another region', () => {
  /** Their names are unique within another resource of the stack only. */
  const isPart = /^AWS::(Lambda::Alias|ApiGateway::Stage|ApplicationAutoScaling::ScalingPolicy|CloudWatch::Alarm)$/;
  const isName = /^(?!Display|Attribute|Service)(\w*Name)$/;
  const named = resourcesOf(
    synthesise({ waf: true, provisionedConcurrency: 1, customerManagedKey: true, ...agentGatewayOptions }),
  )
    .filter(({ type }) => !type.startsWith('Custom::') && !isPart.test(type))
    .flatMap(({ path, type, properties }) =>
      [properties, ...Object.values(properties)]
        .flatMap((part) => (typeof part === 'object' && !Array.isArray(part) ? Object.entries(part ?? {}) : []))
        .filter(([name]) => isName.test(name))
        .map(([name, value]) => ({ path, type, name, value: JSON.stringify(value) })),
    );

  test.each(named)('$path $name', ({ type, value }) => {
    // Of another resource, or with the stack in it.
    expect(value).toMatch(/^\{"(Ref|Fn::GetAtt)":|"Ref":"AWS::Stack(Name|Id)"/);
    if (type.startsWith('AWS::CloudFront::')) expect(value).toContain('{"Ref":"AWS::Region"}');
  });

  test('also for CloudFront', () => {
    const types = named.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['AWS::CloudFront::Function', 'AWS::CloudFront::OriginAccessControl']),
    );
  });
});

describe('the table', () => {
  const { properties, deletionPolicy } = resourceAt(template, 'Table/Resource');
  const keySchema = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];

  test('has the keys, indexes and expiry that the code uses', () => {
    expect(properties).toMatchObject({
      KeySchema: keySchema(tableKey),
      GlobalSecondaryIndexes: Object.values(indexes).map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'ALL' },
      })),
      TimeToLiveSpecification: { AttributeName: TTL_ATTRIBUTE, Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
  });

  test('is protected, retained and restorable, unless settings say otherwise', () => {
    const replica = (of: Record<string, unknown>) => (of['Replicas'] as any)[0];
    expect(deletionPolicy).toBe('Retain');
    expect(replica(properties)).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      ContributorInsightsSpecification: { Enabled: true },
    });
    const other = resourceAt(synthesise({ removalPolicy: 'destroy', pointInTimeRecovery: false }), 'Table/Resource');
    expect(other.deletionPolicy).toBe('Delete');
    expect(replica(other.properties)).toMatchObject({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
  });

  test('is encrypted with an account key with that setting, also without a region', () => {
    const other = synthesise({ customerManagedKey: true });
    const { id } = resourceAt(other, 'Key/Resource');
    expect(resourceAt(other, 'Table/Resource').properties).toMatchObject({
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [{ SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': [id, 'Arn'] } } }],
    });
    expect(resourceAt(other, 'Key/Resource').properties).toMatchObject({ EnableKeyRotation: true });
  });
});

describe('first access', () => {
  test('the password is generated by Secrets Manager, and no template, output or log contains it', () => {
    expect(resourceAt(template, 'AdminPassword/Resource').properties).toMatchObject({
      GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 32 },
    });
    // Neither contained in the template, nor resolved into it by CloudFormation.
    const { id } = resourceAt(template, 'AdminPassword/Resource');
    const text = JSON.stringify(template);
    expect(text).not.toContain('"SecretString"');
    expect(text).not.toContain(`resolve:secretsmanager:",{"Ref":"${id}"`);
  });

  test('the account is set up again exactly when table, secret or format change, and a deployment waits at most three minutes', () => {
    expect(resourceAt(template, 'FirstAccess/Ready/Default').properties).toEqual({
      ServiceToken: { 'Fn::GetAtt': [resourceAt(template, 'FirstAccess/setUp/Function/Resource').id, 'Arn'] },
      ServiceTimeout: '180',
      SecretArn: { Ref: resourceAt(template, 'AdminPassword/Resource').id },
      TableName: { Ref: resourceAt(template, 'Table/Resource').id },
      Format: TABLE_FORMAT,
    });
  });

  test('a version that cannot read the table fails before its functions are deployed', () => {
    const { id, properties } = resourceAt(template, 'FirstAccess/Format/Default');
    expect(properties).toMatchObject({ Format: TABLE_FORMAT, TableName: { Ref: expect.any(String) } });
    expect(properties).not.toHaveProperty('SecretArn');
    for (const path of ['Functions/listNodes', 'Functions/authorizer', 'Functions/catchAll', 'Jobs/continueJobs'])
      expect([path, resourceAt(template, `${path}/Function/Resource`).dependsOn]).toEqual([
        path,
        expect.arrayContaining([id]),
      ]);
    expect(resourceAt(template, 'FirstAccess/setUp/Function/Resource').dependsOn).not.toContain(id);
  });

  test('the number of change partitions grows after their readers were replaced', () => {
    const ready = resourceAt(synthesise({ changeShards: 8, provisionedConcurrency: 1 }), 'FirstAccess/Ready/Default');
    expect(ready.properties).toMatchObject({ ChangeShards: 8 });
    expect(ready.dependsOn).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/FunctionslistChangesFunction/),
        expect.stringMatching(/FunctionslistChangesWarm/),
        expect.stringMatching(/FunctionslistAuditFunction/),
      ]),
    );
  });

  test('deployment functions end before CloudFormation gives up on them', () => {
    for (const step of ['FirstAccess/setUp', 'GatewayLogs/gatewayLogRole', 'Site/Files/publishSite'])
      expect(resourceAt(template, `${step}/Function/Resource`).properties['Timeout']).toBeLessThan(180);
  });
});

test('removalPolicy=destroy keeps only the role that other APIs may use', () => {
  const kept = resourcesOf(destroyed).filter(({ deletionPolicy }) => deletionPolicy?.startsWith('Retain') === true);
  expect(kept.map(({ path }) => path)).toEqual(['GatewayLogs/Role/Resource']);
});

test("by default everything with data is retained, and of a failed first deployment only the protected table and the account's role", () => {
  const kept = (policy: string, of = template) =>
    resourcesOf(of)
      .filter(({ deletionPolicy }) => deletionPolicy === policy)
      .map(({ path }) => path)
      .sort();
  // CloudFormation cannot remove a table with deletion protection.
  expect(kept('Retain')).toEqual(['GatewayLogs/Role/Resource', 'Table/Resource']);
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
  const held = ['AdminPassword/Resource', 'ApiAccessLog/Resource', 'Log/Resource'];
  expect(kept('RetainExceptOnCreate')).toEqual(held);
  const ofAgents = ['Agents/Key/Resource', 'Agents/Log/Resource'];
  expect(kept('RetainExceptOnCreate', synthesise(agentGatewayOptions)).sort()).toEqual([...held, ...ofAgents].sort());
});

test('an update keeps table, secret, bucket, API and distribution, whose logical ids have been constant since the first release', () => {
  const ids = ['Table', 'AdminPassword', 'Site/Bucket', 'Api', 'Site/Distribution'].map(
    (path) => resourceAt(template, `${path}/Resource`).id,
  );
  expect(ids).toEqual([
    'InventoryTable40A3050B',
    'InventoryAdminPasswordC09917FA',
    'InventorySiteBucket13ADD701',
    'InventoryApiB596E234',
    'InventorySiteDistributionAAB5AF81',
  ]);
});

test('every log has the configured retention', () => {
  for (const { properties } of resourcesOf(
    synthesise({ logRetentionDays: 90, ...agentGatewayOptions }),
    'AWS::Logs::LogGroup',
  ))
    expect(properties).toMatchObject({ RetentionInDays: 90 });
});

test('the retained resources of a removed stack are the documented ones, without the bucket', async () => {
  const kept = resourcesOf(synthesise(everyOption))
    .filter(({ deletionPolicy }) => deletionPolicy?.startsWith('Retain'))
    .map(({ type }) => type);
  const words = {
    'AWS::DynamoDB::GlobalTable': 'table',
    'AWS::KMS::Key': 'key',
    'AWS::Logs::LogGroup': 'logs',
    'AWS::SecretsManager::Secret': 'secret',
    // A paragraph of its own.
    'AWS::IAM::Role': 'role',
  };
  expect([...new Set(kept)].sort()).toEqual(Object.keys(words).sort());
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
  const [, uninstall = ''] = (await read('../docs/maintenance.md')).split('\n## Uninstall\n');
  for (const word of Object.values(words)) expect(uninstall).toContain(word);
  const [, fate = ''] = (await read('settings/settings.ts')).split('The fate of the data');
  for (const text of [uninstall.split('```')[0]!, fate.split('@default')[0]!]) expect(text).not.toContain('bucket');
});

test('in a VPC without a route to IAM, the log role step ends long before CloudFormation gives up', () => {
  const { Timeout } = resourceAt(template, 'GatewayLogs/gatewayLogRole/Function/Resource').properties;
  const { maxAttempts, requestHandler } = iamLimits;
  const milliseconds = maxAttempts * (requestHandler.connectionTimeout + requestHandler.requestTimeout);
  expect(milliseconds / 1000).toBeLessThan(Number(Timeout) / 3);
});
