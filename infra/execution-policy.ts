import { everyOption } from './every-option.ts';
import { resourcesOf, synthesise, type Template } from './synthesise.ts';

/** The actions of CloudFormation on roles. A name pattern or a permissions boundary protects the roles of other stacks. */
const roleActions = [
  'AttachRolePolicy',
  'CreateRole',
  'DeleteRole',
  'DeleteRolePermissionsBoundary',
  'DeleteRolePolicy',
  'DetachRolePolicy',
  'GetRole',
  'GetRolePolicy',
  'ListAttachedRolePolicies',
  'ListRolePolicies',
  'ListRoleTags',
  'PassRole',
  'PutRolePermissionsBoundary',
  'PutRolePolicy',
  'TagRole',
  'UntagRole',
  'UpdateAssumeRolePolicy',
  'UpdateRole',
  'UpdateRoleDescription',
];

/**
 * The services that create a role of their own with the first resource of an account:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/using-service-linked-roles.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/using-service-linked-roles.html
 */
const serviceLinkedRoles: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['contributorinsights.dynamodb.amazonaws.com', 'replication.dynamodb.amazonaws.com'],
  'AWS::ApiGateway::RestApi': ['ops.apigateway.amazonaws.com'],
};

const distinct = (texts: readonly string[]) => [...new Set(texts)].sort();

/** The services of the resources of a template: the prefixes of their actions. `AWS::SecretsManager::Secret`: `secretsmanager`. */
export function servicesOf(template: Template): string[] {
  const namespaces = resourcesOf(template).flatMap(({ type }) => /^AWS::(\w+)::/.exec(type)?.[1] ?? []);
  return distinct(namespaces.map((namespace) => namespace.toLowerCase()));
}

/** The policy of a role with which CloudFormation can deploy these templates, and nothing of other services. */
export function executionPolicy(templates: readonly Template[]) {
  const types = templates.flatMap((template) => resourcesOf(template).map(({ type }) => type));
  const services = distinct(templates.flatMap(servicesOf)).filter((service) => service !== 'iam');
  const linked = distinct(types.flatMap((type) => serviceLinkedRoles[type] ?? []));
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'Resources', Effect: 'Allow', Action: services.map((service) => `${service}:*`), Resource: '*' },
      {
        Sid: 'Roles',
        Effect: 'Allow',
        Action: roleActions.map((action) => `iam:${action}`),
        Resource: 'arn:*:iam::*:role/*',
      },
      {
        Sid: 'ServiceLinkedRoles',
        Effect: 'Allow',
        Action: 'iam:CreateServiceLinkedRole',
        Resource: 'arn:*:iam::*:role/aws-service-role/*',
        Condition: { StringEquals: { 'iam:AWSServiceName': linked } },
      },
      // The version of the bootstrap stack is a parameter of the template.
      {
        Sid: 'Bootstrap',
        Effect: 'Allow',
        Action: 'ssm:GetParameters',
        Resource: 'arn:*:ssm:*:*:parameter/cdk-bootstrap/*',
      },
      // For functions in a VPC.
      {
        Sid: 'Network',
        Effect: 'Allow',
        Action: ['ec2:DescribeSecurityGroups', 'ec2:DescribeSubnets', 'ec2:DescribeVpcs'],
        Resource: '*',
      },
    ],
  };
}

/** The policy for every setting. */
export const executionPolicyOfSettings = () =>
  `${JSON.stringify(executionPolicy([synthesise(), synthesise(everyOption)]), null, 2)}\n`;
