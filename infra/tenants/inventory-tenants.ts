import { CfnOutput, RemovalPolicy, Stack, type StackProps, Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type Assets, builtAssets } from '../assets/stored-assets.ts';
import { newLog } from '../functions/log.ts';
import { InventoryStack } from '../inventory-stack.ts';
import { SharedMonitoring } from '../operations/shared-monitoring.ts';
import { applySettings } from '../settings/apply-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { InventorySettings, Tenant } from '../settings/settings.ts';
import { WAVES } from '../settings/tenant-list.ts';
import { settingsOfTenants, type TenantSettings } from './tenant-settings.ts';

export type { TenantSettings } from './tenant-settings.ts';

export interface InventoryTenantsProps extends Omit<StackProps, 'description'> {
  /**
   * The beginning of the names of all stacks: that of a tenant is `<stackName>-<tenant>`, that of the shared one
   * `<stackName>-shared`.
   *
   * @default 'MonitoringInventory'
   */
  readonly stackName?: string;
  readonly tenants: readonly Tenant[];
  /** Settings of all tenants; each can have other ones of its own. */
  readonly settings?: TenantSettings;
  /**
   * The bundled functions and the files of the site.
   *
   * @default - those of this package
   */
  readonly assets?: Assets;
}

/**
 * Inventories that must not know of each other, each in a stack of its own, and a stack with their alarms and dashboard.
 * The stacks are children of the scope, not of this construct: commands of the CDK select a stack by its path, which is
 * then its name.
 *
 * ```ts
 * new InventoryTenants(app, 'Inventories', { tenants: [{ name: 'canary', wave: 1 }, { name: 'acme' }] });
 * ```
 *
 * @throws InvalidSettings when a setting of a tenant is invalid.
 */
export class InventoryTenants extends Construct {
  /** The alarms and the dashboard of all tenants. */
  readonly monitoring: SharedMonitoring;
  /** The stacks of the tenants, by their names. */
  readonly stacks: ReadonlyMap<string, InventoryStack>;

  constructor(scope: Construct, id: string, props: InventoryTenantsProps) {
    super(scope, id);
    const { stackName = 'MonitoringInventory', tenants, settings: all = {}, assets, ...stackProps } = props;
    const { region } = stackProps.env ?? {};
    const isKnown = region !== undefined && !Token.isUnresolved(region);
    const settings = settingsOfTenants(all, tenants, isKnown ? region : undefined);
    const shared = new Stack(scope, `${stackName}-shared`, {
      ...stackProps,
      stackName: `${stackName}-shared`,
      description: 'Monitoring inventories: alarms and dashboard of all tenants',
    });
    const [firstSettings = {}] = settings.values();
    const { domainName = '<address of a tenant>' } = firstSettings;
    this.monitoring = new SharedMonitoring(shared, 'Monitoring', {
      alarmEmail: all.alarmEmail,
      siteUrl: `https://${domainName}`,
    });
    this.stacks = new Map(
      tenants.map(({ name }) => [
        name,
        new InventoryStack(scope, `${stackName}-${name}`, {
          ...stackProps,
          stackName: `${stackName}-${name}`,
          description: `Monitoring inventory of the tenant ${name}`,
          inventory: {
            ...settings.get(name),
            // One function of the shared stack asks all of them.
            probe: false,
            ...(assets === undefined ? {} : { assets }),
            sharedMonitoring: this.monitoring,
          },
        }),
      ]),
    );
    this.orderUpgrades(tenants);
    this.addProbe(shared, props, settings);
    this.monitoring.addDashboard(
      [...this.stacks].map(([title, stack]) => ({ title, apiName: stack.inventory.apiName })),
    );
    applySettings(shared, readSettings(firstSettings));
    this.addOutput(shared, settings);
  }

  /** Asks the tenants with the setting whether they are ready, except those that are closed. */
  private addProbe(
    shared: Stack,
    { assets = builtAssets() }: InventoryTenantsProps,
    settings: ReadonlyMap<string, InventorySettings>,
  ): void {
    const all = [...settings].map(([name, tenantSettings]) => [name, readSettings(tenantSettings)] as const);
    const asked = all.filter(([, { probe, closed }]) => probe && !closed);
    const inventories = asked.flatMap(([name]) => {
      const url = this.stacks.get(name)?.inventory.baseUrl;
      return url === undefined ? [] : [{ name, url }];
    });
    const [first] = asked;
    if (first === undefined) return;
    const [, common] = first;
    const removalPolicy = RemovalPolicy.DESTROY;
    const log = newLog(shared, 'ProbeLog', { settings: common, removalPolicy, key: undefined });
    this.monitoring.addProbe({
      defaults: { bundles: assets.functions, environment: {}, log, settings: common },
      inventories,
    });
  }

  /** The stacks of a wave are deployed when all of the wave before are. A deployment that fails stops those after it. */
  private orderUpgrades(tenants: readonly Tenant[]): void {
    const waves = Map.groupBy(tenants, ({ wave = WAVES.preset }) => wave);
    const stacks = [...waves]
      .sort(([left], [right]) => left - right)
      .map(([, wave]) => wave.flatMap(({ name }) => this.stacks.get(name) ?? []));
    for (const [index, later] of stacks.slice(1).entries())
      for (const stack of later) for (const earlier of stacks[index] ?? []) stack.addStackDependency(earlier);
  }

  /** The addresses to enter at the provider, for its one client. */
  private addOutput(shared: Stack, settings: ReadonlyMap<string, InventorySettings>): void {
    const addresses = [...settings.values()].flatMap(({ identityProviders = [] }) =>
      identityProviders.flatMap((provider) => (provider.kind === 'oidc' ? provider.redirectUris : [])),
    );
    if (addresses.length > 0)
      new CfnOutput(shared, 'RedirectAddresses', {
        description: 'Redirect and log-out addresses of the client at the identity provider',
        value: [...new Set(addresses)].join(' '),
      });
  }
}
