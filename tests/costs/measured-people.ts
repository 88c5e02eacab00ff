import type { Inventory } from '../support/inventory.ts';
import { FORM, formWith, logOutClaims } from '../support/log-out-receiver.ts';
import { authorized, logInByProvider } from '../support/oidc-log-in.ts';
import type { OidcServer } from '../support/oidc-server.ts';
import { BACK_CHANNEL_LOGOUT_PATH } from '../../functions/identity/log-out/contract.ts';
import type { Request } from './invocation.ts';

/** Log-ins and log-outs of a person of an identity provider. */
export async function measurePeople(
  inventory: Inventory,
  provider: OidcServer,
  ask: (id: string, request: string, sent: Request) => Promise<string>,
): Promise<void> {
  const binding = { name: 'dba', provider: 'corporate', claims: { groups: ['dba'] }, role: 'Editor' };
  const added = await inventory.request('POST', '/v1/role-bindings', { body: binding });
  // The first log-in adds the user, and reads the documents of the provider.
  const first = await logInByProvider(inventory, provider);
  for (const { status, text } of [added, first]) if (status !== 201) throw new Error(text);
  const { body } = await authorized(provider);
  const { key } = JSON.parse(
    await ask('logIn', 'a person of an identity provider', { method: 'POST', url: '/v1/logins', body }),
  );
  await ask('logIn', 'the renewal of a session', {
    ...{ method: 'POST', url: '/v1/logins', body: { method: 'session', key } },
  });
  for (const [request, of] of [
    ['one session', { sid: provider.lastSid }],
    ['all sessions of a person', { sub: provider.person }],
  ] as const) {
    const form = formWith(await provider.sign(logOutClaims(of)));
    await ask('endProviderSession', request, {
      ...{ method: 'POST', url: BACK_CHANNEL_LOGOUT_PATH, headers: FORM, body: Buffer.from(form) },
    });
  }
}
