import { agentGatewayOptions } from './agent-gateway-options.ts';
import { type Resource, resourceAt, resourcesOf, statementsIn, synthesise } from '../synthesis/synthesise.ts';

/** The parts of the AWS::* resources of a template that can be compared. */
const bodies = (of: readonly Resource[]) => of.map(({ path, properties }) => [path, properties] as const);

test.each([
  [{ authorizerConcurrency: 5 }, ['authorizer']],
  [{ loginConcurrency: 5 }, ['authorizeDevice', 'logIn', 'endProviderSession']],
])('with %j, these functions have reserved instances: %j', (setting, names) => {
  const reserved = resourcesOf(synthesise(setting), 'AWS::Lambda::Function').filter(
    ({ properties }) => 'ReservedConcurrentExecutions' in properties,
  );
  expect(reserved.map((lambda) => [lambda.path, lambda.properties['ReservedConcurrentExecutions']])).toEqual(
    names.map((name) => [`Functions/${name}/Function/Resource`, 5]),
  );
});

test('by default, no function has reserved instances', () => {
  const byDefault = resourcesOf(synthesise(), 'AWS::Lambda::Function');
  // Lambda would refuse a deployment into an account with ten instances.
  for (const { properties } of byDefault) expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
});

test('the worker uses few instances of the account, by its simultaneous batches', () => {
  const factor = (of: Parameters<typeof synthesise>[0]) =>
    resourceAt(synthesise(of), 'Jobs/Stream/Resource').properties['ParallelizationFactor'];
  expect(factor({})).toBe(2);
  expect(factor({ workerConcurrency: 10 })).toBe(10);
});

test('an account key encrypts every log group, for CloudWatch Logs of this account and region only', () => {
  const template = synthesise({ customerManagedKey: true, ...agentGatewayOptions });
  const { id, properties } = resourceAt(template, 'Key/Resource');
  const logs = resourcesOf(template, 'AWS::Logs::LogGroup');
  expect(logs).toHaveLength(3);
  for (const log of logs) expect(log.properties['KmsKeyId']).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  const [statement] = statementsIn(properties).filter(({ Principal }) => JSON.stringify(Principal).includes('logs.'));
  const condition = JSON.stringify(statement?.Condition);
  for (const part of ['kms:EncryptionContext:aws:logs:arn', 'AWS::Region', 'AWS::AccountId', ':log-group:*'])
    expect(condition).toContain(part);
});

test("the site's access logs go to an account bucket", () => {
  const template = synthesise({ accessLogBucket: 'the-logs' });
  expect(resourceAt(template, 'Site/Bucket/Resource').properties['LoggingConfiguration']).toEqual({
    DestinationBucketName: 'the-logs',
    LogFilePrefix: 'site/',
  });
  const distribution: any = resourceAt(template, 'Site/Distribution/Resource').properties['DistributionConfig'];
  expect(JSON.stringify(distribution.Logging.Bucket)).toContain('the-logs.s3.');
});

test('functions can run in a VPC, with rights for network interfaces', () => {
  const network = { subnetIds: ['subnet-0123abcd'], securityGroupIds: ['sg-0123abcd'] };
  const template = synthesise(network);
  for (const { path, properties } of resourcesOf(template, 'AWS::Lambda::Function')) {
    expect([path, properties['VpcConfig']]).toEqual([
      path,
      { SubnetIds: network.subnetIds, SecurityGroupIds: network.securityGroupIds },
    ]);
    const [role] = resourcesOf(template).filter(({ id }) => JSON.stringify(properties['Role']).includes(`"${id}"`));
    expect(statementsIn(role!.properties).flatMap(({ Action }) => Action)).toContain('ec2:CreateNetworkInterface');
  }
  expect(JSON.stringify(bodies(resourcesOf(synthesise())))).not.toContain('ec2:');
});

test('a permissions boundary limits every role', () => {
  const permissionsBoundary = 'arn:aws:iam::123456789012:policy/Boundary';
  for (const { path, properties } of resourcesOf(
    synthesise({ permissionsBoundary, ...agentGatewayOptions }),
    'AWS::IAM::Role',
  ))
    expect([path, properties['PermissionsBoundary']]).toEqual([path, permissionsBoundary]);
});

test('tags are on everything that can have them', () => {
  const template = synthesise({ tags: { team: 'ops' }, ...agentGatewayOptions });
  const untagged = resourcesOf(template).filter(({ properties }) => !JSON.stringify(properties).includes('"team"'));
  // The types for which CloudFormation has no tags.
  const without =
    /^(Custom::.*|AWS::(ApiGateway::Deployment|ApplicationAutoScaling::ScalingPolicy|CloudFront::.*|EC2::(Route|SubnetRouteTableAssociation|VPCGatewayAttachment|SecurityGroup(E|In)gress)|Lambda::(EventInvokeConfig|Permission)|Logs::MetricFilter|S3::BucketPolicy|SNS::TopicPolicy|SQS::QueuePolicy))$/;
  expect(untagged.map(({ type }) => type).filter((type) => !without.test(type))).toEqual([]);
});

test("functions run on the region's processor type", () => {
  const architectures = (of: Parameters<typeof synthesise>[0]) => [
    ...new Set(
      resourcesOf(synthesise(of), 'AWS::Lambda::Function').map(({ properties }) => String(properties['Architectures'])),
    ),
  ];
  expect(architectures({})).toEqual(['arm64']);
  expect(architectures({ architecture: 'x86_64' })).toEqual(['x86_64']);
});

test('the firewall refuses an address above the configured requests', () => {
  const [acl] = resourcesOf(synthesise({ waf: true, wafRequestsPerAddress: 77 }), 'AWS::WAFv2::WebACL');
  expect(JSON.stringify(acl!.properties)).toContain('"Limit":77');
});
