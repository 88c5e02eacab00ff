import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietWorld } from '../../../../tests/support/command-call.ts';
import { getNode } from '../../../typescript/src/generated/operations.ts';
import type { HttpRequest } from '../../../typescript/src/options.ts';
import { type Config, storeCredential, writeConfig } from './config.ts';
import { Options } from '../core/options.ts';
import { addressOf, clientOf, contextIn, settingsOf } from './settings.ts';
import type { World } from '../core/world.ts';

let home: string;
beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'inventory-settings-'))));
afterEach(() => rm(home, { recursive: true }));

const worldWith = (env: World['env'] = {}, more: Partial<World> = {}) =>
  quietWorld({ ...more, env: { HOME: home, ...env } });

const settings = (options: Record<string, unknown> = {}, env: World['env'] = {}) =>
  settingsOf(new Options(options), worldWith(env));

const config: Config = {
  current: 'here',
  contexts: {
    here: { url: 'https://here/', ca: '/here.pem', key_file: '/here.key' },
    there: { url: 'https://there', insecure: true },
  },
};

test.each([
  ['https://a', 'https://a'],
  ['http://a:8443/base/', 'http://a:8443/base'],
  ['https://a//', 'https://a'],
  ['HTTPS://LOCALHOST:8443/Base', 'https://localhost:8443/Base'],
  [' https://a\n', 'https://a'],
  ['https://a/v1', 'https://a'],
  ['https://a/base/v1/', 'https://a/base'],
  ['https://a/v10', 'https://a/v10'],
  ['https://x.execute-api.eu-west-1.amazonaws.com/v1', 'https://x.execute-api.eu-west-1.amazonaws.com/v1'],
])('%s is the address %s', (text, address) => expect(addressOf(text)).toBe(address));

test.each(['a', 'ftp://a', 'https://', 'https://a?b', 'https://a#b', 'https://u:p@a', 'https://a b', 'http://a:x'])(
  '%j is no address',
  (text) => {
    const message = 'INVENTORY_URL must be such as https://inventory.example.';
    const error = expect.objectContaining({ status: 'FAILED_PRECONDITION', http: 0, message });
    expect(() => addressOf(text, 'INVENTORY_URL')).toThrow(error);
  },
);

test('a context is the named one or the current one; an unknown one is refused with the names that exist', () => {
  expect(contextIn(config, undefined)?.[0]).toBe('here');
  expect(contextIn(config, 'there')?.[0]).toBe('there');
  expect(contextIn({ contexts: {} }, undefined)).toBeUndefined();
  expect(() => contextIn(config, 'none')).toThrow('There is no context none. There are: here, there.');
  expect(() => contextIn({ contexts: {} }, 'none')).toThrow('Run inventory login.');
  expect(() => contextIn(config, 'constructor')).toThrow('There is no context constructor.');
});

