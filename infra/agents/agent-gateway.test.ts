import { agentGatewayOptions, privateAgentGatewayOptions } from '../settings/agent-gateway-options.ts';
import { InvalidSettings, readSettings } from '../settings/read-settings.ts';
import { resourceAt, resourcesOf, statementsIn, synthesise, type Template } from '../synthesis/synthesise.ts';

const template = synthesise(agentGatewayOptions);
const inPrivate = synthesise(privateAgentGatewayOptions);

const only = (of: Template, type: string): any => {
  const resources = resourcesOf(of, type).filter(({ path }) => path.startsWith('Agents/'));
  expect([type, resources.length]).toEqual([type, 1]);
  return resources[0]!.properties;
};

test('without the setting the gateway has no resource, and others do not change', () => {
  const without = synthesise();
  expect(resourcesOf(without).filter(({ path }) => path.startsWith('Agents/'))).toEqual([]);
  const others = resourcesOf(template).filter(({ path }) => !/^(Agents|Operations)\//.test(path));
  const before = resourcesOf(without).filter(({ path }) => !/^Operations\//.test(path));
  expect(others.map(({ path }) => path)).toEqual(before.map(({ path }) => path));
  expect(others.map(({ properties }) => properties)).toEqual(before.map(({ properties }) => properties));
});

test('the program reads its file and key, replaces its key, and has no right to the table', () => {
  const { properties } = resourceAt(template, 'Agents/Role/Resource');
  const { id: secret } = resourceAt(template, 'Agents/Key/Resource');
  const [file, key, ...others] = statementsIn(properties['Policies']);
  expect(file).toMatchObject({ Action: ['s3:GetObject'] });
  expect(JSON.stringify(file?.Resource)).not.toContain('*');
  expect(key).toMatchObject({
    Action: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
    Resource: [{ Ref: secret }],
  });
  expect(others).toEqual([]);
  const start = statementsIn(resourceAt(template, 'Agents/StartRole/Resource').properties['Policies']);
  expect(start.flatMap(({ Action }) => Action)).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  // Nothing else gives rights to the two roles.
  expect(resourcesOf(template, 'AWS::IAM::Policy').filter(({ path }) => path.startsWith('Agents/'))).toEqual([]);
});

test('with an account key, it may write its secret with it through Secrets Manager only', () => {
  const encrypted = synthesise({ ...agentGatewayOptions, customerManagedKey: true });
  const statements = statementsIn(resourceAt(encrypted, 'Agents/Role/Resource').properties['Policies']);
  const ofKey = statements.filter(({ Action }) => Action.some((action) => action.startsWith('kms:')));
  expect(ofKey).toMatchObject([{ Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }]);
  expect(JSON.stringify(ofKey[0]?.Condition)).toContain('kms:ViaService');
});

test('containers have a read-only file system, no privileges, and time to end their streams', () => {
  const task = only(template, 'AWS::ECS::TaskDefinition');
  expect(task).toMatchObject({
    Cpu: '512',
    Memory: '1024',
    RuntimePlatform: { CpuArchitecture: 'ARM64' },
    RequiresCompatibilities: ['FARGATE'],
  });
  const [container, ...others] = task.ContainerDefinitions;
  expect(others).toEqual([]);
  expect(container).toMatchObject({
    Image: expect.stringMatching(/^public\.ecr\.aws\/docker\/library\/node@sha256:[0-9a-f]{64}$/),
    ReadonlyRootFilesystem: true,
    User: '1000',
    StopTimeout: 120,
    LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
  });
  expect(container.Command.slice(0, 3)).toEqual(['node', '--input-type=module', '-e']);
  const { BUNDLE_SHA256: digest } = Object.fromEntries(
    container.Environment.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, Value]),
  );
  // Of the empty program of this test.
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(container)).not.toContain('SecretString');
});

test('the balancer terminates TLS, selects HTTP/2 for agents, and forwards the client address', () => {
  expect(only(template, 'AWS::ElasticLoadBalancingV2::Listener')).toMatchObject({
    Port: 443,
    Protocol: 'TLS',
    AlpnPolicy: ['HTTP2Preferred'],
    SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-Res-2021-06',
    Certificates: [{ CertificateArn: agentGatewayOptions.agentGatewayCertificateArn }],
  });
  const group = only(template, 'AWS::ElasticLoadBalancingV2::TargetGroup');
  expect(group).toMatchObject({ Port: 8080, Protocol: 'TCP', HealthCheckPath: '/healthz', HealthCheckPort: '8081' });
  const attributes = group.TargetGroupAttributes.map(({ Key, Value }: Record<string, string>) => `${Key}=${Value}`);
  expect(attributes).toEqual(
    expect.arrayContaining(['proxy_protocol_v2.enabled=true', 'deregistration_delay.timeout_seconds=120']),
  );
});

