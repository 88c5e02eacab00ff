import { CfnParameter, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, type IVpc, MachineImage, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assets } from '../assets/stored-assets.ts';
import {
  InventoryAgent,
  InventoryAutoScalingGroup,
  InventoryFleet,
  InventoryNode,
  InventoryService,
  MonitoringInventory,
} from '../library.ts';
import { interfaceOf } from '../settings/interface-of.ts';
import { resourcesOf, type Statement, statementsIn, synthesiseStack, type Template } from '../synthesis/synthesise.ts';

// Groups of tests synthesise before their first test.
const folder = mkdtempSync(join(tmpdir(), 'objects-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'fleet.yaml');
  writeFileSync(path, text);
  return path;
}

interface Scene {
  stack: Stack;
  /** The props that all objects have. */
  common: { inventory: { url: string; keySecret: Secret }; assets: Assets };
}

function templateOf(build: (scene: Scene) => void): Template {
  return synthesiseStack((app, assets) => {
    const stack = new Stack(app, 'Shop');
    const keySecret = new Secret(stack, 'Key');
    build({ stack, common: { inventory: { url: 'https://inventory.example.com', keySecret }, assets } });
    return stack;
  });
}

const node = { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1', region: 'eu' } as const;
const service = { service_type: 'mysql', service_name: 'orders', address: '10.0.0.1', port: 3306 } as const;
const fleet = 'nodes:\n  - { node_type: generic, node_name: shop-1, address: 10.0.7.1 }\n';

const only = <Value>(values: readonly Value[]): Value => {
  expect(values).toHaveLength(1);
  return values[0]!;
};
const objectIn = (template: Template, type: string): any => only(resourcesOf(template, `Custom::${type}`)).properties;

/** Permissions, without those that every function has for its log and its traces. */
const grantsIn = (template: Template): Statement[] =>
  [...resourcesOf(template, 'AWS::IAM::Role'), ...resourcesOf(template, 'AWS::IAM::Policy')]
    .flatMap(({ properties }) => statementsIn([properties['Policies'], properties['PolicyDocument']]))
    .filter(({ Action }) => !/^(logs|xray):/.test(Action[0]!));

describe('objects of a stack', () => {
  const template = templateOf(({ stack, common }) => {
    const host = new InventoryNode(stack, 'Node', { ...common, node });
    const db = new InventoryService(stack, 'Service', {
      ...common,
      service: { ...service, node_names: [host.nodeName] },
      existing: 'adopt',
      removeDependants: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    new InventoryAgent(stack, 'Agent', {
      ...common,
      agent: {
        agent_type: 'mysqld_exporter',
        runs_on_node_name: host.nodeName,
        insights: { service_names: [db.serviceName] },
      },
    });
    new InventoryFleet(stack, 'Fleet', { ...common, file: fileOf(fleet), maxRemovalsPercent: 50 });
  });

  test('share one function, which has the time that Lambda allows', () => {
    const { properties, id } = only(resourcesOf(template, 'AWS::Lambda::Function'));
    expect(properties).toMatchObject({ Handler: 'index.handler', Runtime: 'nodejs24.x', Timeout: 900 });
    for (const type of ['InventoryNode', 'InventoryService', 'InventoryAgent', 'InventoryFleet'])
      expect(objectIn(template, type)).toMatchObject({
        ServiceToken: { 'Fn::GetAtt': [id, 'Arn'] },
        ServiceTimeout: '960',
        Url: 'https://inventory.example.com',
        SecretArn: { Ref: expect.stringMatching(/^Key/) },
      });
  });

  test('give the function the right to read the one secret and the one file, and no others', () => {
    const { id: secret } = only(resourcesOf(template, 'AWS::SecretsManager::Secret'));
    const { Key } = objectIn(template, 'InventoryFleet');
    const grants = grantsIn(template);
    expect(grants.filter(({ Action }) => Action[0]!.startsWith('secretsmanager:'))).toEqual([
      {
        Effect: 'Allow',
        Action: ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue'],
        Resource: [{ Ref: secret }],
      },
    ]);
    const [file] = grants.filter(({ Action }) => Action[0]!.startsWith('s3:'));
    expect(file!.Action).toEqual(['s3:GetObject']);
    expect(JSON.stringify(file!.Resource)).toContain(`/${Key}"`);
    expect(grants).toHaveLength(2);
  });

  test('are deployed after the policy of the function, and in the order of their references', () => {
    const policies = resourcesOf(template, 'AWS::IAM::Policy').map(({ id }) => id);
    expect(policies).toHaveLength(1);
    for (const resource of resourcesOf(template).filter(({ type }) => type.startsWith('Custom::')))
      expect(resource.dependsOn).toEqual(expect.arrayContaining(policies));
    const { id: host } = only(resourcesOf(template, 'Custom::InventoryNode'));
    const { Object: text } = objectIn(template, 'InventoryService');
    expect(JSON.stringify(text)).toContain(`{"Fn::GetAtt":["${host}","Name"]}`);
  });

  test('contain their fields, and what the function needs to know about their types', () => {
    const { Object: text, Existing } = objectIn(template, 'InventoryNode');
    expect([Existing, JSON.parse(text)]).toEqual([
      'refuse',
      { kind: 'node', object: node, force: false, place: 'anywhere', watchesItsNode: false },
    ]);
    const adopted = only(resourcesOf(template, 'Custom::InventoryService'));
    expect([adopted.properties['Existing'], adopted.deletionPolicy]).toEqual(['adopt', 'Retain']);
    expect(JSON.stringify(adopted.properties['Object'])).toContain('\\"force\\":true');
    expect(JSON.stringify(objectIn(template, 'InventoryAgent').Object)).toContain('\\"place\\":\\"pmm_agent\\"');
  });
});

test('values of other constructs are possible: texts, numbers and lists', () => {
  const template = templateOf(({ stack, common }) => {
    const parameter = (id: string, type: string) => new CfnParameter(stack, id, { type });
    new InventoryService(stack, 'Service', {
      ...common,
      service: {
        service_type: 'mysql',
        service_name: parameter('Name', 'String').valueAsString,
        address: parameter('Address', 'String').valueAsString,
        port: parameter('Port', 'Number').valueAsNumber,
        node_names: parameter('Nodes', 'CommaDelimitedList').valueAsList,
      },
    });
  });
  const text = JSON.stringify(objectIn(template, 'InventoryService').Object);
  for (const name of ['Name', 'Address', 'Port']) expect(text).toContain(`{"Ref":"${name}"}`);
  // CloudFormation cannot write a list as JSON; a function of the CDK does.
  expect(text).toMatch(/"Fn::GetAtt":\["CdkJsonStringifyRefNodes/);
});

test('each stack has a function, and each VPC', () => {
  const template = templateOf(({ stack, common }) => {
    const vpc = interfaceOf<IVpc>(new Vpc(stack, 'Vpc', { natGateways: 1 }));
    const inside = { ...common, inventory: { ...common.inventory, url: 'https://10.0.0.7', vpc, ca: 'PEM' } };
    for (const name of ['a', 'b']) {
      new InventoryNode(stack, `In-${name}`, { ...inside, node: { ...node, node_name: name } });
      new InventoryNode(stack, `Out-${name}`, { ...common, node: { ...node, node_name: `${name}2` } });
    }
    new InventoryNode(new Stack(stack, 'Nested'), 'Other', { ...common, node });
  });
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
    .filter(({ path }) => path.includes('InventoryResources'))
    .map(({ properties }) => properties['VpcConfig']);
  expect(functions).toHaveLength(2);
  expect(functions.filter((network) => network !== undefined)).toHaveLength(1);
});

test('with an inventory of the same app, the function reads the password of its user, after all of it is deployed', () => {
  const template = templateOf(({ stack, common: { assets } }) => {
    const inventory = new MonitoringInventory(stack, 'Inventory', { assets });
    new InventoryNode(stack, 'Node', { inventory, assets, node });
  });
  const properties = objectIn(template, 'InventoryNode');
  const secret = resourcesOf(template).find(({ path }) => path === 'Shop/Inventory/AdminPassword/Resource')!;
  expect(properties).toMatchObject({ User: 'admin', SecretArn: { Ref: secret.id } });
  const client = resourcesOf(template).find(({ path }) => /InventoryResources\/.*Function\/Resource$/.test(path))!;
  const stage = only(resourcesOf(template, 'AWS::ApiGateway::Stage')).id;
  expect(client.dependsOn).toContain(stage);
});

test.each<[string, (scene: Scene) => void]>([
  [
    'Shop/Bad: node.address: Required.',
    ({ stack, common }) =>
      new InventoryNode(stack, 'Bad', { ...common, node: { ...node, address: undefined } as never }),
  ],
  [
    'Shop/Bad: node.colour: Unknown field.',
    ({ stack, common }) => new InventoryNode(stack, 'Bad', { ...common, node: { ...node, colour: 'red' } as never }),
  ],
  [
    'Shop/Bad: service.port: Must be at most 65535.',
    ({ stack, common }) => new InventoryService(stack, 'Bad', { ...common, service: { ...service, port: 70_000 } }),
  ],
  [
    'Shop/Bad: agent.runs_on_node_name: Required.',
    ({ stack, common }) => new InventoryAgent(stack, 'Bad', { ...common, agent: { agent_type: 'pmm_agent' } as never }),
  ],
  [
    'fleet.yaml:1:54 nodes[0].address: Must be a string.',
    ({ stack, common }) =>
      new InventoryFleet(stack, 'Bad', {
        ...common,
        file: fileOf('nodes: [{ node_type: generic, node_name: a, address: 7 }]\n'),
      }),
  ],
  [
    'Outside the scope',
    ({ stack, common }) =>
      new InventoryFleet(stack, 'Bad', { ...common, file: fileOf(`scope: { name_prefix: web- }\n${fleet}`) }),
  ],
  [
    "existing is 'adopt', but the file has no scope",
    ({ stack, common }) => new InventoryFleet(stack, 'Bad', { ...common, file: fileOf(fleet), existing: 'adopt' }),
  ],
  [
    'maxRemovalsPercent is 120',
    ({ stack, common }) =>
      new InventoryFleet(stack, 'Bad', { ...common, file: fileOf(fleet), maxRemovalsPercent: 120 }),
  ],
])('%s: an invalid object is refused at synthesis', (message, build) =>
  expect(() => templateOf(build)).toThrow(message),
);

describe('an autoscaling group', () => {
  const groupIn = (stack: Stack) =>
    new AutoScalingGroup(stack, 'Group', {
      vpc: interfaceOf<IVpc>(new Vpc(stack, 'Vpc', { natGateways: 0 })),
      instanceType: new InstanceType('t4g.micro'),
      machineImage: MachineImage.genericLinux({ 'eu-west-1': 'ami-0' }),
    });
  const template = templateOf(({ stack, common }) => {
    new InventoryAutoScalingGroup(stack, 'Follower', {
      ...common,
      autoScalingGroup: groupIn(stack),
      services: [{ service_type: 'mysql', service_name: 'db-{instance_id}', address: '{instance_id}', port: 3306 }],
      agents: [{ agent_type: 'pmm_agent', runs_on_node_name: '{instance_id}' }],
    });
  });
  const { id: group } = only(resourcesOf(template, 'AWS::AutoScaling::AutoScalingGroup'));
  const rules = resourcesOf(template, 'AWS::Events::Rule').map(({ properties }): any => properties);

  test('calls its function for its own instances, and regularly', () => {
    expect(rules.find((rule) => 'EventPattern' in rule).EventPattern).toEqual({
      source: ['aws.autoscaling'],
      'detail-type': ['EC2 Instance Launch Successful', 'EC2 Instance Terminate Successful'],
      detail: { AutoScalingGroupName: [{ Ref: group }] },
    });
    expect(rules.find((rule) => !('EventPattern' in rule)).ScheduleExpression).toBe('rate(15 minutes)');
  });

  test('lists groups, reads the one secret, stores failed events, and may do nothing else', () => {
    const actions = grantsIn(template).map(({ Action, Resource }) => [Action[0], JSON.stringify(Resource)]);
    expect(
      actions
        .map(([action]) => action)
        .filter((action) => !/^(sts|ec2):/.test(action!))
        .sort(),
    ).toEqual(['autoscaling:DescribeAutoScalingGroups', 'secretsmanager:DescribeSecret', 'sqs:SendMessage']);
    for (const [action, resource] of actions)
      expect([action, resource === '["*"]']).toEqual([action, action!.startsWith('autoscaling:')]);
  });

  test('has the placeholders of an instance in its settings', () => {
    const [client] = resourcesOf(template, 'AWS::Lambda::Function').filter(({ path }) => path.includes('Follower'));
    const { SETTINGS } = (client!.properties as any).Environment.Variables;
    const text = JSON.stringify(SETTINGS);
    expect(text).toContain('\\"node_names\\":[\\"{instance_id}\\"]');
    expect(text).toContain(`{"Ref":"${group}"}`);
  });

  test('refuses names that several instances would have', () => {
    const withName = (node_name: string) =>
      templateOf(({ stack, common }) => {
        const autoScalingGroup = groupIn(stack);
        new InventoryAutoScalingGroup(stack, 'Follower', { ...common, autoScalingGroup, node: { node_name } });
      });
    expect(() => withName('web')).toThrow('must contain {instance_id} once');
    expect(() => withName('web-{instance_id}')).not.toThrow();
  });
});
