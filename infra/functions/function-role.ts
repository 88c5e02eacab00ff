import { Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { FunctionDefaults } from './function-defaults.ts';
import { networkStatements } from './network.ts';

const NO_RESOURCES =
  'These actions support no resource-level permissions: writing traces, listing streams, managing network interfaces.';

export interface FunctionRoleProps {
  readonly description: string;
  readonly defaults: Pick<FunctionDefaults, 'log' | 'settings'>;
  /** The permissions of its functions, in addition to logs and traces. */
  readonly statements: readonly PolicyStatement[];
}

/** A role with all permissions of its functions. Functions with the same permissions share one. */
export class FunctionRole extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { description, defaults, statements }: FunctionRoleProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description,
      inlinePolicies: {
        function: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [defaults.log.logGroupArn],
            }),
            // X-Ray supports no resource-level permissions:
            // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
            new PolicyStatement({ actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] }),
            ...networkStatements(defaults.settings),
            ...statements,
          ],
        }),
      },
    });
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason: NO_RESOURCES },
      { id: 'Serverless-LambdaStarPermissions', reason: NO_RESOURCES },
    );
  }
}
