import type { IdentityProvider } from '../../functions/domain/fields/identity-providers.ts';
import { InvalidSettings, readSettings } from '../settings/read-settings.ts';
import type { InventorySettings, Tenant } from '../settings/settings.ts';

type OidcProvider = Extract<IdentityProvider, { kind: 'oidc' }>;

/** A provider whose client is that of all tenants: the address of the console of each is one of its redirect addresses. */
export type TenantProvider = IdentityProvider | Omit<OidcProvider, 'redirectUris'>;

/** Settings of all tenants. `domainName` is the parent of their host names. */
export interface TenantSettings extends Omit<InventorySettings, 'identityProviders'> {
  readonly identityProviders?: readonly TenantProvider[] | undefined;
}

/** Settings whose alarms would be missing, because tenants have none of their own. */
const withOwnAlarms = ['agentGateway', 'silenceAlarm'] as const satisfies readonly (keyof InventorySettings)[];

const isLoginOf = (provider: TenantProvider): provider is Omit<OidcProvider, 'redirectUris'> =>
  provider.kind === 'oidc' && !('redirectUris' in provider);

/** The address of the console of this host, as it is registered at a provider. */
const consoleAt = (domainName: string) => `https://${domainName}/`;

/** The settings of one tenant, before they are checked. */
function combined(all: TenantSettings, { name, settings = {} }: Tenant): InventorySettings {
  const { alarmEmail: _, ...others } = all;
  const { identityProviders, domainName, ...merged } = { ...others, ...settings };
  const ownName = settings.domainName ?? (domainName === undefined ? undefined : `${name}.${domainName}`);
  const withAddress = (provider: TenantProvider): IdentityProvider =>
    isLoginOf(provider) ? { ...provider, redirectUris: ownName === undefined ? [] : [consoleAt(ownName)] } : provider;
  return {
    ...merged,
    ...(ownName === undefined ? {} : { domainName: ownName }),
    ...(Array.isArray(identityProviders) ? { identityProviders: identityProviders.map(withAddress) } : {}),
  };
}

/** The problems that only tenants have. */
function tenantProblems(all: TenantSettings, { settings = {} }: Tenant): string[] {
  const { identityProviders = [], domainName, ...merged } = { ...all, ...settings };
  return [
    ...withOwnAlarms
      .filter((name) => String(merged[name] ?? false) !== 'false')
      .map((name) => `${name} has an alarm of its own, but tenants share their alarms. Omit it.`),
    ...(settings.alarmEmail === undefined
      ? []
      : ['alarmEmail receives the alarms of all tenants. Set it for all of them.']),
    ...(domainName === undefined && Array.isArray(identityProviders) && identityProviders.some(isLoginOf)
      ? ['identityProviders: people need a domainName to return to. Set domainName, or redirectUris of the provider.']
      : []),
  ];
}

/**
 * The settings of each tenant, by its name.
 *
 * @throws InvalidSettings with the problems of all tenants.
 */
export function settingsOfTenants(
  all: TenantSettings,
  tenants: readonly Tenant[],
  region?: string,
): ReadonlyMap<string, InventorySettings> {
  const problems: string[] = [];
  const settings = new Map<string, InventorySettings>();
  for (const tenant of tenants) {
    const combinedSettings = combined(all, tenant);
    const tenantErrors = tenantProblems(all, tenant);
    try {
      if (tenantErrors.length === 0) readSettings(combinedSettings, region);
    } catch (error) {
      if (!(error instanceof InvalidSettings)) throw error;
      tenantErrors.push(...error.problems);
    }
    problems.push(...tenantErrors.map((problem) => `Tenant ${tenant.name}: ${problem}`));
    settings.set(tenant.name, combinedSettings);
  }
  if (problems.length > 0) throw new InvalidSettings([...new Set(problems)]);
  return settings;
}