test('a deployment starts new containers before it stops others, and a failed update is undone', () => {
  const service = only(template, 'AWS::ECS::Service');
  expect(service).toMatchObject({
    DesiredCount: 2,
    PlatformVersion: '1.4.0',
    DeploymentConfiguration: {
      MinimumHealthyPercent: 100,
      MaximumPercent: 200,
      DeploymentCircuitBreaker: { Enable: true, Rollback: true },
    },
    NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'ENABLED' } },
  });
  const single = synthesise({ ...agentGatewayOptions, agentGatewayTasks: 1 });
  expect(only(single, 'AWS::ECS::Service')).toMatchObject({ DesiredCount: 1 });
});

test('more streams add containers, and few remove at most one in half an hour', () => {
  const policies = resourcesOf(template, 'AWS::ApplicationAutoScaling::ScalingPolicy').map(
    ({ properties }): any => properties,
  );
  const [tracking] = policies.filter(({ PolicyType }) => PolicyType === 'TargetTrackingScaling');
  expect(tracking.TargetTrackingScalingPolicyConfiguration).toMatchObject({ TargetValue: 7000, DisableScaleIn: true });
  const [step] = policies.filter(({ PolicyType }) => PolicyType === 'StepScaling');
  expect(step.StepScalingPolicyConfiguration).toMatchObject({
    Cooldown: 1800,
    StepAdjustments: [{ ScalingAdjustment: -1 }],
  });
});

test('the scaling service has no role of this stack', () => {
  const { RoleARN: role } = only(template, 'AWS::ApplicationAutoScaling::ScalableTarget');
  expect(JSON.stringify(role)).toContain('/AWSServiceRoleForApplicationAutoScaling_ECSService');
  const roles = resourcesOf(template, 'AWS::IAM::Role').filter(({ path }) => path.startsWith('Agents/'));
  expect(roles.map(({ path }) => path).sort()).toEqual(['Agents/Role/Resource', 'Agents/StartRole/Resource']);
});

test('only the balancer reaches the containers', () => {
  const groups = resourcesOf(template, 'AWS::EC2::SecurityGroup');
  const ofTasks = groups.find(({ path }) => path === 'Agents/Network/Tasks/Resource')!;
  expect(ofTasks.properties['SecurityGroupIngress']).toBeUndefined();
  const ingress = resourcesOf(template, 'AWS::EC2::SecurityGroupIngress').map(({ properties }): any => properties);
  expect(ingress.map(({ FromPort, ToPort }) => [FromPort, ToPort])).toEqual([
    [8080, 8080],
    [8081, 8081],
  ]);
  for (const { SourceSecurityGroupId: source } of ingress) expect(JSON.stringify(source)).toContain('NetworkBalancer');
  expect(resourcesOf(template, 'AWS::EC2::NatGateway')).toEqual([]);
});

test('containers connect only to TLS ports, as the API, AWS and the image registry have', () => {
  for (const candidate of [template, inPrivate]) {
    const { properties }: any = resourceAt(candidate, 'Agents/Network/Tasks/Resource');
    expect(properties.SecurityGroupEgress).toMatchObject([
      { CidrIp: '0.0.0.0/0', IpProtocol: 'tcp', FromPort: 443, ToPort: 443 },
    ]);
    const others = resourcesOf(candidate, 'AWS::EC2::SecurityGroupEgress').map(({ properties: rule }: any) =>
      JSON.stringify(rule.GroupId),
    );
    expect(others.filter((group) => group.includes('NetworkTasks'))).toEqual([]);
  }
});

