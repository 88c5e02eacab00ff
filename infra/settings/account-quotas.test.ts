import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { privateAgentGatewayOptions } from './agent-gateway-options.ts';
import { everyOption } from './every-option.ts';
import { resourcesOf, synthesise } from '../synthesis/synthesise.ts';
import { synthesiseTenant } from '../../tests/support/synthesise-tenant.ts';
import { MAX_TENANTS } from './tenant-list.ts';

/** Stacks of the inventory that fit into a new account and one region of it, by their settings. */
const stacks = [
  ['default', 41, {}],
  ['without CloudFront', 41, { cdn: false, stateEvents: true }],
  [
    'without CloudFront, with a name of its own',
    41,
    {
      cdn: false,
      domainName: 'inventory.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/abc',
    },
  ],
  ['every, with agents in a VPC of the operator', 33, { ...everyOption, ...privateAgentGatewayOptions }],
  ['every, with a VPC for agents', 5, everyOption],
] as const;

/**
 * The default quotas of an account in a region (of CloudFront and IAM: of the account), by type of resource; Infinity
 * where AWS states none. docs/decisions/0026-quotas.md has the sources.
 */
const quotas: Readonly<Record<string, number>> = {
  'AWS::ApiGateway::BasePathMapping': Infinity,
  'AWS::ApiGateway::Deployment': Infinity,
  'AWS::ApiGateway::DomainName': 120,
  'AWS::ApiGateway::RestApi': 600,
  'AWS::ApiGateway::Stage': Infinity,
  'AWS::ApiGatewayV2::Api': 600,
  'AWS::ApiGatewayV2::Integration': Infinity,
  'AWS::ApiGatewayV2::Route': Infinity,
  'AWS::ApiGatewayV2::Stage': Infinity,
  'AWS::ApplicationAutoScaling::ScalableTarget': 500,
  'AWS::ApplicationAutoScaling::ScalingPolicy': Infinity,
  'AWS::CloudFront::Distribution': 200,
  'AWS::CloudFront::Function': 100,
  'AWS::CloudFront::OriginAccessControl': 100,
  'AWS::CloudWatch::Alarm': 5000,
  'AWS::CloudWatch::Dashboard': 5000,
  'AWS::DynamoDB::GlobalTable': 2500,
  'AWS::EC2::InternetGateway': 5,
  'AWS::EC2::Route': Infinity,
  'AWS::EC2::RouteTable': Infinity,
  'AWS::EC2::SecurityGroup': 2500,
  'AWS::EC2::SecurityGroupEgress': Infinity,
  'AWS::EC2::SecurityGroupIngress': Infinity,
  'AWS::EC2::Subnet': Infinity,
  'AWS::EC2::SubnetRouteTableAssociation': Infinity,
  'AWS::EC2::VPC': 5,
  'AWS::EC2::VPCGatewayAttachment': Infinity,
  'AWS::ECS::Cluster': 10_000,
  'AWS::ECS::Service': Infinity,
  'AWS::ECS::TaskDefinition': Infinity,
  'AWS::ElasticLoadBalancingV2::Listener': Infinity,
  'AWS::ElasticLoadBalancingV2::LoadBalancer': 50,
  'AWS::ElasticLoadBalancingV2::TargetGroup': 3000,
  'AWS::Events::Rule': 100,
  'AWS::IAM::Role': 1000,
  'AWS::KMS::Key': 100_000,
  'AWS::Lambda::Alias': Infinity,
  'AWS::Lambda::EventInvokeConfig': Infinity,
  'AWS::Lambda::EventSourceMapping': Infinity,
  'AWS::Lambda::Function': Infinity,
  'AWS::Lambda::Permission': Infinity,
  'AWS::Lambda::Version': Infinity,
  'AWS::Logs::LogGroup': 1_000_000,
  'AWS::Logs::MetricFilter': Infinity,
  'AWS::Route53::RecordSet': 10_000,
  'AWS::S3::Bucket': 10_000,
  'AWS::S3::BucketPolicy': Infinity,
  'AWS::SNS::Subscription': Infinity,
  'AWS::SNS::Topic': 100_000,
  'AWS::SNS::TopicPolicy': Infinity,
  'AWS::SQS::Queue': Infinity,
  'AWS::SQS::QueuePolicy': Infinity,
  'AWS::SecretsManager::Secret': 500_000,
  'AWS::WAFv2::WebACL': 100,
  'AWS::WAFv2::WebACLAssociation': Infinity,
};

test.each(stacks)('stacks for which an account has room: %s, %d', (_, number, given) => {
  const counts = new Map<string, number>();
  for (const { type } of resourcesOf(synthesise(given))) counts.set(type, (counts.get(type) ?? 0) + 1);
  const kinds = [...counts].filter(([type]) => !type.startsWith('Custom::'));
  // A new type of resource: look up its quota.
  expect(kinds.map(([type]) => type).filter((type) => !Object.hasOwn(quotas, type))).toEqual([]);
  expect(kinds.filter(([type, count]) => (quotas[type] ?? 0) / count < number)).toEqual([]);
});

