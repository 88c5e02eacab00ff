import { runSimulation } from '@cloud-copilot/iam-simulate';
import { readFile } from 'node:fs/promises';
import { BOUNDARY, deploymentPolicies, UNUSED } from './execution-policy.ts';
import { deployableTypes, everyTemplate, readHandlerPermissions } from './handler-permissions.ts';
import { ACCOUNT } from './resolved-policies.ts';
import { resourcesOf, statementsIn } from '../synthesis/synthesise.ts';
import { fencedBlocks } from '../../tests/support/fenced-blocks.ts';

const documents = new Map(
  await Promise.all(
    deploymentPolicies().map(
      async ([path, text]) =>
        [path, { text, stored: await readFile(new URL(`../../${path}`, import.meta.url), 'utf8') }] as const,
    ),
  ),
);
const [ofServices, ofStack, boundary] = [...documents.values()].map(({ stored }) => JSON.parse(stored));
/** What a role with both policies of the deployment may do. */
const execution = { ...ofServices, Statement: [...ofServices.Statement, ...ofStack.Statement] };
const permissionsOf = readHandlerPermissions();

/** A resource that the stack has, for the services of which only such resources are permitted. */
const ownResources: Record<string, string> = {
  iam: `arn:aws:iam::${ACCOUNT}:role/MonitoringInventory-InventoryFunctions-Ab12`,
  lambda: `arn:aws:lambda:us-east-1:${ACCOUNT}:function:MonitoringInventory-InventoryFunctions-Ab12`,
  s3: 'arn:aws:s3:::monitoringinventory-inventorysite-ab12',
};

const policyArn = (name: string) => `arn:aws:iam::${ACCOUNT}:policy/${name}`;
const logPolicy = 'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/** A file in the bucket of the CDK. */
const code = 'arn:aws:s3:::cdk-hnb659fds-assets-111122223333-us-east-1/code.zip';

type Context = Record<string, string>;

