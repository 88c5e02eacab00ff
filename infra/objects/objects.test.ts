import { App, CfnParameter, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
  type MonitoringInventoryProps,
} from '../library.ts';
import { interfaceOf } from '../settings/interface-of.ts';
import {
  resourceAt,
  resourcesOf,
  type Statement,
  statementsIn,
  synthesiseApp,
  synthesiseStack,
  type Template,
} from '../synthesis/synthesise.ts';

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

  test("share one function with Lambda's maximum time", () => {
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

  test('give the function only the rights to read its secret and file', () => {
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

  test("are deployed after the function's policy, in reference order", () => {
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

test('values of other constructs are permitted: texts, numbers and lists', () => {
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

test('each stack has a function, and so has each VPC', () => {
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

describe('with an inventory of the same app', () => {
  const inventoryIn = (stack: Stack, assets: Assets, settings: MonitoringInventoryProps = {}) =>
    new MonitoringInventory(stack, 'Inventory', { assets, ...settings });
  const withNode = (name: string, settings?: MonitoringInventoryProps) =>
    templateOf(({ stack, common: { assets } }) => {
      const inventory = inventoryIn(stack, assets, settings);
      new InventoryNode(stack, 'Node', { inventory, assets, node: { ...node, node_name: name } });
    });
  const template = withNode('db-1');
  const secret = resourceAt(template, 'Shop/Inventory/ObjectsKey/Secret/Resource');
  const keyIn = (of: Template) => only(resourcesOf(of, 'Custom::ObjectsKey'));

  test('the function reads an Editor key that the deployment makes, and no password, after the whole inventory is deployed', () => {
    const properties = objectIn(template, 'InventoryNode');
    expect(properties).toMatchObject({ SecretArn: { Ref: secret.id } });
    expect(properties).not.toHaveProperty('User');
    const client = resourcesOf(template).find(({ path }) => /InventoryResources\/.*Function\/Resource$/.test(path))!;
    expect(client.dependsOn).toEqual(
      expect.arrayContaining([only(resourcesOf(template, 'AWS::ApiGateway::Stage')).id, keyIn(template).id]),
    );
    const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(({ path }) =>
      path.includes('InventoryResources'),
    );
    expect(statementsIn(only(policies).properties)).toEqual([
      expect.objectContaining({
        Action: ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue'],
        Resource: [{ Ref: secret.id }],
      }),
    ]);
  });

  test('the function of an autoscaling group reads the same key', () => {
    const follower = templateOf(({ stack, common: { assets } }) => {
      const autoScalingGroup = AutoScalingGroup.fromAutoScalingGroupName(stack, 'Group', 'databases');
      new InventoryAutoScalingGroup(stack, 'Follower', {
        inventory: inventoryIn(stack, assets),
        assets,
        autoScalingGroup,
      });
    });
    const client = resourcesOf(follower, 'AWS::Lambda::Function').find(({ path }) => path.includes('Follower'))!;
    const { SETTINGS }: any = (client.properties as any).Environment.Variables;
    expect(JSON.stringify(SETTINGS)).toContain(`{"Ref":"${secret.id}"}`);
    expect(JSON.stringify(SETTINGS)).not.toContain('AdminPassword');
  });

  test('the key is made once the table is readable, and the template does not contain it', () => {
    const key = keyIn(template);
    expect(key.dependsOn).toContain(resourceAt(template, 'Shop/Inventory/FirstAccess/Format/Default').id);
    expect(key.properties).toEqual({
      ServiceToken: expect.anything(),
      ServiceTimeout: '180',
      SecretArn: { Ref: secret.id },
      Users: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect([secret.deletionPolicy, secret.properties]).toEqual([
      'Delete',
      expect.not.objectContaining({ SecretString: expect.anything() }),
    ]);
  });

  test('only a deployment that changes an object replaces a removed key', () => {
    const { Users } = keyIn(template).properties;
    expect(keyIn(withNode('db-1')).properties['Users']).toBe(Users);
    expect(keyIn(withNode('db-2')).properties['Users']).not.toBe(Users);
  });

  test('the admin account setting has no effect', () => {
    for (const adminAccount of ['emergency', 'disabled'] as const)
      expect(objectIn(withNode('db-1', { adminAccount }), 'InventoryNode')).toEqual(
        objectIn(template, 'InventoryNode'),
      );
  });

  test('an inventory without objects has no such key', () => {
    const without = templateOf(({ stack, common: { assets } }) => void inventoryIn(stack, assets));
    expect(resourcesOf(without).filter(({ path }) => path.includes('ObjectsKey'))).toEqual([]);
  });

  test('objects of another stack import the key, and the export of earlier versions remains', () => {
    const templates = synthesiseApp((app, assets) => {
      app.node.setContext('@aws-cdk/core:defaultCrossStackReferences', 'strong');
      const inventory = inventoryIn(new Stack(app, 'Inventory'), assets);
      new InventoryNode(new Stack(app, 'Shop'), 'Node', { inventory, assets, node });
    });
    const shop = templates.get('Shop')!;
    const { SecretArn } = objectIn(shop, 'InventoryNode');
    expect(SecretArn).toEqual({ 'Fn::ImportValue': expect.stringMatching(/ObjectsKeySecret/) });
    expect(JSON.stringify(shop)).not.toContain('AdminPassword');
    const exported = Object.keys(templates.get('Inventory')!.Outputs);
    expect(exported).toContainEqual(expect.stringMatching(/^ExportsOutputRefInventoryAdminPassword/));
    expect(exported).toContainEqual(expect.stringMatching(/^ExportsOutputRefInventoryObjectsKeySecret/));
  });
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
    'Shop/Bad: node.address: Must not be a loopback',
    ({ stack, common }) => new InventoryNode(stack, 'Bad', { ...common, node: { ...node, address: '127.0.0.1' } }),
  ],
  [
    'Shop/Bad: service.address: Must be a host name',
    ({ stack, common }) =>
      new InventoryService(stack, 'Bad', { ...common, service: { ...service, address: '10.0.0.1:3306' } }),
  ],
  [
    'Shop/Bad: agent.metrics_path: Must begin with exactly one slash.',
    ({ stack, common }) =>
      new InventoryAgent(stack, 'Bad', {
        ...common,
        agent: { agent_type: 'external_exporter', listen_port: 1, metrics_path: 'metrics' },
      }),
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
    'fleet.yaml:1:54 nodes[0].address: Must be a host name',
    ({ stack, common }) =>
      new InventoryFleet(stack, 'Bad', {
        ...common,
        file: fileOf('nodes: [{ node_type: generic, node_name: a, address: 10.0.0.256 }]\n'),
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

test('a file whose objects are adopted may have values of an earlier version', () => {
  const nodes = 'nodes: [{ node_type: generic, node_name: web-1, address: 10.0.0.256 }]';
  const file = fileOf(`scope: { name_prefix: web- }\n${nodes}\n`);
  const build = ({ stack, common }: Parameters<Parameters<typeof templateOf>[0]>[0]) =>
    new InventoryFleet(stack, 'Old', { ...common, file, existing: 'adopt' });
  expect(() => templateOf(build)).not.toThrow();
});

describe('the address of an inventory', () => {
  const withUrl = (url: string) =>
    templateOf(({ stack, common }) => {
      new InventoryNode(stack, 'Node', { ...common, inventory: { ...common.inventory, url }, node });
    });

  test.each(['inventory.example', 'inventory.example:8443', 'ftp://inventory.example', 'https://a?b'])(
    '%s is refused at synthesis',
    (url) => {
      expect(() => withUrl(url)).toThrow('Shop/Node: inventory.url must be such as https://inventory.example.');
    },
  );

  test('is deployed in its normal form, and a deployment value unchanged', () => {
    const url = (template: Template) => objectIn(template, 'InventoryNode').Url;
    expect(url(withUrl('HTTPS://A/v1/'))).toBe('https://a');
    expect(url(withUrl(Fn.importValue('Inventory')))).toEqual({ 'Fn::ImportValue': 'Inventory' });
  });
});

describe('two constructs of an app with one name', () => {
  const addTwo =
    (second: object = {}, secondNode: object = {}, inStack?: string) =>
    ({ stack, common }: Scene) => {
      new InventoryNode(stack, 'One', { ...common, node });
      const { root } = stack.node;
      const other = inStack !== undefined && App.isApp(root) ? new Stack(root, inStack) : stack;
      const keySecret = new Secret(other, 'OtherKey');
      const inventory = { ...common.inventory, keySecret };
      new InventoryNode(other, 'Two', { ...common, inventory, node: { ...node, ...secondNode }, ...second });
    };

  test.each([[undefined], ['Another']])(
    'are refused in one inventory at synthesis, and both are named (stack %s)',
    (inStack) => {
      expect(() => templateOf(addTwo({}, {}, inStack))).toThrow(
        `${inStack ?? 'Shop'}/Two: node.node_name: Shop/One adds "db-1" to the same inventory already.`,
      );
    },
  );

  test('are permitted in two inventories, if the second adopts the node, and for a node and a service', () => {
    const elsewhere = ({ stack, common }: Scene) => {
      new InventoryNode(stack, 'One', { ...common, node });
      const inventory = { ...common.inventory, url: 'https://other.example.com' };
      new InventoryNode(stack, 'Two', { ...common, inventory, node });
      new InventoryService(stack, 'Three', { ...common, service: { ...service, service_name: node.node_name } });
    };
    for (const build of [elsewhere, addTwo({ existing: 'adopt' }), addTwo({}, { node_name: 'db-2' })])
      expect(() => templateOf(build)).not.toThrow();
  });
});

test.each<[string, (scene: Scene, existing: 'adopt') => unknown]>([
  [
    'an address that is known at deployment',
    ({ stack, common }) => {
      const address = new CfnParameter(stack, 'Address').valueAsString;
      new InventoryNode(stack, 'Host', { ...common, node: { ...node, address } });
    },
  ],
  [
    'a value of an earlier version, of an object that is adopted',
    ({ stack, common }, existing) => {
      const old = { ...common, existing };
      new InventoryNode(stack, 'Node', { ...old, node: { ...node, address: '127.0.0.1' } });
      new InventoryService(stack, 'Service', { ...old, service: { ...service, address: '10.0.0.1:3306' } });
    },
  ],
])('%s is accepted at synthesis', (_, build) =>
  expect(() => templateOf((scene) => void build(scene, 'adopt'))).not.toThrow(),
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

  test('calls its function for its own instances and on a schedule', () => {
    expect(rules.find((rule) => 'EventPattern' in rule).EventPattern).toEqual({
      source: ['aws.autoscaling'],
      'detail-type': ['EC2 Instance Launch Successful', 'EC2 Instance Terminate Successful'],
      detail: { AutoScalingGroupName: [{ Ref: group }] },
    });
    expect(rules.find((rule) => !('EventPattern' in rule)).ScheduleExpression).toBe('rate(15 minutes)');
  });

  test('lists groups, reads its secret, stores failed events, and has no other right', () => {
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

  test('refuses names that several instances would share', () => {
    const withName = (node_name: string) =>
      templateOf(({ stack, common }) => {
        const autoScalingGroup = groupIn(stack);
        new InventoryAutoScalingGroup(stack, 'Follower', { ...common, autoScalingGroup, node: { node_name } });
      });
    expect(() => withName('web')).toThrow('must contain {instance_id} once');
    expect(() => withName('web-{instance_id}')).not.toThrow();
  });
});
