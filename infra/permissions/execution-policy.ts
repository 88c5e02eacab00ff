import { everyTemplate, readHandlerPermissions } from './handler-permissions.ts';
import { resourcesOf, type Statement, statementsIn, type Template } from '../synthesis/synthesise.ts';

/** The name of the stack in the policies. CloudFormation begins the names of roles, functions and buckets with it. */
const STACK = 'MonitoringInventory';

/** The name of the policy that limits each role, as docs/deploy.md creates it. */
export const BOUNDARY = 'InventoryBoundary';

const ownRoles = `arn:*:iam::*:role/${STACK}-*`;
const ownFunctions = `arn:*:lambda:*:*:function:${STACK}-*`;
const ownBuckets = `arn:*:s3:::${STACK.toLowerCase()}-*`;

/** The bucket in which the CDK keeps the code of all stacks, by its name in `cdk bootstrap`. */
const CODE = 'arn:*:s3:::cdk-*';

/**
 * The services in which other resources of the account lead to more rights than these policies give: the code of a
 * function has the rights of its role, and the CDK keeps the code of all stacks in a bucket.
 */
const OWN_RESOURCES: Readonly<Record<string, string>> = { iam: ownRoles, lambda: ownFunctions, s3: ownBuckets };

/**
 * The services of which only the actions of handlers are permitted, because others read or open what is encrypted, or run
 * commands in machines and containers.
 */
const EXACT = ['ec2', 'ecs', 'kms', 'secretsmanager'];

/** Services whose actions have another prefix than the lower-case name in their types. */
const PREFIXES: Readonly<Record<string, string>> = {
  applicationautoscaling: 'application-autoscaling',
  elasticloadbalancingv2: 'elasticloadbalancing',
};

/** Actions that add rights to a role: only with the boundary, so that no role has more rights than it. */
const BOUNDED = ['iam:CreateRole', 'iam:PutRolePermissionsBoundary', 'iam:PutRolePolicy'];

/** Actions that remove the boundary from a role. */
const NEVER = ['iam:DeleteRolePermissionsBoundary'];

/** Services that handlers call for options that no template has, and that run code or write data of others. */
export const UNUSED: Readonly<Record<string, string>> = {
  'cognito-idp': 'log-ins at a balancer',
  codedeploy: 'gradual changes of an alias',
  kinesis: 'a copy of the changes of a table',
  s3tables: 'metadata of a bucket in tables',
};

/** Actions with a statement of their own. */
const SEPARATE = ['iam:AttachRolePolicy', 'iam:PassRole', 'iam:CreateServiceLinkedRole'];

/** Mappings of a stream have ids without the name of the stack. */
const OF_MAPPINGS = ['lambda:*EventSourceMapping*', 'lambda:ListTags', 'lambda:TagResource', 'lambda:UntagResource'];

/**
 * The services that create a role of their own with the first resource of an account:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/using-service-linked-roles.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/using-service-linked-roles.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/using-service-linked-roles.html
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/userguide/elb-service-linked-roles.html
 */
const serviceLinkedRoles: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': [
    'contributorinsights.dynamodb.amazonaws.com',
    'dynamodb.application-autoscaling.amazonaws.com',
    'replication.dynamodb.amazonaws.com',
  ],
  'AWS::ApiGateway::RestApi': ['ops.apigateway.amazonaws.com'],
  'AWS::ApplicationAutoScaling::ScalableTarget': ['ecs.application-autoscaling.amazonaws.com'],
  'AWS::ECS::Cluster': ['ecs.amazonaws.com'],
  'AWS::ElasticLoadBalancingV2::LoadBalancer': ['elasticloadbalancing.amazonaws.com'],
};

/**
 * The actions of the policy that AWS manages for the log role of the gateway:
 * https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AmazonAPIGatewayPushToCloudWatchLogs.html
 */
const GATEWAY_LOG_POLICY = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';
const GATEWAY_LOG_ACTIONS = [
  'CreateLogGroup',
  'CreateLogStream',
  'DescribeLogGroups',
  'DescribeLogStreams',
  'FilterLogEvents',
  'GetLogEvents',
  'PutLogEvents',
].map((action) => `logs:${action}`);

const distinct = (texts: readonly string[]) => [...new Set(texts)].sort();
const serviceOf = (action: string) => action.replace(/:.*/, '');
const policy = (...statements: readonly object[]) => ({ Version: '2012-10-17', Statement: statements });
const allow = (Sid: string, Action: readonly string[], Resource: string | readonly string[], Condition?: object) => ({
  Sid,
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition === undefined ? {} : { Condition }),
});

/** The services of the resources of a template: the prefixes of their actions. `AWS::SecretsManager::Secret`: `secretsmanager`. */
function servicesOf(types: readonly string[]): string[] {
  const names = types.flatMap((type) => /^AWS::(\w+)::/.exec(type)?.[1]?.toLowerCase() ?? []);
  return distinct(names.map((name) => PREFIXES[name] ?? name));
}

const rolesIn = (templates: readonly Template[]) =>
  templates.flatMap((template) => resourcesOf(template, 'AWS::IAM::Role').map(({ properties }) => properties));