test('an account has room for the maximum of tenants and their shared stack', () => {
  const counts = new Map<string, number>();
  for (const [name, template] of synthesiseTenant({ stateEvents: true, probe: true, reportEndpoint: 'http' }))
    for (const { type } of resourcesOf(template))
      counts.set(type, (counts.get(type) ?? 0) + (name.endsWith('-shared') ? 1 : MAX_TENANTS));
  const decision = readFileSync(new URL('../../docs/decisions/0026-quotas.md', import.meta.url), 'utf8');
  const [, roles, functions, rules] =
    /use (\d+) roles of 1,000[\s\S]*use (\d+) CloudFront functions of 100[\s\S]*at most (\d+)\sevent rules/.exec(
      decision,
    )!;
  expect([roles, functions, rules].map(Number)).toEqual(
    ['IAM::Role', 'CloudFront::Function', 'Events::Rule'].map((type) => counts.get(`AWS::${type}`)),
  );
  const kinds = [...counts].filter(([type]) => !type.startsWith('Custom::'));
  expect(counts.get('AWS::IAM::Role')).toBeGreaterThan(MAX_TENANTS);
  // Of one quota, tenants.md says when to request more.
  const requested: Readonly<Record<string, number>> = { 'AWS::IAM::Role': 5000 };
  expect(kinds.filter(([type, count]) => (requested[type] ?? quotas[type] ?? 0) < count)).toEqual([]);
});

test("an HTTP API's log takes no place in the resource policies of CloudWatch Logs, which have room for 38", () => {
  const templates = [synthesise(everyOption), ...synthesiseTenant({ reportEndpoint: 'http' }).values()];
  const names = templates.flatMap((template) => {
    const logs = new Map(
      resourcesOf(template, 'AWS::Logs::LogGroup').map(({ id, properties }) => [id, properties['LogGroupName']]),
    );
    return resourcesOf(template, 'AWS::ApiGatewayV2::Stage').map(({ properties }: { properties: any }) =>
      JSON.stringify(logs.get(properties.AccessLogSettings.DestinationArn['Fn::GetAtt'][0])),
    );
  });
  expect(names).toHaveLength(2);
  for (const name of names) {
    expect(name).toMatch(/^\{"Fn::Join":\["",\["\/aws\/vendedlogs\//);
    // Of each stack another one, also of one that is made again.
    for (const part of ['AWS::StackName', 'AWS::StackId']) expect(name).toContain(`{"Ref":"${part}"}`);
  }
});

test('tenants.md names the tenant from which an account has fewer than 50 other roles', async () => {
  const document = await readFile(new URL('../../docs/tenants.md', import.meta.url), 'utf8');
  const rolesIn = ([name, template]: [string, Parameters<typeof resourcesOf>[0]]) =>
    [name.endsWith('-shared'), resourcesOf(template, 'AWS::IAM::Role').length] as const;
  const roles = new Map([...synthesiseTenant({ stateEvents: true, probe: true })].map(rolesIn));
  const [, ofTenant, next] = /A tenant has up to (\d+) roles[\s\S]*[Bb]efore the (\d+)th tenant/.exec(document)!;
  expect(Number(ofTenant)).toBe(roles.get(false));
  expect(Number(next)).toBe(Math.floor((1000 - 50 - roles.get(true)!) / Number(ofTenant)) + 1);
});

/** Rows of decision 26 that state a number of resources. */
const rows: Readonly<Record<string, string>> = {
  'functions of an account': 'AWS::CloudFront::Function',
  'origin access controls of an account': 'AWS::CloudFront::OriginAccessControl',
  'distributions of an account': 'AWS::CloudFront::Distribution',
  'roles of an account': 'AWS::IAM::Role',
  'HTTP APIs in a region': 'AWS::ApiGatewayV2::Api',
  'regional APIs in a region': 'AWS::ApiGateway::RestApi',
  'rules of a bus': 'AWS::Events::Rule',
  'VPCs and internet gateways of a region': 'AWS::EC2::VPC',
  'network load balancers of a region': 'AWS::ElasticLoadBalancingV2::LoadBalancer',
  'web ACLs in a region': 'AWS::WAFv2::WebACL',
};

test.each(Object.entries(rows))('decision 26 states the number of %s in a stack', async (name, type) => {
  const decision = await readFile(new URL('../../docs/decisions/0026-quotas.md', import.meta.url), 'utf8');
  const row = decision.split('\n').find((line) => line.includes(name))!;
  const stated = row.split('|').at(-2)!.match(/\d+/g)!.map(Number);
  const count = resourcesOf(synthesise(everyOption), type).length;
  const most = Math.max(...stated);
  expect([count, row.includes('at most') ? Math.max(count, most) : most]).toEqual([
    count,
    row.includes('at most') ? most : count,
  ]);
});