describe('the settings', () => {
  beforeEach(() => writeConfig(worldWith(), config));

  test('are those of the option, then of the environment, then of the current context', async () => {
    const env = { INVENTORY_URL: 'https://env', INVENTORY_CA: '/env.pem' };
    expect(await settings({ url: 'https://option', ca: '/option.pem' }, env)).toMatchObject({
      ...{ url: 'https://option', ca: '/option.pem', context: undefined },
    });
    expect(await settings({}, env)).toMatchObject({ url: 'https://env', ca: '/env.pem', context: undefined });
    expect(await settings()).toMatchObject({ url: 'https://here', ca: '/here.pem', context: 'here', insecure: false });
  });

  test('have nothing of a variable that is empty', async () => {
    const names = ['INVENTORY_URL', 'INVENTORY_CONTEXT', 'INVENTORY_KEY', 'INVENTORY_KEY_FILE', 'INVENTORY_CA'];
    expect(await settings({}, Object.fromEntries(names.map((name) => [name, ''])))).toMatchObject({
      ...{ url: 'https://here', ca: '/here.pem', context: 'here', keyFile: '/here.key' },
    });
  });

  test('of a context that is chosen by an option leave the environment out', async () => {
    const env = {
      INVENTORY_URL: 'https://env',
      INVENTORY_KEY: 'k',
      INVENTORY_CONTEXT: 'here',
      INVENTORY_INSECURE: '1',
    };
    expect(await settings({ context: 'there' }, env)).toMatchObject({ url: 'https://there', context: 'there' });
    expect((await settings({ context: 'there' }, env)).key).toBeUndefined();
    expect(await settings({ context: 'here' }, env)).toMatchObject({ url: 'https://here', insecure: false });
    expect((await settings({}, { INVENTORY_CONTEXT: 'there' })).url).toBe('https://there');
  });

  test('of a context have its key for its address only', async () => {
    expect((await settings()).keyFile).toBe('/here.key');
    expect((await settings({ url: 'https://here' })).keyFile).toBe('/here.key');
    const other = await settings({ url: 'https://other' });
    expect([other.key, other.keyFile, other.ca]).toEqual([undefined, undefined, undefined]);
  });

  test('have the key of the file option before INVENTORY_KEY, and that before INVENTORY_KEY_FILE', async () => {
    const env = { INVENTORY_URL: 'https://env', INVENTORY_KEY: ' k\n', INVENTORY_KEY_FILE: '/env.key' };
    expect(await settings({ keyFile: '/option.key' }, env)).toMatchObject({ keyFile: '/option.key' });
    expect(await settings({}, env)).toMatchObject({ key: 'k', keySource: 'INVENTORY_KEY', keyFile: undefined });
    expect(await settings({}, { ...env, INVENTORY_KEY: '' })).toMatchObject({ keyFile: '/env.key' });
  });

  test('name the source of an invalid address', async () => {
    const messageOf = (options: Record<string, unknown>, env: World['env']) =>
      settings(options, env).catch((error: unknown) => String(error));
    expect(await messageOf({ url: 'a' }, { INVENTORY_URL: 'https://b' })).toContain('--url must be');
    expect(await messageOf({}, { INVENTORY_URL: 'a' })).toContain('INVENTORY_URL must be');
    await writeConfig(worldWith(), { current: 'old', contexts: { old: { url: 'a' } } });
    expect(await messageOf({}, {})).toContain('The url of the context old must be');
  });

  test.each([['minv_k\r\n'], ['\ufeffminv_k\n']])('have the key of %j without surrounding text', async (text) => {
    const path = join(home, 'key');
    await writeFile(path, text);
    const read = (await settings({ keyFile: path })).key as () => Promise<string>;
    expect(await read()).toBe('minv_k');
    expect((await settings({}, { INVENTORY_KEY: text })).key).toBe('minv_k');
  });

  test('refuse a text that is no key, with its place and without the text', async () => {
    const path = join(home, 'key');
    for (const text of ['minv_k\nminv_l', 'minv_k minv_l', '', '\n']) {
      await writeFile(path, text);
      const read = (await settings({ keyFile: path })).key as () => Promise<string>;
      const message = await read().catch((error: unknown) => String(error));
      expect(message).toContain(`${path} is empty, or has a character that no key has.`);
      expect(message).not.toContain('minv');
    }
    await writeFile(path, Buffer.from('minv_k', 'utf16le'));
    await expect(((await settings({ keyFile: path })).key as () => Promise<string>)()).rejects.toThrow('no key has');
    await expect(settings({}, { INVENTORY_KEY: 'minv_k minv_l' })).rejects.toThrow('INVENTORY_KEY is empty, or has');
    await writeConfig(worldWith(), {
      current: 'c',
      contexts: { c: { url: 'https://c', key_command: 'echo minv_k minv_l' } },
    });
    const printed = (await settings()).key as () => Promise<string>;
    await expect(printed()).rejects.toThrow('The output of the key_command is empty, or has');
  });

  test.each(['exit 1', 'true', 'echo minv_k; exit 1'])('have no key of a key_command `%s`', async (command) => {
    await writeConfig(worldWith(), { current: 'c', contexts: { c: { url: 'https://c', key_command: command } } });
    await expect(((await settings()).key as () => Promise<string>)()).rejects.toMatchObject({
      ...{ exit: 'denied', message: 'The key_command of the context failed or printed nothing.' },
    });
  });

  test('read a key file for each request, and say which one is absent', async () => {
    const path = join(home, 'key');
    const { key } = await settings({ keyFile: path });
    const read = key as () => Promise<string>;
    await expect(read()).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining(path) });
    await writeFile(path, 'first');
    expect(await read()).toBe('first');
    await writeFile(path, 'second');
    expect(await read()).toBe('second');
  });

  test('have the session of a log-in until it ends', async () => {
    const stored = (key: string, seconds: number) =>
      storeCredential(worldWith(), 'there', { key, expires_at: new Date(seconds * 1000).toISOString() });
    expect(await settings({ context: 'there' })).toMatchObject({ keySource: 'run inventory login --context there' });
    await stored('k', 60);
    expect(await settings({ context: 'there' })).toMatchObject({ key: 'k', keySource: 'inventory login' });
    await stored('k', -60);
    await expect(settings({ context: 'there' })).rejects.toMatchObject({ exit: 'denied' });
  });

  test('verify the certificate unless the option, the environment or the context says otherwise', async () => {
    const isInsecure = async (options: Record<string, unknown>, env: World['env'] = {}) =>
      (await settings({ url: 'https://x', ...options }, env)).insecure;
    expect(await isInsecure({})).toBe(false);
    expect(await isInsecure({ insecure: true })).toBe(true);
    for (const value of ['1', 'true']) expect(await isInsecure({}, { INVENTORY_INSECURE: value })).toBe(true);
    for (const value of ['0', '', 'false', '11'])
      expect(await isInsecure({}, { INVENTORY_INSECURE: value })).toBe(false);
    expect((await settings({ context: 'there' })).insecure).toBe(true);
  });

  test('limit a request to 30 seconds, or to --timeout', async () => {
    expect((await settings()).timeout).toBe(30_000);
    expect((await settings({ timeout: '2m' })).timeout).toBe(120_000);
  });
});

