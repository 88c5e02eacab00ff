/** At its start, the server on one machine tries the identity providers of its settings. */
import { freePort } from '../support/free-port.ts';
import { settingsFor } from '../support/oidc-log-in.ts';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { PASSWORD } from './client.ts';
import { eventually } from './processes.ts';
import { startedServers } from './started-servers.ts';

const { start } = startedServers();

let provider: OidcServer;
let other: OidcServer;
beforeAll(async () => {
  [provider, other] = await Promise.all([startOidcServer(), startOidcServer()]);
});
afterAll(async () => {
  await Promise.all([provider.stop(), other.stop()]);
});

test('each unusable provider has one line with the remedy, and usable ones have none', async () => {
  const { port } = new URL(other.issuer);
  const providers = [
    await settingsFor(provider, { name: 'right' }),
    await settingsFor(other, { name: 'secret', secret: 'another secret' }),
    await settingsFor(other, { name: 'issuer', issuer: `http://localhost:${port}` }),
    { name: 'gone', kind: 'jwt', issuer: `http://127.0.0.1:${await freePort()}`, audience: 'inventory' },
  ];
  const environment = { ADMIN_PASSWORD: PASSWORD, IDENTITY_PROVIDERS: JSON.stringify(providers) };
  const server = await start({ environment });
  const lines = () => server.stderr().split('\n').slice(0, -1).sort();
  await eventually(() => lines().length >= 3);
  expect(lines()).toEqual([
    expect.stringMatching(/^Identity provider "gone": http:.* cannot be read \(ECONNREFUSED\)\. Check the issuer/),
    expect.stringMatching(/^Identity provider "issuer": the document at http:.* names another issuer\. Set the issuer/),
    'Identity provider "secret": it refuses the client. Check the client id and the client secret.',
  ]);
  expect(server.output()).not.toContain('another secret');
});
