import { CustomResource, Duration, Lazy, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type IConstruct } from 'constructs';
import { createHash } from 'node:crypto';
import { keyStatements } from '../data/encryption.ts';
import { objectsKeyStatements } from '../data/table-access.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { DEPLOYMENT_STEP, InventoryFunction } from '../functions/inventory-function.ts';

export interface ObjectsKeyProps {
  readonly defaults: FunctionDefaults;
  readonly table: TableV2;
  readonly key: IKey | undefined;
  /** With earlier versions, the objects of other stacks imported the address of this secret. */
  readonly adminSecret: Secret;
}

/** The Editor key of a deployed inventory for the objects of the same app. A step of the deployment makes it. */
export class ObjectsKey extends Construct {
  readonly secret: Secret;
  private readonly adminSecret: Secret;
  private readonly users: { scope: IConstruct; properties: unknown }[] = [];

  constructor(scope: Construct, id: string, { defaults, table, key, adminSecret }: ObjectsKeyProps) {
    super(scope, id);
    this.adminSecret = adminSecret;
    this.secret = new Secret(this, 'Secret', {
      description: 'API key with the role Editor, for the objects of CDK stacks in the monitoring inventory',
      // The key in it ends with this construct.
      removalPolicy: RemovalPolicy.DESTROY,
      ...(key === undefined ? {} : { encryptionKey: key }),
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Operators rotate it like every other API key (docs/cdk.md); its functions read the secret at each use.',
    });
    const { function: provide } = new InventoryFunction(this, 'objectsKey', {
      defaults,
      description: 'Makes the API key of the objects of CDK stacks',
      rights: [
        ...objectsKeyStatements(table),
        ...keyStatements(key, 'dynamodb'),
        new PolicyStatement({
          actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
          resources: [this.secret.secretArn],
        }),
        ...keyStatements(key, 'secretsmanager', 'write'),
      ],
      ...DEPLOYMENT_STEP.function,
    });
    new CustomResource(this, 'Key', {
      serviceToken: provide.functionArn,
      serviceTimeout: Duration.seconds(DEPLOYMENT_STEP.answersWithinSeconds),
      resourceType: 'Custom::ObjectsKey',
      properties: {
        SecretArn: this.secret.secretArn,
        // A key that an Admin removed is made again before the next deployment that needs one.
        Users: Lazy.string({ produce: () => this.digestOfUsers() }),
      },
    });
  }

  /** @param properties of a resource that is written with the key. */
  addUser(scope: IConstruct, properties: unknown): void {
    this.users.push({ scope, properties });
    const stack = Stack.of(this);
    // CloudFormation removes no export that a deployed stack still imports.
    if (stack.nestedStackParent === undefined && Stack.of(scope) !== stack)
      stack.exportValue(this.adminSecret.secretArn);
  }

  private digestOfUsers(): string {
    const resolved = this.users.map(({ scope, properties }): unknown => Stack.of(scope).resolve(properties));
    return createHash('sha256').update(JSON.stringify(resolved)).digest('hex').slice(0, 16);
  }
}