/** The services that assume the roles of the templates. */
function principalsIn(templates: readonly Template[]): string[] {
  const trusts = rolesIn(templates).flatMap((role) => statementsIn(role['AssumeRolePolicyDocument']));
  return distinct(trusts.flatMap(({ Principal }) => JSON.stringify(Principal).match(/[a-z-]+\.amazonaws\.com/g) ?? []));
}

function roleStatements(actions: readonly string[], passedTo: readonly string[]) {
  const boundary = { ArnLike: { 'iam:PermissionsBoundary': `arn:*:iam::*:policy/${BOUNDARY}` } };
  const others = actions.filter((action) => ![...BOUNDED, ...NEVER, ...SEPARATE].includes(action));
  return [
    allow('Roles', others, ownRoles),
    allow('RightsOfRoles', BOUNDED, ownRoles, boundary),
    allow('PolicyOfAws', ['iam:AttachRolePolicy'], ownRoles, {
      ...boundary,
      ArnEquals: { 'iam:PolicyARN': `arn:*:iam::aws:policy/${GATEWAY_LOG_POLICY}` },
    }),
    allow('PassRoles', ['iam:PassRole'], ownRoles, { StringEquals: { 'iam:PassedToService': passedTo } }),
    // The service uses this role only, which is its own, so that passing it gives no rights.
    allow(
      'ScalingRole',
      ['iam:PassRole'],
      'arn:*:iam::*:role/aws-service-role/ecs.application-autoscaling.amazonaws.com/*',
    ),
  ];
}

/**
 * The two policies of a role with which CloudFormation can deploy these templates, and change no role, function or bucket of
 * others: for what is limited to resources of the stack, and for the rest. A managed policy has 6,144 characters at most.
 */
function executionPolicies(templates: readonly Template[]) {
  const types = distinct(templates.flatMap((template) => resourcesOf(template).map(({ type }) => type)));
  const permissionsOf = readHandlerPermissions();
  const actions = distinct(types.filter((type) => type.startsWith('AWS::')).flatMap(permissionsOf)).filter(
    (action) => !(serviceOf(action) in UNUSED),
  );
  const whole = servicesOf(types).filter((service) => !(service in OWN_RESOURCES) && !EXACT.includes(service));
  const isWhole = (action: string) => whole.includes(serviceOf(action));
  const single = actions.filter((action) => !isWhole(action) && !(serviceOf(action) in OWN_RESOURCES));
  const ofRoles = actions.filter((action) => serviceOf(action) === 'iam');
  const ofServices = policy(
    allow(
      'Services',
      whole.map((service) => `${service}:*`),
      '*',
    ),
    allow('Handlers', single, '*'),
  );
  const ofStack = policy(
    // Also calls the functions of custom resources.
    allow('Functions', ['lambda:*'], ownFunctions),
    allow('Mappings', OF_MAPPINGS, '*'),
    allow('Buckets', ['s3:*'], [ownBuckets]),
    allow('Code', ['s3:GetObject', 's3:GetObjectVersion'], CODE),
    ...roleStatements(ofRoles, principalsIn(templates)),
    allow('ServiceLinkedRoles', ['iam:CreateServiceLinkedRole'], 'arn:*:iam::*:role/aws-service-role/*', {
      StringEquals: { 'iam:AWSServiceName': distinct(types.flatMap((type) => serviceLinkedRoles[type] ?? [])) },
    }),
    // The version of the bootstrap stack is a parameter of the template.
    allow('Bootstrap', ['ssm:GetParameters'], 'arn:*:ssm:*:*:parameter/cdk-bootstrap/*'),
  );
  return { ofServices, ofStack };
}

/** The most that a role of these templates may do, whatever its own policies permit. */
function boundaryPolicy(templates: readonly Template[]) {
  const statements = rolesIn(templates).flatMap((role): Statement[] => statementsIn(role['Policies']));
  const actions = distinct([...statements.flatMap(({ Action }) => Action), ...GATEWAY_LOG_ACTIONS]);
  const of = (service: string) => actions.filter((action) => serviceOf(action) === service);
  const others = actions.filter((action) => !(serviceOf(action) in OWN_RESOURCES));
  return policy(
    allow('Services', others, '*'),
    allow('Functions', of('lambda'), ownFunctions),
    allow('Buckets', of('s3'), ownBuckets),
    // The program of the agent gateway.
    allow('Code', ['s3:GetObject'], CODE),
    allow(
      'ReadRoles',
      of('iam').filter((action) => action !== 'iam:PassRole'),
      'arn:*:iam::*:role/*',
    ),
    allow('PassRoles', ['iam:PassRole'], ownRoles, {
      StringEquals: { 'iam:PassedToService': 'apigateway.amazonaws.com' },
    }),
  );
}

/** The documents for every setting, by path. */
export function deploymentPolicies(): [path: string, text: string][] {
  const templates = everyTemplate();
  const text = (document: object) => `${JSON.stringify(document, null, 2)}\n`;
  const { ofServices, ofStack } = executionPolicies(templates);
  return [
    ['docs/execution-policy.json', text(ofServices)],
    ['docs/execution-policy-stack.json', text(ofStack)],
    ['docs/permissions-boundary.json', text(boundaryPolicy(templates))],
  ];
}
