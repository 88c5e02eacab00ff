import { startInventory } from '../../../tests/support/inventory.ts';
import { startIssuer } from '../../../tests/support/issuer.ts';
import { AUDIENCE } from '../../../tests/support/program-tokens.ts';

test('an issuer that does not answer causes a 503 and one log line', async () => {
  const issuer = await startIssuer();
  const inventory = await startInventory({
    identityProviders: [{ name: 'ci', kind: 'jwt', issuer: issuer.issuer, audience: AUDIENCE }],
  });
  try {
    issuer.fault = () => undefined;
    const body = { method: 'jwt', provider: 'ci', token: await issuer.sign({ sub: 'x' }) };
    expect((await inventory.request('POST', '/v1/logins', { as: null, body })).status).toBe(503);
    const [entry] = inventory.logged.filter(({ message }) => message === 'identity provider cannot be used');
    expect(entry?.['reason']).toContain('no reply within 3 seconds');
  } finally {
    await inventory.stop();
    await issuer.stop();
  }
});
