import { CustomResource, Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct, type IConstruct } from 'constructs';
import { TABLE_FORMAT } from '../../functions/store/table/keys.ts';
import { keyStatements } from '../data/encryption.ts';
import type { FunctionDefaults } from './function-defaults.ts';
import { DEPLOYMENT_STEP, InventoryFunction } from './inventory-function.ts';
import { setUpStatements } from '../data/table-access.ts';
import type { Settings } from '../settings/settings-table.ts';

/** Letters and digits only, which need no quoting in shells and URLs: 190 bits. */
const PASSWORD_LENGTH = 32;

/** The generated password of the account `admin`. The authorizer reads it from here; it is stored nowhere else. */
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
        'A new password locks out users of the old one, so that operators choose the time (docs/maintenance.md). The service follows any rotation within two minutes.',
    });
  }
}

/** Permits the authorizer to read the value of the secret, and nothing else. */
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
  /** The functions that read changes. */
  readonly changeReaders: readonly IConstruct[];
  readonly settings: Pick<Settings, 'changeShards' | 'adminAccount' | 'identityProviders'>;
}

/**
 * Makes the account `admin` in the table refer to the secret, and sets the format of the table and the number of
 * partitions of changes: at the first deployment and whenever one of them changes. Not the CDK's Trigger: it adds a function with an unlimited log retention that calls ours, needs the
 * permission to call any version of it, and runs with every build instead of when its inputs have changed.
 */
export class FirstAccess extends Construct {
  /**
   * Fails the deployment of a version that cannot read the table, or that disables the account of the only Admin. Functions that use the table depend on it, so that none of
   * such a version runs.
   */
  readonly format: CustomResource;

  constructor(scope: Construct, id: string, props: FirstAccessProps) {
    super(scope, id);
    const { defaults, table, secret, key, changeReaders, settings } = props;
    const { changeShards, adminAccount, identityProviders = [] } = settings;
    const isDisabled = adminAccount === 'disabled';
    const { function: setUp } = new InventoryFunction(this, 'setUp', {
      defaults,
      description: 'Initialises the table at deployment: the account admin, and the secret of page tokens',
      rights: [...setUpStatements(table, { readsAdmins: isDisabled }), ...keyStatements(key, 'dynamodb')],
      ...DEPLOYMENT_STEP.function,
    });
    const step = {
      serviceToken: setUp.functionArn,
      serviceTimeout: Duration.seconds(DEPLOYMENT_STEP.answersWithinSeconds),
    };
    const ofTable = { TableName: table.tableName, Format: TABLE_FORMAT };
    this.format = new CustomResource(this, 'Format', {
      ...step,
      resourceType: 'Custom::TableFormat',
      // Checked again when the providers change: the only Admins may be theirs.
      properties: isDisabled
        ? { ...ofTable, AdminAccount: adminAccount, Providers: identityProviders.map(({ name }) => name) }
        : ofTable,
    });
    const ready = new CustomResource(this, 'Ready', {
      ...step,
      resourceType: 'Custom::FirstAccess',
      properties: {
        SecretArn: secret.secretArn,
        ...ofTable,
        ...(changeShards === undefined ? {} : { ChangeShards: changeShards }),
      },
    });
    // Functions of a version without the setting read four partitions: they are replaced before the number grows.
    ready.node.addDependency(...changeReaders);
  }
}
