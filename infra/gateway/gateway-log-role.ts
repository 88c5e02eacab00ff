import { ArnFormat, CustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { DEPLOYMENT_STEP, InventoryFunction } from '../functions/inventory-function.ts';

/**
 * API Gateway writes access logs with one role per account and region, and refuses a stage with logging when none is
 * set. An account with a role keeps it. An account without one gets this role, which is retained when the stack is
 * removed, because other APIs may log with it by then.
 */
export class GatewayLogRole extends Construct {
  constructor(scope: Construct, id: string, { defaults }: { defaults: FunctionDefaults }) {
    super(scope, id);
    const service = 'apigateway.amazonaws.com';
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal(service),
      description: 'Lets API Gateway write the logs of all REST APIs of this account and region',
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'The role applies to all APIs of the account and region. API Gateway requires at least the permissions of this policy, which AWS maintains.',
    });

    const account = Stack.of(this).formatArn({
      service: 'apigateway',
      account: '',
      resource: '/account',
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    const roles = Stack.of(this).formatArn({ service: 'iam', region: '', resource: 'role', resourceName: '*' });
    const { function: ensure } = new InventoryFunction(this, 'gatewayLogRole', {
      defaults,
      description: 'Sets the log role of API Gateway, unless the account has one',
      rights: [
        new PolicyStatement({ actions: ['apigateway:GET', 'apigateway:PATCH'], resources: [account] }),
        // Whether the role of the account still exists, whatever its name is.
        new PolicyStatement({ actions: ['iam:GetRole'], resources: [roles] }),
        new PolicyStatement({
          actions: ['iam:PassRole'],
          resources: [role.roleArn],
          conditions: { StringEquals: { 'iam:PassedToService': service } },
        }),
      ],
      ...DEPLOYMENT_STEP.function,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role/*]',
      reason: 'It reads whether the role for logs that the account has set exists, whatever its name is.',
    });
    new CustomResource(this, 'Ensured', {
      resourceType: 'Custom::GatewayLogRole',
      serviceToken: ensure.functionArn,
      serviceTimeout: Duration.seconds(DEPLOYMENT_STEP.answersWithinSeconds),
      properties: { RoleArn: role.roleArn },
    });
  }
}
