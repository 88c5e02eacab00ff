import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { quietWorld, refusal } from '../../../../tests/support/command-call.ts';
import { type Config, readConfig, readCredentials, storeCredential, writeConfig } from '../connection/config.ts';
import { exitOf, lineOf } from '../core/exit-codes.ts';
import { Options } from '../core/options.ts';
import { Output } from '../output/output.ts';
import type { World } from '../core/world.ts';
import { run } from './login.ts';

let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'inventory-login-'))));
afterEach(() => rm(home, { recursive: true }));

interface LoginRequest {
  request: string;
  authorization: string | undefined;
}

/** `login`; the server answers with a session, or with the caller of the key. */
async function login(
  args: string[],
  options: Record<string, unknown> = {},
  { env, ...more }: Partial<World> = {},
  fault?: Error,
  replies: Readonly<Record<string, object>> = {},
) {
  let err = '';
  const sent: LoginRequest[] = [];
  const fetch: World['fetch'] = (url, { method, headers }) => {
    const { host, pathname } = new URL(url);
    sent.push({ request: `${method} ${host}${pathname}`, authorization: headers['Authorization'] });
    if (fault !== undefined) return Promise.reject(fault);
    const allReplies: Readonly<Record<string, object>> = {
      'GET /v1/logins': { methods: [{ method: 'password' }] },
      ...replies,
    };
    const reply = allReplies[`${method} ${pathname}`] ?? { key: 'minv_s', expires_at: 'the end' };
    return Promise.resolve(reply instanceof Response ? reply : Response.json(reply));
  };
  const world = quietWorld({
    readInput: () => Promise.resolve('minv_k\n'),
    ...more,
    ...{
      fetch,
      err: (text: string) => (err += text),
      env: { HOME: home, INVENTORY_KEY: 'of another server', INVENTORY_CONTEXT: 'absent', ...env },
    },
  });
  const given = new Options(options);
  await run({
    ...{ name: 'login', args, options: given, world, commands: [], output: new Output(given, world) },
    settings: () => Promise.reject(new Error('not used')),
    connect: () => Promise.reject(new Error('not used')),
  });
  return { sent, err, config: await readConfig(world), credentials: await readCredentials(world) };
}

const asked = (user: string) => ({ ask: (question: string) => Promise.resolve(question === 'User: ' ? user : 'pw') });

test('a key from the standard input is checked, then stored for a context with the name of the server', async () => {
  const { sent, config, credentials, err } = await login(['https://a:8443/'], { keyStdin: true });
  expect(sent).toEqual([{ request: 'GET a:8443/v1/caller', authorization: 'Bearer minv_k' }]);
  expect(config).toEqual({ current: 'a:8443', contexts: { 'a:8443': { url: 'https://a:8443' } } });
  expect(credentials.get('a:8443')).toEqual({ key: 'minv_k', expires_at: 'the end' });
  expect(err).toBe('Logged in to https://a:8443 as context a:8443 until the end.\n');
});

test('without a key on the standard input nothing is stored', async () => {
  const empty = login(['https://a'], { keyStdin: true }, { readInput: () => Promise.resolve('\n') });
  await expect(empty).rejects.toThrow('The standard input is empty, or has a character that no key has.');
  expect(await readConfig(quietWorld({ env: { HOME: home } }))).toEqual({ contexts: {} });
});

test('the key of the environment is never sent: it can be that of another server', async () => {
  const { sent } = await login(['https://a'], {}, asked('ann'));
  expect(sent.map(({ authorization }) => authorization)).toEqual(sent.map(() => undefined));
});

test('admin logs in with Basic, and a user with a body', async () => {
  const ofAdmin = (await login(['https://a'], { user: 'admin' }, asked(''))).sent;
  expect(ofAdmin.at(-1)).toEqual({ request: 'POST a/v1/sessions', authorization: `Basic ${btoa('admin:pw')}` });
  const ofUser = (await login(['https://a'], {}, asked('ann'))).sent;
  expect(ofUser.at(-1)).toEqual({ request: 'POST a/v1/logins', authorization: undefined });
});

test('without a terminal a log-in with a password is refused', async () => {
  await expect(login(['https://a'])).rejects.toMatchObject({ message: expect.stringContaining('--key-stdin') });
});

test('an untrusted certificate ends the log-in before the password, with the remedy', async () => {
  const fault = new Error('self-signed certificate; if the root CA is installed locally, try another option');
  const questions: string[] = [];
  const ask = (question: string) => {
    questions.push(question);
    return Promise.resolve('x');
  };
  for (const options of [{}, { keyStdin: true }]) {
    const error = await login(['https://a'], options, { ask }, fault).catch((reason: unknown) => reason);
    expect([exitOf(error), lineOf(error)]).toEqual([
      'usage',
      'https://a is not trusted: Error: self-signed certificate. Use --ca FILE; of npm start: DATA_DIR/tls-cert.pem.',
    ]);
  }
  expect(questions).toEqual([]);
});

