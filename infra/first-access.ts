import { CustomResource, Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { keyStatements } from './encryption.ts';
import { DEPLOYMENT_STEP, type FunctionDefaults, InventoryFunction } from './inventory-function.ts';
import { setUpStatements } from './table-access.ts';

/** Letters and digits only, so that it survives shells, URLs and double clicks: 190 bits. */
const PASSWORD_LENGTH = 32;

/** The generated password of the account `admin`; the authorizer reads it from here, and nothing else holds it. */
export class AdminSecret extends Secret {
  constructor(
    scope: Construct,
    id: string,
    { key, removalPolicy }: { key: IKey | undefined; removalPolicy: RemovalPolicy },
  ) {
    super(scope, id, {
      description:
        'Password of the user admin of the monitoring inventory; a new value takes effect within two minutes',
      generateSecretString: { excludePunctuation: true, passwordLength: PASSWORD_LENGTH },
      removalPolicy,
      ...(key === undefined ? {} : { encryptionKey: key }),
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A new password locks out users of the old one, so that operators choose the time (docs/runbook.md). The service follows any rotation within two minutes.',
    });
  }
}

/** Lets the authorizer read the password, and no more of the secret. */
export function secretStatements(secret: Secret, key: IKey | undefined): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
    ...keyStatements(key, 'secretsmanager'),
  ];
}

export interface FirstAccessProps {
  readonly defaults: FunctionDefaults;
  readonly table: TableV2;
  readonly secret: Secret;
  readonly key: IKey | undefined;
}

/**
 * Points the account `admin` in the table to the secret, at the first deployment and whenever table or secret are others.
 * A resource of our own and not the CDK's Trigger: that adds a function with an eternal log to call ours, asks to call any
 * version of it, and runs again with each build instead of when what it is about has changed.
 */
export class FirstAccess extends Construct {
  constructor(scope: Construct, id: string, { defaults, table, secret, key }: FirstAccessProps) {
    super(scope, id);
    const { function: setUp } = new InventoryFunction(this, 'setUp', {
      defaults,
      description: 'Initialises the table at deployment: the account admin, and the secret of page tokens',
      rights: [...setUpStatements(table), ...keyStatements(key, 'dynamodb')],
      ...DEPLOYMENT_STEP.function,
    });
    new CustomResource(this, 'Ready', {
      resourceType: 'Custom::FirstAccess',
      serviceToken: setUp.functionArn,
      serviceTimeout: Duration.seconds(DEPLOYMENT_STEP.answersWithinSeconds),
      properties: { SecretArn: secret.secretArn, TableName: table.tableName },
    });
  }
}
