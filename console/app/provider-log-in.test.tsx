import { session } from '../api/session.tsx';
import { closePage } from '../testing/page.tsx';
import { showReplies } from '../testing/replies.tsx';
import { beginProviderLogIn, finishProviderLogIn, isProviderReturn, providerLogOut } from './provider-log-in.tsx';

const origin = `${location.origin}/`;
const method = {
  ...{ method: 'oidc' as const, provider: 'acme', title: 'Acme', client_id: 'console', scope: 'openid email' },
  ...{ authorization_endpoint: 'https://acme.example/authorize?tenant=1', redirect_uris: [origin] },
} as const;

afterEach(() => history.replaceState(null, '', '/'));

test("a log-in leaves for the provider, and its code is redeemed once with the tab's secrets", async () => {
  const requests = await showReplies(() => ({
    ...{ key: 'minv_new', session_id: 's-1', name: 'oidc:acme/ann', role: 'Viewer', user_id: 'u-1' },
  }));
  history.replaceState(null, '', '/#/nodes?region=eu');
  await beginProviderLogIn({ ...method, redirect_uris: [...method.redirect_uris] });
  const kept = JSON.parse(sessionStorage.getItem('provider-log-in')!);
  expect(kept).toMatchObject({ provider: 'acme', redirect_uri: origin, hash: '#/nodes?region=eu' });
  expect(new Set([kept.state, kept.nonce, kept.code_verifier]).size).toBe(3);
  expect(kept.code_verifier).toMatch(/^[\w-]{43}$/);

  history.replaceState(null, '', `/?code=of-acme&state=${kept.state}&iss=https://acme.example`);
  expect(isProviderReturn()).toBe(true);
  await Promise.all([finishProviderLogIn(), finishProviderLogIn()]);
  expect(requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    [
      '/v1/logins',
      {
        ...{ method: 'oidc', provider: 'acme', code: 'of-acme', iss: 'https://acme.example', nonce: kept.nonce },
        ...{ code_verifier: kept.code_verifier, redirect_uri: origin },
      },
    ],
  ]);
  expect([session.key(), location.search, location.hash]).toEqual(['minv_new', '', '#/nodes?region=eu']);
  expect(sessionStorage.getItem('provider-log-in')).toBeNull();
  // The one thing that this window does not do.
  expect(closePage).toThrow('navigation');
});

test.each([
  ['error=access_denied', 'The identity provider refused the log-in, or you cancelled it.'],
  ['error=server_error', 'The identity provider refused the log-in (server_error).'],
])("a return with %s reports the provider's refusal", async (error, text) => {
  const requests = await showReplies(() => ({}));
  await beginProviderLogIn({ ...method, redirect_uris: [...method.redirect_uris] });
  const { state } = JSON.parse(sessionStorage.getItem('provider-log-in')!);
  history.replaceState(null, '', `/?${error}&state=${state}`);
  await finishProviderLogIn();
  expect(session.state()).toMatchObject({ kind: 'out', notice: { text: expect.stringContaining(text) } });
  expect(requests).toEqual([]);
  expect(closePage).toThrow('navigation');
});

test('a return that did not begin in this tab is reported without a request', async () => {
  const requests = await showReplies(() => ({}));
  history.replaceState(null, '', '/?code=of-acme&state=of-nobody');
  await finishProviderLogIn();
  expect(session.state()).toMatchObject({ notice: { text: 'This log-in did not begin in this tab. Log in again.' } });
  expect(requests).toEqual([]);
  closePage();
});

test('a refused code is reported', async () => {
  await showReplies(() => ({ status: 401, message: 'Expired code' }));
  await beginProviderLogIn({ ...method, redirect_uris: [...method.redirect_uris] });
  const { state } = JSON.parse(sessionStorage.getItem('provider-log-in')!);
  history.replaceState(null, '', `/?code=late&state=${state}`);
  await finishProviderLogIn();
  expect(session.state()).toMatchObject({ kind: 'out', notice: { text: 'Expired code' } });
  expect(closePage).toThrow('navigation');
});

test('the address of a log-out names the client and this page', () => {
  expect(providerLogOut({ ...method, redirect_uris: [] })).toBeUndefined();
  const address = providerLogOut({ ...method, redirect_uris: [], end_session_endpoint: 'https://acme.example/end' });
  expect(Object.fromEntries(new URL(address!).searchParams)).toEqual({
    client_id: 'console',
    post_logout_redirect_uri: origin,
  });
});

test.each([
  ['?code=a&state=b', true],
  ['?error=a&state=b', true],
  ['?code=a', false],
  ['?state=b', false],
])("the address %s is a provider's return: %s", (search, isReturn) => {
  history.replaceState(null, '', `/${search}`);
  expect(isProviderReturn()).toBe(isReturn);
});