test("in the operator's subnets no network is made, and nothing has a public address", () => {
  for (const type of ['VPC', 'Subnet', 'InternetGateway'])
    expect(resourcesOf(inPrivate, `AWS::EC2::${type}`)).toEqual([]);
  expect(only(inPrivate, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).toMatchObject({
    Scheme: 'internal',
    Subnets: privateAgentGatewayOptions.agentGatewaySubnetIds,
  });
  expect(only(inPrivate, 'AWS::ECS::Service').NetworkConfiguration).toMatchObject({
    AwsvpcConfiguration: { AssignPublicIp: 'DISABLED', Subnets: privateAgentGatewayOptions.agentGatewaySubnetIds },
  });
  expect(JSON.stringify(inPrivate)).not.toContain('zone-0');
});

test("in the operator's public subnets only the balancer has public addresses", () => {
  const agentGatewayPublicSubnetIds = ['subnet-2123456789abcdef0', 'subnet-3123456789abcdef0'];
  const mixed = synthesise({ ...privateAgentGatewayOptions, agentGatewayPublicSubnetIds });
  expect(only(mixed, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).toMatchObject({
    Scheme: 'internet-facing',
    Subnets: agentGatewayPublicSubnetIds,
  });
  expect(only(mixed, 'AWS::ECS::Service').NetworkConfiguration).toMatchObject({
    AwsvpcConfiguration: { AssignPublicIp: 'DISABLED', Subnets: privateAgentGatewayOptions.agentGatewaySubnetIds },
  });
});

test('agents connect only from the configured ranges, by default from everywhere', () => {
  const rangesOf = (of: Template) =>
    resourceAt(of, 'Agents/Network/Balancer/Resource').properties['SecurityGroupIngress'] as { CidrIp: string }[];
  expect(rangesOf(template).map(({ CidrIp }) => CidrIp)).toEqual(['0.0.0.0/0']);
  const agentGatewayClients = ['203.0.113.0/24', '10.0.0.0/8'];
  const limited = synthesise({ ...agentGatewayOptions, agentGatewayClients });
  expect(rangesOf(limited).map(({ CidrIp }) => CidrIp)).toEqual(agentGatewayClients);
});

test("the outputs contain the host name's record and the key's secret", () => {
  const { AgentGatewayAddress: address, ...others } = template.Outputs;
  expect(address?.Value).toBe('agents.example.com:443');
  expect(Object.keys(others)).toEqual(expect.arrayContaining(['AgentGatewayTarget', 'AgentGatewayKeySecretArn']));
});

const problemsOf = (settings: object): string => {
  try {
    readSettings(settings, 'eu-west-1');
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSettings);
    return (error as Error).message;
  }
};

test.each([
  [{ agentGateway: true }, 'Set agentGatewayDomainName too'],
  [{ agentGateway: true }, 'Set agentGatewayCertificateArn too'],
  [{ agentGatewayDomainName: 'agents.example.com' }, 'agentGateway is false'],
  [{ ...agentGatewayOptions, pmmCompatibility: false }, 'pmmCompatibility is false'],
  [{ ...agentGatewayOptions, agentGatewayVpcId: 'vpc-0123abcd' }, 'Set agentGatewaySubnetIds too'],
  [{ ...agentGatewayOptions, agentGatewaySubnetIds: ['subnet-0123abcd'] }, 'Set agentGatewayVpcId too'],
  [
    { ...agentGatewayOptions, agentGatewayCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/abc' },
    'a certificate in the region of the stack, eu-west-1',
  ],
  [{ ...agentGatewayOptions, agentGatewayPublicSubnetIds: ['subnet-0123abcd'] }, 'Set agentGatewayVpcId too'],
  [{ agentGatewayClients: ['10.0.0.0/8'] }, 'agentGateway is false'],
  [{ ...agentGatewayOptions, agentGatewayClients: '10.0.0.0' }, 'agentGatewayClients is "10.0.0.0", but must be '],
  [{ ...agentGatewayOptions, agentGatewayClients: '10.0.0.256/8' }, 'agentGatewayClients is '],
  [{ ...agentGatewayOptions, agentGatewayTasks: 0 }, 'agentGatewayTasks is 0, but must be a whole number from 1 to 10'],
  [{ ...agentGatewayOptions, agentGatewayImage: 'No image' }, 'agentGatewayImage is "No image"'],
])('%j is refused: %s', (settings, text) => expect(problemsOf(settings)).toContain(text));

test('the settings of the gateway are accepted', () => {
  const clients = { ...agentGatewayOptions, agentGatewayClients: '203.0.113.0/24,0.0.0.0/0,255.255.255.255/32' };
  for (const settings of [agentGatewayOptions, privateAgentGatewayOptions, clients])
    expect(problemsOf(settings)).toBe('');
});