test('without a server, the reason says how to name one', async () => {
  await expect(settings()).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining('INVENTORY_URL') });
  expect(await settings({ url: 'https://a' })).toMatchObject({
    key: undefined,
    keySource: 'set INVENTORY_KEY or INVENTORY_KEY_FILE, or run inventory login',
  });
});

describe('the client', () => {
  test('refuses a file without a certificate, and names it', async () => {
    const path = join(home, 'ca.pem');
    await writeFile(path, 'no certificate');
    const refused = clientOf(await settings({ url: 'https://a', ca: path }), new Options({}), worldWith());
    await expect(refused).rejects.toMatchObject({ exit: 'usage', message: `${path} contains no certificate in PEM.` });
  });

  test('sends requests over the network by itself', async () => {
    const server = createServer((_, response) => response.end('{"node_id":"n"}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const client = await clientOf({ ...(await settings({ url })), key: 'k' }, new Options({}), worldWith());
      expect(await getNode(client, { node_id: 'n' })).toMatchObject({ node_id: 'n' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  /** What a request with these options prints. */
  async function printed(options: Record<string, unknown>, given: object = {}, headers: Record<string, string> = {}) {
    let err = '';
    const sent: HttpRequest[] = [];
    const fetch: World['fetch'] = (_, request) => {
      sent.push(request);
      return Promise.resolve(Response.json({}, { headers }));
    };
    const world = worldWith({}, { fetch, err: (text) => (err += text) });
    const all = { ...(await settings({ url: 'https://a' })), key: 'secret', ...given };
    await getNode(await clientOf(all, new Options(options), world), { node_id: 'n' });
    return { err, sent };
  }

  test('warns that a certificate is not verified, and that an operation ends; with --quiet it does not', async () => {
    const sunset = { Deprecation: 'true', Sunset: 'Sat, 01 May 2027 00:00:00 GMT' };
    const { err } = await printed({}, { insecure: true }, sunset);
    expect(err).toBe(
      'Warning: the certificate of the server is not verified.\nWarning: getNode ends on Sat, 01 May 2027 00:00:00 GMT.\n',
    );
    expect((await printed({ quiet: true }, { insecure: true }, sunset)).err).toBe('');
    expect((await printed({})).err).toBe('');
  });

  test('prints requests without their key with --debug', async () => {
    const { err, sent } = await printed({ debug: true }, {}, { 'X-Request-Id': 'r' });
    expect(err).toBe('GET https://a/v1/nodes/n 200 r\n');
    expect((await printed({ debug: true })).err).toBe('GET https://a/v1/nodes/n 200 \n');
    expect(sent[0]?.headers).toMatchObject({ Authorization: 'Bearer secret', 'User-Agent': 'inventory-cli' });
  });
});