/** Whether IAM allows an action to a role with this policy, as the simulator decides it. */
async function isAllowed(policy: unknown, action: string, resource: string, context: Context = {}): Promise<boolean> {
  const outcome = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${ACCOUNT}:role/execution`,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: context,
      },
      identityPolicies: [{ name: 'policy', policy }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (outcome.resultType !== 'single') throw new Error(`${action}: ${JSON.stringify(outcome)}`);
  expect([action, outcome.result.ignoredContextKeys]).toEqual([action, []]);
  return outcome.overallResult === 'Allowed';
}

/** Whether a statement without regard to its conditions has the action, also with wildcards. */
function names({ Statement }: any, action: string): boolean {
  const patterns: string[] = Statement.flatMap(({ Action }: any) => Action);
  return patterns.some((pattern) => {
    const [head, ...rest] = pattern.toLowerCase().split('*');
    return rest.length === 0 ? head === action.toLowerCase() : action.toLowerCase().startsWith(head!);
  });
}

test.each([...documents.keys()])('%s follows from the template: `npm run generate` writes it', (path) => {
  const { text, stored } = documents.get(path)!;
  expect(stored).toBe(text);
});

test('each policy fits a managed policy of 6,144 characters without blanks, with a tenth to spare', () => {
  for (const document of [ofServices, ofStack, boundary])
    expect(JSON.stringify(document).length * 1.1).toBeLessThan(6144);
});

test("a bootstrap with the guide's commands gives the deployment role each policy", async () => {
  const guide = await readFile(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
  const commands = fencedBlocks(guide, 'sh').find((block) => block.startsWith('aws iam create-policy')) ?? '';
  const made = new Map(
    [...commands.matchAll(/--policy-name (\S+) --policy-document file:\/\/(\S+)/g)].map(([, name, file]) => [
      file!,
      name!,
    ]),
  );
  expect([...made.keys()].sort()).toEqual([...documents.keys()].sort());
  const [, list = ''] = /--cloudformation-execution-policies \\\s+(\S+)/.exec(commands) ?? [];
  expect(list.split(',').map((arn) => arn.split('/')[1])).toEqual(
    [...documents.keys()].filter((path) => path.includes('execution')).map((path) => made.get(path)),
  );
});

test.each(deployableTypes())(
  'the handlers of %s may do all that they call, except for options that no template has',
  (type) => {
    const actions = permissionsOf(type).filter((action) => !(action.split(':')[0]! in UNUSED));
    // The removal of a boundary is what the policy prevents.
    const missing = actions.filter(
      (action) => action !== 'iam:DeleteRolePermissionsBoundary' && !names(execution, action),
    );
    expect(missing).toEqual([]);
  },
);

test('the types have handlers with permissions, and no service of a type is missing', () => {
  for (const type of deployableTypes()) {
    expect([type, permissionsOf(type).length > 0]).toEqual([type, true]);
    expect(UNUSED).not.toHaveProperty(type.split('::')[1]!.toLowerCase());
  }
  expect(() => permissionsOf('AWS::Other::Thing')).toThrow('npm run refresh-handlers');
});

const bounded = { 'iam:PermissionsBoundary': policyArn(BOUNDARY) };
const ofOthers = `arn:aws:iam::${ACCOUNT}:role/Administrator`;
const serviceOfOthers = `arn:aws:ecs:us-east-1:${ACCOUNT}:service/payroll/payroll`;
const balancer = `arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/agents/0123456789abcdef`;
const functionOfOthers = `arn:aws:lambda:us-east-1:${ACCOUNT}:function:payroll`;

test.each<[action: string, resource: string, context: Context]>([
  ['iam:CreateRole', ownResources['iam']!, bounded],
  ['iam:PutRolePolicy', ownResources['iam']!, bounded],
  ['iam:PutRolePermissionsBoundary', ownResources['iam']!, bounded],
  ['iam:AttachRolePolicy', ownResources['iam']!, { ...bounded, 'iam:PolicyARN': logPolicy }],
  ['iam:PassRole', ownResources['iam']!, { 'iam:PassedToService': 'lambda.amazonaws.com' }],
  ['iam:PassRole', ownResources['iam']!, { 'iam:PassedToService': 'apigateway.amazonaws.com' }],
  ['iam:PassRole', ownResources['iam']!, { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' }],
  ['iam:UpdateAssumeRolePolicy', ownResources['iam']!, {}],
  ['iam:DeleteRole', ownResources['iam']!, {}],
  ['lambda:UpdateFunctionCode', ownResources['lambda']!, {}],
  // A custom resource.
  ['lambda:InvokeFunction', ownResources['lambda']!, {}],
  ['s3:PutBucketPolicy', ownResources['s3']!, {}],
  ['s3:GetObject', code, {}],
  ['application-autoscaling:DescribeScalableTargets', '*', {}],
  ['ec2:DescribeNetworkInterfaces', '*', {}],
  ['ecs:UpdateService', serviceOfOthers, {}],
  ['elasticloadbalancing:CreateLoadBalancer', balancer, {}],
  [
    'iam:CreateServiceLinkedRole',
    `arn:aws:iam::${ACCOUNT}:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS`,
    { 'iam:AWSServiceName': 'ecs.amazonaws.com' },
  ],
])('a deployment may %s on %s: %j', async (action, resource, context) => {
  expect(await isAllowed(execution, action, resource, context)).toBe(true);
});

test.each<[action: string, resource: string, context: Context]>([
  ['iam:CreateRole', ownResources['iam']!, {}],
  [
    'iam:CreateRole',
    ownResources['iam']!,
    { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/AdministratorAccess' },
  ],
  ['iam:CreateRole', ofOthers, bounded],
  ['iam:PutRolePolicy', ownResources['iam']!, {}],
  ['iam:PutRolePolicy', ofOthers, bounded],
  [
    'iam:AttachRolePolicy',
    ownResources['iam']!,
    { ...bounded, 'iam:PolicyARN': 'arn:aws:iam::aws:policy/AdministratorAccess' },
  ],
  ['iam:AttachRolePolicy', ownResources['iam']!, { 'iam:PolicyARN': logPolicy }],
  [
    'iam:PutRolePermissionsBoundary',
    ownResources['iam']!,
    { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/AdministratorAccess' },
  ],
  ['iam:DeleteRolePermissionsBoundary', ownResources['iam']!, bounded],
  ['iam:UpdateAssumeRolePolicy', ofOthers, {}],
  ['iam:PassRole', ofOthers, { 'iam:PassedToService': 'lambda.amazonaws.com' }],
  ['iam:PassRole', ownResources['iam']!, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
  ['iam:CreatePolicyVersion', policyArn(BOUNDARY), {}],
  ['ecs:ExecuteCommand', `arn:aws:ecs:us-east-1:${ACCOUNT}:task/payroll/0123456789abcdef0`, {}],
  ['ecs:RunTask', `arn:aws:ecs:us-east-1:${ACCOUNT}:task-definition/payroll:1`, {}],
  ['ec2:RunInstances', `arn:aws:ec2:us-east-1:${ACCOUNT}:instance/i-0123456789abcdef0`, {}],
  ['lambda:UpdateFunctionCode', functionOfOthers, {}],
  ['lambda:InvokeFunction', functionOfOthers, {}],
  ['lambda:AddPermission', functionOfOthers, {}],
  ['s3:PutBucketPolicy', 'arn:aws:s3:::cdk-hnb659fds-assets-111122223333-us-east-1', {}],
  ['s3:GetObject', 'arn:aws:s3:::others/file', {}],
])('a deployment may not %s on %s: %j', async (action, resource, context) => {
  expect(await isAllowed(execution, action, resource, context)).toBe(false);
});

test("the boundary permits every action of the stack's roles, and grants nothing", async () => {
  for (const template of everyTemplate())
    for (const { path, properties } of resourcesOf(template, 'AWS::IAM::Role'))
      for (const action of statementsIn(properties['Policies']).flatMap(({ Action }) => Action))
        expect([path, action, names(boundary, action)]).toEqual([path, action, true]);
  const toGateway = { 'iam:PassedToService': 'apigateway.amazonaws.com' };
  expect(await isAllowed(boundary, 'iam:PassRole', ownResources['iam']!, toGateway)).toBe(true);
  expect(await isAllowed(boundary, 'lambda:InvokeFunction', ownResources['lambda']!)).toBe(true);
  expect(await isAllowed(boundary, 's3:GetObject', code)).toBe(true);
  for (const [action, resource, context] of [
    ['iam:PassRole', ofOthers, toGateway],
    ['iam:PassRole', ownResources['iam']!, { 'iam:PassedToService': 'lambda.amazonaws.com' }],
    ['iam:CreateRole', ownResources['iam']!, bounded],
    ['iam:PutRolePolicy', ownResources['iam']!, bounded],
    ['lambda:InvokeFunction', functionOfOthers, {}],
    ['lambda:UpdateFunctionCode', ownResources['lambda']!, {}],
    ['s3:PutObject', 'arn:aws:s3:::others/file', {}],
    ['s3:PutObject', code, {}],
  ] as const)
    expect([action, resource, await isAllowed(boundary, action, resource, context)]).toEqual([action, resource, false]);
});
