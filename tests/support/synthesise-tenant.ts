import { synthesiseApp, type Template } from '../../infra/synthesis/synthesise.ts';
import { InventoryTenants, type TenantSettings } from '../../infra/tenants/inventory-tenants.ts';

const provider = { name: 'company', kind: 'oidc', issuer: 'https://id.example.com', clientId: 'inventory' } as const;

/** The templates of one tenant and of the shared stack, with single sign-on. */
export const synthesiseTenant = (settings: TenantSettings = {}): ReadonlyMap<string, Template> =>
  synthesiseApp((app, assets) => {
    new InventoryTenants(app, 'Tenants', {
      tenants: [{ name: 'acme' }],
      settings: { ...settings, identityProviders: [{ ...provider, redirectUris: ['https://acme.example.com/'] }] },
      assets,
    });
  });
