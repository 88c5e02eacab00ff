import { Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

const XRAY = 'X-Ray does not support resource-level permissions for these two actions.';

export interface FunctionRoleProps {
  readonly description: string;
  /** All that its functions may do, besides writing their logs and their traces. */
  readonly statements: readonly PolicyStatement[];
}

/** What functions may do, all of it in one place. Functions with the same rights share one. */
export class FunctionRole extends Construct {
  readonly role: Role;
  readonly #logs = new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'] });

  constructor(scope: Construct, id: string, { description, statements }: FunctionRoleProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description,
      inlinePolicies: {
        function: new PolicyDocument({
          statements: [
            this.#logs,
            // X-Ray has no resources to name: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html
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

  /** One more of its functions writes this log. */
  addLog({ logGroupArn }: ILogGroup): void {
    this.#logs.addResources(logGroupArn);
  }
}
