import { Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

const XRAY = 'X-Ray does not support resource-level permissions for these two actions.';

export interface FunctionRoleProps {
  readonly description: string;
  readonly log: ILogGroup;
  /** The permissions of its functions, in addition to logs and traces. */
  readonly statements: readonly PolicyStatement[];
}

/** A role with all permissions of its functions. Functions with the same permissions share one. */
export class FunctionRole extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { description, log, statements }: FunctionRoleProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description,
      inlinePolicies: {
        function: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [log.logGroupArn],
            }),
            // X-Ray supports no resource-level permissions:
            // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
            new PolicyStatement({ actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] }),
            ...statements,
          ],
        }),
      },
    });
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason: XRAY },
      { id: 'Serverless-LambdaStarPermissions', reason: XRAY },
    );
  }
}
