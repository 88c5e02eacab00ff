import { Aws, CfnParameter, Fn, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { type IVpc, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { interfaceOf } from './settings/interface-of.ts';
import { MonitoringInventory, type MonitoringInventoryProps } from './library.ts';
import {
  type Resource,
  resourceAt,
  resourcesOf,
  roleOf,
  statementsIn,
  synthesiseStack,
  type Template,
} from './synthesis/synthesise.ts';

/** The template of an inventory beside the constructs of its app, in the same stack or another. */
function templateWith(propsIn: (stack: Stack) => MonitoringInventoryProps, others?: string): Template {
  return synthesiseStack((app, assets) => {
    const stack = new Stack(app, 'MonitoringInventory');
    const props = propsIn(others === undefined ? stack : new Stack(app, others));
    new MonitoringInventory(stack, 'Inventory', { assets, ...props });
    return stack;
  });
}

const vpcIn = (stack: Stack) => interfaceOf<IVpc>(new Vpc(stack, 'Vpc', { natGateways: 1 }));
const busIn = (stack: Stack) => interfaceOf<IEventBus>(new EventBus(stack, 'Bus'));

const constructsIn = (stack: Stack) => {
  const vpc = vpcIn(stack);
  return {
    vpc,
    securityGroups: [new SecurityGroup(stack, 'Group', { vpc })],
    domainName: 'inventory.example.com',
    certificate: new Certificate(stack, 'Certificate', { domainName: 'inventory.example.com' }),
    hostedZone: new PublicHostedZone(stack, 'HostedZone', { zoneName: 'example.com' }),
    accessLogs: interfaceOf<IBucket>(new Bucket(stack, 'AccessLogs')),
    boundary: new ManagedPolicy(stack, 'Boundary', {
      statements: [new PolicyStatement({ actions: ['*'], resources: ['*'] })],
    }),
    eventBus: busIn(stack),
    encryptionKey: new Key(stack, 'AppKey'),
  } satisfies MonitoringInventoryProps;
};

describe.each([
  ['of its own stack', undefined, (id: string) => new RegExp(`^\\{"(Ref|Fn::GetAtt)":\\[?"${id}`)],
  ['of another stack', 'Others', (id: string) => new RegExp(`^\\{"Fn::GetStackOutput":.*"\\w+?${id}`)],
])('an inventory with constructs %s', (_, others, referenceTo) => {
  const template = templateWith(constructsIn, others);
  const textOf = (value: unknown) => JSON.stringify(value);
  const all = (type: string): any[] => resourcesOf(template, type).map(({ properties }) => properties);
  const ours = (type: string) =>
    resourcesOf(template, type)
      .filter(({ path }) => /^(Api|Events|Jobs|Functions|Log|Site)/.test(path))
      .map(({ properties }): any => properties);

  test('runs its functions in the VPC', () => {
    for (const { VpcConfig } of ours('AWS::Lambda::Function')) {
      expect(VpcConfig.SubnetIds).toHaveLength(2);
      expect(textOf(VpcConfig.SubnetIds[0])).toMatch(referenceTo('VpcPrivateSubnet1'));
      expect(textOf(VpcConfig.SecurityGroupIds[0])).toMatch(referenceTo('Group'));
    }
  });

  test('has the certificate, the zone and the bucket for logs', () => {
    const [{ DistributionConfig }] = all('AWS::CloudFront::Distribution');
    expect(textOf(DistributionConfig.ViewerCertificate.AcmCertificateArn)).toMatch(referenceTo('Certificate'));
    for (const { HostedZoneId } of all('AWS::Route53::RecordSet'))
      expect(textOf(HostedZoneId)).toMatch(referenceTo('HostedZone'));
    expect(textOf(DistributionConfig.Logging.Bucket)).toContain('AccessLogs');
    const { DestinationBucketName } = resourceAt(template, 'Site/Bucket/Resource').properties[
      'LoggingConfiguration'
    ] as any;
    expect(textOf(DestinationBucketName)).toMatch(referenceTo('AccessLogs'));
  });

  test('limits every role by the policy', () => {
    for (const { PermissionsBoundary } of ours('AWS::IAM::Role'))
      expect(textOf(PermissionsBoundary)).toMatch(referenceTo('Boundary'));
  });

  test('publishes only on the bus', () => {
    const { Environment } = resourceAt(template, 'Events/publishChanges/Function/Resource').properties as any;
    expect(textOf(Environment.Variables.EVENT_BUS)).toMatch(referenceTo('Bus'));
    const role = resourceAt(template, 'Events/publishChanges/Rights/Role/Resource').properties;
    const text = textOf(role['Policies']);
    expect(text).toContain('events:PutEvents');
    expect(text).not.toContain('event-bus/default');
  });

  test('encrypts with the key and makes none', () => {
    expect(all('AWS::KMS::Key')).toHaveLength(others === undefined ? 1 : 0);
    const [{ Replicas }] = all('AWS::DynamoDB::GlobalTable');
    expect(textOf(Replicas[0].SSESpecification.KMSMasterKeyId)).toMatch(referenceTo('AppKey'));
    for (const { KmsKeyId } of ours('AWS::Logs::LogGroup')) expect(textOf(KmsKeyId)).toMatch(referenceTo('AppKey'));
    for (const { KmsMasterKeyId } of ours('AWS::SQS::Queue'))
      expect(textOf(KmsMasterKeyId)).toMatch(referenceTo('AppKey'));
  });
});

test('a VPC alone suffices: functions run in its private subnets, in a new security group', () => {
  const template = templateWith((stack) => ({ vpc: vpcIn(stack) }));
  const group = resourceAt(template, 'SecurityGroup/Resource');
  const { VpcConfig } = resourceAt(template, 'Functions/addNode/Function/Resource').properties as any;
  expect(VpcConfig.SecurityGroupIds).toEqual([{ 'Fn::GetAtt': [group.id, 'GroupId'] }]);
  expect(JSON.stringify(VpcConfig.SubnetIds)).toContain('VpcPrivateSubnet1');
  expect(group.properties).not.toHaveProperty('SecurityGroupIngress');
});

test('settings may be values of other constructs, single and as lists', () => {
  const template = templateWith((stack) => {
    const text = (id: string) => new CfnParameter(stack, id).valueAsString;
    return {
      alarmEmail: text('Email'),
      accessLogBucket: text('Logs'),
      domainName: text('Name'),
      certificateArn: text('Arn'),
      hostedZoneId: text('ZoneId'),
      permissionsBoundary: text('Limit'),
      subnetIds: new CfnParameter(stack, 'Subnets', { type: 'List<AWS::EC2::Subnet::Id>' }).valueAsList,
      securityGroupIds: [Fn.importValue('Group')],
      tags: { account: Aws.ACCOUNT_ID },
    };
  });
  const { VpcConfig, Tags } = resourceAt(template, 'Functions/addNode/Function/Resource').properties as any;
  expect(VpcConfig).toEqual({ SubnetIds: { Ref: 'Subnets' }, SecurityGroupIds: [{ 'Fn::ImportValue': 'Group' }] });
  expect(Tags).toContainEqual({ Key: 'account', Value: { Ref: 'AWS::AccountId' } });
  const [subscription] = resourcesOf(template, 'AWS::SNS::Subscription');
  expect(subscription!.properties['Endpoint']).toEqual({ Ref: 'Email' });
});

test('a user pool of the app is an identity provider', () => {
  const template = templateWith((stack) => {
    const pool = new UserPool(stack, 'People');
    const client = pool.addClient('Console', { generateSecret: true });
    const common = { kind: 'oidc' as const, redirectUris: ['https://inventory.example.com/'] };
    const secret = new Secret(stack, 'ClientSecret');
    return {
      identityProviders: [
        {
          ...{ ...common, name: 'cognito', issuer: pool.userPoolProviderUrl, clientId: client.userPoolClientId },
          clientSecretArn: secret.secretArn,
        },
        { ...common, name: 'other', issuer: new UserPool(stack, 'Others').userPoolProviderUrl, clientId: 'x' },
      ],
    };
  });
  const [pool] = resourcesOf(template, 'AWS::Cognito::UserPool');
  const [client] = resourcesOf(template, 'AWS::Cognito::UserPoolClient');
  const { Environment } = resourceAt(template, 'Functions/logIn/Function/Resource').properties as any;
  const [, parts] = Environment.Variables.IDENTITY_PROVIDERS['Fn::Join'];
  expect(parts).toContainEqual({ 'Fn::GetAtt': [pool!.id, 'ProviderURL'] });
  expect(parts).toContainEqual({ Ref: client!.id });
  const text = parts.map((part: unknown) => (typeof part === 'string' ? part : 'https://a.example.com')).join('');
  expect(JSON.parse(text)).toHaveLength(2);
  const { id: role } = roleOf(template, 'Functions/logIn');
  const secrets = statementsIn(resourcesOf(template).find(({ id }) => id === role)!.properties).filter(({ Action }) =>
    Action.includes('secretsmanager:GetSecretValue'),
  );
  expect(JSON.stringify(secrets)).toContain('ClientSecret');
});

test.each<[string, (stack: Stack) => MonitoringInventoryProps]>([
  [
    'securityGroups stands in the place of securityGroupIds',
    (stack) => ({ ...constructsIn(stack), securityGroupIds: ['sg-0123abcd'] }),
  ],
  ['encryptionKey stands in the place of', (stack) => ({ ...constructsIn(stack), customerManagedKey: true })],
  ['vpc is missing', () => ({ vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED } })],
  [
    'vpcSubnets selects public subnets',
    (stack) => ({ vpc: vpcIn(stack), vpcSubnets: { subnetType: SubnetType.PUBLIC } }),
  ],
  ['changeEvents is false', (stack) => ({ eventBus: busIn(stack), changeEvents: false })],
  ['Set subnetIds too', (stack) => ({ securityGroups: constructsIn(stack).securityGroups })],
  ['Unknown setting "vpcId"', () => JSON.parse('{ "vpcId": "vpc-0123abcd" }')],
])('%s: contradicting constructs are refused', (problem, propsIn) =>
  expect(() => templateWith(propsIn)).toThrow(problem),
);

describe('values known only at deployment', () => {
  const numbers = [
    ...['throttleRate', 'throttleBurst', 'reportRate', 'openRate', 'loginRate', 'logRetentionDays'],
    ...['auditRetentionDays', 'wafRequestsPerAddress', 'workerConcurrency'],
  ];

  test.each(numbers)('a template parameter is forwarded as %s', (name) => {
    const template = templateWith((stack) => ({
      ...(name === 'wafRequestsPerAddress' ? { waf: true } : {}),
      [name]: new CfnParameter(stack, 'Given', { type: 'Number' }).valueAsNumber,
    }));
    const text = JSON.stringify(template.Resources);
    expect(text).toContain('{"Ref":"Given"}');
    // The number that stands for the parameter in the app.
    expect(text).not.toMatch(/-1\.8\d*e\+289/);
  });

  test.each(['agentGatewayTasks', 'provisionedConcurrency', 'authorizerCacheSeconds', 'changeShards'])(
    '%s, which determines the template, is refused with the remedy',
    (name) => {
      const make = () =>
        templateWith((stack) => ({ [name]: new CfnParameter(stack, 'Given', { type: 'Number' }).valueAsNumber }));
      expect(make).toThrow(`${name} is known at the deployment only, but the template depends on it: a whole number`);
    },
  );
});

test('three inventories exceed a stack and are refused with the remedy', () => {
  const make = () =>
    synthesiseStack((app, assets) => {
      const stack = new Stack(app, 'Three', { suppressTemplateIndentation: true });
      for (const id of ['One', 'Two', 'Three']) new MonitoringInventory(stack, id, { assets });
      return stack;
    });
  expect(make).toThrow(
    /Stack Three has \d+ resources with its 3 inventories, .* stack of its own, or use InventoryTenants/,
  );
});

describe('two inventories in one stack', () => {
  const template = synthesiseStack((app, assets) => {
    const stack = new Stack(app, 'Both', { suppressTemplateIndentation: true });
    for (const id of ['One', 'Two']) new MonitoringInventory(stack, id, { assets, waf: true });
    return stack;
  });

  /** The names that nothing else in the account and region may have, or whose metrics would be added up. */
  const nameOf: Readonly<Record<string, (properties: any) => unknown>> = {
    'AWS::ApiGateway::RestApi': ({ Name }) => Name,
    'AWS::CloudFront::Function': ({ Name }) => Name,
    'AWS::CloudFront::OriginAccessControl': ({ OriginAccessControlConfig: { Name } }) => Name,
    'AWS::Logs::MetricFilter': ({ MetricTransformations: [{ MetricNamespace, MetricName }] }) => [
      MetricNamespace,
      MetricName,
    ],
    'AWS::Logs::LogGroup': ({ LogGroupName }) => LogGroupName,
    'AWS::WAFv2::WebACL': ({ VisibilityConfig: { MetricName } }) => MetricName,
  };

  const named = (of: RegExp): [Resource, string][] =>
    resourcesOf(template)
      .filter(({ type, properties }) => of.test(type) && nameOf[type]?.(properties) !== undefined)
      .map((resource) => [resource, JSON.stringify(nameOf[resource.type]!(resource.properties))]);

  test('have no common name', () => {
    const names = named(/./).map(([{ type }, name]) => `${type} ${name}`);
    expect(names.length).toBeGreaterThanOrEqual(12);
    expect(new Set(names).size).toBe(names.length);
  });

  test('get every other name from CloudFormation', () => {
    const others = resourcesOf(template).filter(
      ({ type, properties }) =>
        !Object.hasOwn(nameOf, type) && ['Name', `${type.split('::').at(-1)}Name`].some((name) => name in properties),
    );
    // A stage is of its API.
    expect(others.map(({ type }) => type)).toEqual(['AWS::ApiGateway::Stage', 'AWS::ApiGateway::Stage']);
  });

  test('have CloudFront names of at most 64 characters in the region with the longest name', () => {
    const longest: Readonly<Record<string, string>> = { 'AWS::Region': 'x'.repeat(15), 'AWS::StackId': 'x'.repeat(32) };
    const [parts] = named(/OriginAccessControl/).map(([, name]) => JSON.parse(name)['Fn::Join'][1] as any[]);
    const length = parts!.map((part) => longest[part.Ref] ?? longest[refIn(part)] ?? part).join('').length;
    expect(length).toBeLessThanOrEqual(64);
  });
});

/** The pseudo parameter from which a part of a name is taken. */
function refIn(part: unknown): string {
  return /"Ref":"(AWS::\w+)"/.exec(JSON.stringify(part))?.[1] ?? '';
}
