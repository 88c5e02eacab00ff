import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { endpoints } from '../../functions/api/endpoints.ts';
import { getMetrics, getReadiness, getVersion } from '../../functions/api/endpoint-table.ts';
import { facade as pmmServer } from '../../functions/pmm/facades/server/contract.ts';
import { endpoint as logIn } from '../../functions/api/logins/add/endpoint.ts';
import { servedFacades } from '../../functions/facades.ts';
import type { Endpoint, Facade } from '../../functions/contract/endpoint.ts';
import { keyStatements } from '../data/encryption.ts';
import { clientSecretStatements } from './client-secrets.ts';
import { secretStatements } from './first-access.ts';
import { FunctionRole } from './function-role.ts';
import type { FunctionDefaults } from './function-defaults.ts';
import { InventoryFunction } from './inventory-function.ts';
import { groupOf, type ProvisionedGroup } from '../settings/provisioned.ts';
import type { Settings } from '../settings/settings-table.ts';
import { authorizerStatements, countStatements, endpointStatements } from '../data/table-access.ts';

/** The gateway calls it before the function of the endpoint. */
const AUTHORIZER_TIMEOUT_SECONDS = 10;

/** The functions whose replies contain the version, the commit or the time of the build. */
const STATE_THE_BUILD: readonly string[] = [getVersion.id, getMetrics.id, pmmServer.id];

export interface InventoryFunctionsProps {
  readonly defaults: FunctionDefaults;
  readonly table: TableV2;
  readonly secret: Secret;
  readonly key: IKey | undefined;
  readonly settings: Settings;
}

/** The functions for requests: one for each contract with its permissions, the authorizer, and the catch-all. */
export class InventoryFunctions extends Construct {
  readonly endpoints: readonly (readonly [Endpoint, InventoryFunction])[];
  readonly facades: readonly (readonly [Facade, InventoryFunction])[];
  readonly authorizer: InventoryFunction;
  readonly catchAll: InventoryFunction;
  /** Serves the site where there is no CloudFront. */
  readonly site: InventoryFunction | undefined;
  private readonly roles = new Map<string, FunctionRole>();

  constructor(scope: Construct, id: string, props: InventoryFunctionsProps) {
    super(scope, id);
    const { defaults, table, secret, key, settings } = props;
    const { provisionedConcurrency, provisionedFunctions, authorizerConcurrency, loginConcurrency, pmmCompatibility } =
      settings;
    const instancesOf = (group: ProvisionedGroup | undefined) =>
      provisionedFunctions.some((candidate) => candidate === group) ? provisionedConcurrency : 0;
    const functionFor = (contract: Endpoint | Facade) => {
      const { id: name, summary } = contract;
      const statements = [
        ...endpointStatements(table, contract),
        ...keyStatements(key, 'dynamodb'),
        ...(name === logIn.id ? clientSecretStatements(settings) : []),
      ];
      const made = {
        defaults,
        description: summary,
        rights: this.roleFor(name, defaults, statements),
        // A fleet and the probe send the same few requests all the time, and X-Ray costs 5 USD for a million traces.
        isTraced: contract.frequent !== true && !(settings.probe && name === getReadiness.id),
        // Setups of hosts can wait for a cold start.
        provisionedConcurrency: 'paths' in contract ? 0 : instancesOf(groupOf(contract)),
        ...(contract.logsIn === true ? { reservedConcurrency: loginConcurrency } : {}),
      };
      return new InventoryFunction(this, name, made);
    };
    this.endpoints = endpoints.map((endpoint) => [endpoint, functionFor(endpoint)] as const);
    this.facades = servedFacades(pmmCompatibility).map((facade) => [facade, functionFor(facade)] as const);
    this.authorizer = new InventoryFunction(this, 'authorizer', {
      defaults,
      description: 'Authenticates requests',
      rights: [...authorizerStatements(table), ...keyStatements(key, 'dynamodb'), ...secretStatements(secret, key)],
      timeoutSeconds: AUTHORIZER_TIMEOUT_SECONDS,
      // Most of its calls are for reports.
      isTraced: false,
      provisionedConcurrency: instancesOf('authorizer'),
      reservedConcurrency: authorizerConcurrency,
    });
    this.site = settings.cdn ? undefined : this.addSite(defaults);
    this.catchAll = new InventoryFunction(this, 'catchAll', {
      defaults,
      description: 'Handles requests without an endpoint',
      rights: this.roleFor('catchAll', defaults, [...countStatements(table), ...keyStatements(key, 'dynamodb')]),
    });
  }

  private addSite(defaults: FunctionDefaults): InventoryFunction {
    return new InventoryFunction(this, 'serveSite', {
      defaults,
      description: 'Serves the console and the API browser',
      bundle: { folder: 'publishSite', file: 'serve' },
      rights: [],
    });
  }

  /** Tells the functions whose replies state the build which one it is: a build replaces no others. */
  stateBuild(environment: Readonly<Record<string, string>>): void {
    for (const [{ id }, { function: states }] of [...this.endpoints, ...this.facades])
      if (STATE_THE_BUILD.includes(id))
        for (const [name, value] of Object.entries(environment)) states.addEnvironment(name, value);
  }

  /** The role of an endpoint, for a function that does the same without a request. */
  roleOf(endpoint: Pick<Endpoint, 'id'>): FunctionRole {
    return this.of(endpoint).role;
  }

  of({ id }: Pick<Endpoint, 'id'>): InventoryFunction {
    const entry = this.endpoints.find(([endpoint]) => endpoint.id === id);
    if (entry === undefined) throw new Error(`No function has the id ${id}.`);
    return entry[1];
  }

  /** One role for all endpoints with the same permissions, named after the first of them. */
  private roleFor(name: string, defaults: FunctionDefaults, statements: readonly PolicyStatement[]): FunctionRole {
    const rights = JSON.stringify(
      Stack.of(this).resolve(statements.map((statement): unknown => statement.toStatementJson())),
    );
    const existing = this.roles.get(rights);
    if (existing !== undefined) return existing;
    const role = new FunctionRole(this, `${name}Rights`, {
      description: `Permissions of ${name} and similar functions`,
      defaults,
      statements,
    });
    this.roles.set(rights, role);
    return role;
  }
}
