import { RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';
import type { ListedInventories, ListEnvironment } from '../../functions/domain/records/listed-inventories.ts';
import { tableKeysStatement } from '../data/encryption.ts';
import { loginStatements } from '../data/table-access.ts';
import { clientSecretStatements } from '../functions/client-secrets.ts';
import { InventoryFunction } from '../functions/inventory-function.ts';
import { newDeliveredLog } from '../functions/log.ts';
import { reportLogFormat } from '../gateway/access-log.ts';
import type { MonitoringInventory } from '../monitoring-inventory.ts';
import { regionalName } from '../settings/names.ts';
import type { Settings } from '../settings/settings-table.ts';

type OidcProvider = Extract<IdentityProvider, { kind: 'oidc' }>;

/** A tenant on the page. */
export interface ListedTenant {
  readonly name: string;
  readonly inventory: Pick<MonitoringInventory, 'consoleUrl' | 'encryptionKey'> & {
    readonly table: Pick<TableV2, 'tableArn' | 'tableName'>;
  };
  /** The names of the providers that it has in common with the page. */
  readonly providers: readonly string[];
}

export interface InventoryListProps {
  /** Folder with the bundles. */
  readonly bundles: string;
  readonly settings: Settings;
  /** The providers of people. */
  readonly providers: readonly OidcProvider[];
  readonly tenants: readonly ListedTenant[];
}

/** Visits a second, on average and at once. Each reads two items of each tenant. */
const RATE = 5;

/** The page that lists the inventories that a person may open, at an address of its own. */
export class InventoryList extends Construct {
  /** The address of the page, as it is registered at the provider. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: InventoryListProps) {
    super(scope, id);
    const { settings } = props;
    // Of the function and of its API.
    const log = newDeliveredLog(this, 'Log', { settings, removalPolicy: RemovalPolicy.DESTROY, key: undefined });
    const { target } = this.addFunction(log, props);
    const { region, urlSuffix } = Stack.of(this);
    this.url = `https://${this.addApi(target, log).ref}.execute-api.${region}.${urlSuffix}/`;
  }

  private addFunction(log: LogGroup, { bundles, settings, providers, tenants }: InventoryListProps) {
    const list: ListedInventories = tenants.map(({ name, inventory, providers: names }) => ({
      ...{ name, url: inventory.consoleUrl, providers: [...names], table: inventory.table.tableName },
    }));
    const secret = new Secret(this, 'Inventories', {
      description: 'The inventories of the tenants, and their tables',
      secretStringValue: SecretValue.unsafePlainText(JSON.stringify(list)),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It contains names of tenants and tables, and no credential.',
    });
    const environment: ListEnvironment = {
      IDENTITY_PROVIDERS: JSON.stringify(providers),
      INVENTORIES: secret.secretArn,
    };
    const areEncrypted = tenants.some(({ inventory }) => inventory.encryptionKey !== undefined);
    return new InventoryFunction(this, 'listInventories', {
      defaults: { bundles, environment: { ...environment }, log, settings },
      description: 'Lists the inventories that a person may open',
      rights: [
        loginStatements(tenants.map(({ inventory }) => inventory.table)),
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
        ...clientSecretStatements({ identityProviders: providers }),
        ...(areEncrypted ? [tableKeysStatement(this)] : []),
      ],
    });
  }

  private addApi(target: IFunction, log: LogGroup): CfnApi {
    const { partition, region, account } = Stack.of(this);
    const api = new CfnApi(this, 'Api', { name: `${regionalName(this)}-list`, protocolType: 'HTTP' });
    const integration = new CfnIntegration(this, 'Integration', {
      apiId: api.ref,
      integrationType: 'AWS_PROXY',
      integrationUri: target.functionArn,
      payloadFormatVersion: '2.0',
    });
    const route = new CfnRoute(this, 'Route', {
      apiId: api.ref,
      routeKey: 'GET /',
      target: `integrations/${integration.ref}`,
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The function sends people to the identity provider, and redeems the code.',
    });
    const stage = new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: log.logGroupArn, format: reportLogFormat },
      defaultRouteSettings: { throttlingRateLimit: RATE, throttlingBurstLimit: RATE },
    });
    Validations.of(stage).acknowledge({
      id: 'Serverless-APIGWStructuredLogging',
      reason: 'Each line is JSON. In the format, one variable is without quotes, because its values are numbers.',
    });
    new CfnPermission(this, 'Call', {
      action: 'lambda:InvokeFunction',
      functionName: target.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: `arn:${partition}:execute-api:${region}:${account}:${api.ref}/*`,
    });
    return api;
  }
}