describe('the context', () => {
  let ca: string;
  let stored: Config;
  beforeEach(async () => {
    ca = join(home, 'ca.pem');
    await writeFile(ca, '-----BEGIN CERTIFICATE-----');
    stored = {
      current: 'b',
      contexts: { prod: { url: 'https://a', ca, insecure: true }, b: { url: 'https://b' } },
    };
    await writeConfig(quietWorld({ env: { HOME: home } }), stored);
  });

  test('is the one with the address of the server, whose certificates stay', async () => {
    const { config } = await login(['https://a/'], { keyStdin: true });
    expect(config).toEqual({ ...stored, current: 'prod' });
  });

  test('is the current one without an address, or the named one', async () => {
    expect((await login([], { keyStdin: true })).sent[0]!.request).toBe('GET b/v1/caller');
    const { sent, config } = await login([], { keyStdin: true, context: 'prod' });
    expect([sent[0]!.request, config.current]).toEqual(['GET a/v1/caller', 'prod']);
  });

  test('has the certificates of INVENTORY_CA, which an option precedes', async () => {
    const env = { INVENTORY_CA: ca };
    expect((await login(['https://c'], { keyStdin: true }, { env })).config.contexts['c']).toEqual({
      ...{ url: 'https://c', ca },
    });
    const other = join(home, 'other.pem');
    await writeFile(other, '-----BEGIN CERTIFICATE-----');
    expect((await login(['https://d'], { keyStdin: true, ca: other }, { env })).config.contexts['d']?.ca).toBe(other);
  });

  test('has an absolute path of its certificates: later commands run in other folders', async () => {
    const { config } = await login(['https://c'], { keyStdin: true, ca: relative(process.cwd(), ca) });
    expect(config.contexts['c']?.ca).toBe(ca);
  });

  test('is verified later, although INVENTORY_INSECURE was set during the log-in', async () => {
    const { err, config } = await login(['https://c'], { keyStdin: true }, { env: { INVENTORY_INSECURE: '1' } });
    expect(err).toContain('Warning: the certificate of the server is not verified.');
    expect(config.contexts['c']).toEqual({ url: 'https://c' });
  });

  test('is a new one with a name that no context has', async () => {
    const { config } = await login(['https://a'], { keyStdin: true, context: 'new', ca });
    expect(config).toEqual({
      current: 'new',
      contexts: { ...stored.contexts, new: { url: 'https://a', ca } },
    });
  });
});

test('the address is an option or an argument; the argument has priority', async () => {
  const { config } = await login([], { keyStdin: true, url: 'https://b:8443/' });
  expect(Object.values(config.contexts).map(({ url }) => url)).toEqual(['https://b:8443']);
  const both = await login(['https://c:8443/'], { keyStdin: true, url: 'https://b:8443/' });
  expect(Object.values(both.config.contexts).map(({ url }) => url)).toContain('https://c:8443');
});

test('a current context that no longer exists is no obstacle to a log-in with an address', async () => {
  await writeConfig(quietWorld({ env: { HOME: home } }), { current: 'gone', contexts: {} });
  expect((await login(['https://a'], { keyStdin: true })).config.current).toBe('a');
});

test('a session that has expired is replaced by a log-in', async () => {
  const world = quietWorld({ env: { HOME: home } });
  await writeConfig(world, { current: 'a', contexts: { a: { url: 'https://a' } } });
  await storeCredential(world, 'a', { key: 'minv_old', expires_at: '1969-01-01T00:00:00Z' });
  expect((await login([], { keyStdin: true })).credentials.get('a')?.key).toBe('minv_k');
});

test('where nobody logs in with a password, or with --device, a code is shown in place of questions', async () => {
  const codes = {
    ...{ device_code: 'secret', user_code: 'BCDF-GHJK', interval: 5, expires_in: 600 },
    ...{ verification_uri: '/#/device', verification_uri_complete: '/#/device?user_code=BCDF-GHJK' },
  };
  const byCode = async (options: object, methods: object) => {
    const replies = { 'POST /v1/device-authorizations': codes, 'GET /v1/logins': methods };
    const { err, credentials } = await login(['https://a'], { ...options }, {}, undefined, replies);
    return [err.includes('Open https://a/#/device and enter the code BCDF-GHJK'), credentials.get('a')?.key];
  };
  expect(await byCode({}, { methods: [{ method: 'oidc', provider: 'company' }] })).toEqual([true, 'minv_s']);
  expect(await byCode({ device: true }, { methods: [{ method: 'password' }] })).toEqual([true, 'minv_s']);
});

test('a server that refuses to name the ways to log in has passwords', async () => {
  const old = { 'GET /v1/logins': refusal(403) };
  expect((await login(['https://a'], {}, asked('ann'), undefined, old)).sent.at(-1)?.request).toBe('POST a/v1/logins');
});

test('without any address the log-in says how to give one', async () => {
  await expect(login([], { keyStdin: true })).rejects.toMatchObject({
    ...{ exit: 'usage', message: 'Give the address of the server: inventory login https://...' },
  });
});
