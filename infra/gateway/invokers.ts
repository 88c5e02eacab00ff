import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/** IAM limits the inline policies of a role to 10,240 characters. The ARN of a generated name has 130 at most. */
const FUNCTIONS_PER_ROLE = 64;

/**
 * The roles with which the gateway calls the functions: permissions on the functions would be one more resource for
 * every endpoint. Each role names its functions, so their number is limited, and a further role begins beyond it. Their trust has no condition on the account: API Gateway documents none, and
 * a role is passed to a service within its account only.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
 */
export class Invokers extends Construct {
  private readonly roles: Role[] = [];
  private readonly functions = new Map<string, Role>();

  constructor(scope: Construct, id: string, functions: readonly IFunction[]) {
    super(scope, id);
    for (let from = 0; from < functions.length; from += FUNCTIONS_PER_ROLE)
      this.addRole(functions.slice(from, from + FUNCTIONS_PER_ROLE));
  }

  private addRole(functions: readonly IFunction[]): void {
    const arns = functions.map(({ functionArn }) => functionArn);
    const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: arns });
    const role = new Role(this, `Role${this.roles.length}`, {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'Lets the gateway call the functions',
      inlinePolicies: { functions: new PolicyDocument({ statements: [statement] }) },
    });
    this.roles.push(role);
    for (const arn of arns) this.functions.set(arn, role);
  }

  roleArnFor({ functionArn }: IFunction): string {
    const role = this.functions.get(functionArn);
    if (role === undefined) throw new Error('No role calls this function.');
    return role.roleArn;
  }
}
