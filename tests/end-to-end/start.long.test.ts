import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { delimiter, join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { describeInFull, testInFull } from '../../shared/testing/extent.ts';
import {
  type FailedStart,
  type RunningServer,
  serverEnvironment,
  START,
  type StartOptions,
} from '../support/server.ts';
import { PASSWORD, basic, bearer, bodyOf, clientOf, makeKeys, repeatWhileBusy } from './client.ts';
import { eventually } from './processes.ts';
import { openConnection } from './raw-request.ts';
import { startedServers } from './started-servers.ts';
import { onLinux } from '../support/on-linux.ts';

const run = promisify(execFile);

const { home, start, stop } = startedServers();

const canLogIn = async (server: RunningServer, password: string) => {
  const client = clientOf(server, basic('admin', password));
  return (await repeatWhileBusy(() => client('GET', '/v1/caller'))).status === 200;
};

/** The five lines that a start prints, the account's as given. */
const lines = (base: string, account: string) =>
  [
    `Base URL     ${base}`,
    `API browser  ${base}/swagger/`,
    `Console      ${base}/`,
    `Admin user   ${account}`,
    `Try          curl -k ${base}/v1/readyz`,
    '',
  ].join('\n');

const RESET = 'reset: npm start -- --reset-password';
const passwordIn = (server: RunningServer) => /password (\S+) \(shown only once/.exec(server.stdout())?.[1] ?? '';

/** The line to try, run as it was printed. */
async function tryIt(server: RunningServer): Promise<string> {
  const line = /^Try +(.*)$/m.exec(server.stdout())?.[1] ?? '';
  const { stdout } = await run('/bin/sh', ['-c', `${line} --silent --write-out ' %{http_code}'`]);
  return stdout;
}

function fingerprintOf(server: RunningServer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('the first start', () => {
  test('prints exactly five lines in order: the password, and a working line to try', async () => {
    const server = await start();
    const password = passwordIn(server);
    expect(password).toMatch(/^[0-9A-Za-z]{24}$/);
    const expected = lines(server.base, `admin, password ${password} (shown only once; ${RESET})`);
    expect(server.output()).toBe(expected);
    expect(server.base).toBe(`https://localhost:${server.port}`);

    expect(await tryIt(server)).toBe('{} 200');
    expect(await canLogIn(server, password)).toBe(true);
    const browser = await clientOf(server)('GET', '/swagger/');
    expect(browser).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    for (const path of ['/v1/nodes', '/v1/nothing', '/nothing']) await clientOf(server, bearer('x'))('GET', path);
    expect(await stop(server)).toBe(0);
    expect(server.output()).toBe(expected);
  });

  test('with ADMIN_PASSWORD sets it, and never prints it', async () => {
    const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
    expect(await canLogIn(server, PASSWORD)).toBe(true);
    await stop(server);
    expect(server.output()).toBe(lines(server.base, `admin, password as in ADMIN_PASSWORD (${RESET})`));
    expect(server.output()).not.toContain(PASSWORD);
  });

  testInFull('with a short ADMIN_PASSWORD warns, and takes it as long as only this machine reaches it', async () => {
    const server = await start({ environment: { ADMIN_PASSWORD: 'elevenchars', HOST: 'localhost' } });
    expect(server.stderr()).toMatch(/^ADMIN_PASSWORD has fewer than 12 characters[^\n]+\n$/);
    expect(server.stderr()).not.toContain('elevenchars');
    expect(await canLogIn(server, 'elevenchars')).toBe(true);
  });

  testInFull('that fails on a port in use does not lose the password: the next one shows it', async () => {
    const taken = await occupiedPort();
    await expect(start({ environment: { PORT: String(taken.port) } })).rejects.toThrow('in use');
    taken.server.close();
    const server = await start();
    expect(await canLogIn(server, passwordIn(server))).toBe(true);
  });
});

describeInFull('a later start', () => {
  test('a later start prints no password, and keeps account, keys and certificate', async () => {
    const first = await start();
    const password = passwordIn(first);
    const key = bodyOf(await clientOf(first, basic('admin', password))('POST', '/v1/sessions'), 201).key;
    const fingerprint = await fingerprintOf(first);
    await stop(first);

    const second = await start({ environment: { ADMIN_PASSWORD: 'quite another one' } });
    expect(second.output()).toBe(lines(second.base, `admin (${RESET})`));
    expect(await tryIt(second)).toBe('{} 200');
    expect(await fingerprintOf(second)).toBe(fingerprint);
    expect(await clientOf(second, bearer(key))('GET', '/v1/nodes')).toMatchObject({ status: 200 });
    expect(await Promise.all([password, 'quite another one'].map((secret) => canLogIn(second, secret)))).toEqual([
      true,
      false,
    ]);
  });

  test('--reset-password sets a new password, random or given, and keeps the keys', async () => {
    const first = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
    const { keys } = await makeKeys(first);
    await stop(first);

    const second = await start({ args: ['--reset-password'] });
    const random = passwordIn(second);
    expect(second.output()).toBe(lines(second.base, `admin, password ${random} (shown only once; ${RESET})`));
    expect(await Promise.all([PASSWORD, random].map((secret) => canLogIn(second, secret)))).toEqual([false, true]);
    await stop(second);

    const third = await start({ args: ['--reset-password'], environment: { ADMIN_PASSWORD: 'given as a setting' } });
    expect(third.output()).toBe(lines(third.base, `admin, password as in ADMIN_PASSWORD (${RESET})`));
    expect(await Promise.all([random, 'given as a setting'].map((secret) => canLogIn(third, secret)))).toEqual([
      false,
      true,
    ]);
    expect(await clientOf(third, bearer(keys.Admin))('GET', '/v1/api-keys')).toMatchObject({ status: 200 });
  });
});

/** A port of the loopback interface that something listens on. */
async function occupiedPort(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as { port: number }).port, server };
}

describeInFull('settings', () => {
  test('PORT is the port', async () => {
    const { port, server: other } = await occupiedPort();
    other.close();
    await once(other, 'close');
    const server = await start({ environment: { PORT: String(port), ADMIN_PASSWORD: PASSWORD } });
    expect(server.base).toBe(`https://localhost:${port}`);
    expect(await tryIt(server)).toBe('{} 200');
  });

  onLinux('HOST is the only address that it listens on, and the one that it prints', async () => {
    const server = await start({ environment: { HOST: '127.0.0.2', ADMIN_PASSWORD: PASSWORD } });
    expect(server.base).toBe(`https://127.0.0.2:${server.port}`);
    expect(await tryIt(server)).toBe('{} 200');
    await expect(openConnection(server.port)).rejects.toThrow('ECONNREFUSED');
  });

  onLinux(
    'an empty HOST is none: it listens on 127.0.0.1 alone, and never on every address of the machine',
    async () => {
      const server = await start({ environment: { HOST: '', ADMIN_PASSWORD: PASSWORD } });
      expect(server.base).toBe(`https://localhost:${server.port}`);
      expect(await tryIt(server)).toBe('{} 200');
      const elsewhere = clientOf({ base: `https://127.0.0.2:${server.port}` });
      await expect(elsewhere('GET', '/v1/readyz')).rejects.toThrow('ECONNREFUSED');
    },
  );

  test('DATA_DIR is made if absent, with secrets readable by its owner only', async () => {
    const dataDir = join(home(), 'not', 'there yet');
    await start({ dataDir, environment: { ADMIN_PASSWORD: PASSWORD } });
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const secret = (await readdir(dataDir)).filter((name) => /sqlite|key/.test(name));
    expect(secret).toEqual(expect.arrayContaining(['inventory.sqlite', 'tls-key.pem']));
    for (const name of secret) expect([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0]);
  });

  test('without DATA_DIR, or with an empty one, the data is in .data of the working folder', async () => {
    for (const DATA_DIR of [undefined, '']) {
      await stop(await start({ environment: { DATA_DIR, ADMIN_PASSWORD: PASSWORD }, cwd: home() }));
      expect(await readdir(home())).toEqual(['.data']);
    }
  });
});

describeInFull('a start that cannot be', () => {
  /** What is set, and what the one line must say. */
  const failures: Record<
    string,
    () => Promise<{ environment?: StartOptions['environment']; args?: string[]; says: string[] }>
  > = {
    'a port in use': async () => {
      const { port, server } = await occupiedPort();
      server.unref();
      return { environment: { PORT: String(port) }, says: [`Port ${port} is in use`, 'PORT='] };
    },
    'a port that is no number': async () => Promise.resolve({ environment: { PORT: '84x3' }, says: ['PORT must be'] }),
    'an interval that is no number': async () =>
      Promise.resolve({ environment: { CLEANUP_MINUTES: '1h' }, says: ['CLEANUP_MINUTES must be'] }),
    'a number of partitions of changes that is too small': async () =>
      Promise.resolve({ environment: { CHANGE_SHARDS: '3' }, says: ['CHANGE_SHARDS must be', '4 to 36'] }),
    'fewer partitions of changes than before': async () => {
      const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD, CHANGE_SHARDS: '8' } });
      await stop(server);
      const environment = { DATA_DIR: server.dataDir, CHANGE_SHARDS: '6' };
      return { environment, says: ['CHANGE_SHARDS', 'fewer than the 8', 'Set 8 or more'] };
    },
    'another use of the account admin': async () =>
      Promise.resolve({ environment: { ADMIN_ACCOUNT: 'off' }, says: ['ADMIN_ACCOUNT must be enabled or emergency'] }),
    'a disabled account admin without another Admin': async () =>
      Promise.resolve({
        environment: { ADMIN_ACCOUNT: 'disabled' },
        says: ['ADMIN_ACCOUNT: ', 'nobody else is an Admin'],
      }),
    'a port that is too high': async () => Promise.resolve({ environment: { PORT: '65536' }, says: ['PORT must be'] }),
    'an address that this machine does not have': async () =>
      Promise.resolve({ environment: { HOST: '192.0.2.1' }, says: ['192.0.2.1', 'HOST'] }),
    'a data folder that is a file': async () => {
      const file = join(home(), 'file');
      await writeFile(file, '');
      return { environment: { DATA_DIR: file }, says: [file, 'DATA_DIR'] };
    },
    'a data folder below a file': async () => {
      const file = join(home(), 'file');
      await writeFile(file, '');
      return { environment: { DATA_DIR: join(file, 'below') }, says: [join(file, 'below'), 'DATA_DIR'] };
    },
    'a data folder that another server uses': async () => {
      const { dataDir, pid } = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
      return { environment: { DATA_DIR: dataDir }, says: [dataDir, `process ${pid}`, 'DATA_DIR'] };
    },
    'an engine that does not answer': async () => {
      const { port, server } = await occupiedPort();
      server.close();
      return { environment: { DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` }, says: ['DYNAMODB_ENDPOINT'] };
    },
    'a password that nobody could send': async () =>
      Promise.resolve({ environment: { ADMIN_PASSWORD: 'hid\tden' }, says: ['ADMIN_PASSWORD'] }),
    'a short password where others can reach it': async () =>
      Promise.resolve({
        environment: { ADMIN_PASSWORD: 'elevenchars', HOST: '0.0.0.0' },
        says: ['ADMIN_PASSWORD', '12 characters', 'HOST 0.0.0.0'],
      }),
    'an option that there is not': async () =>
      Promise.resolve({ args: ['--reset-pasword'], says: ['--reset-pasword', '--reset-password'] }),
    'a word too many': async () => Promise.resolve({ args: ['reset-password'], says: ['reset-password'] }),
  };

  const all = Object.entries(failures);
  test.each(all)('%s: one line with the remedy, exit code 1, and no files', async (_name, prepare) => {
    const { environment, args = [], says } = await prepare();
    const failed: FailedStart = await start({
      dataDir: join(home(), 'other'),
      environment: environment ?? {},
      args,
    }).then(
      async (server) => {
        await server.stop('SIGKILL');
        throw new Error(`it started: ${server.output()}`);
      },
      (error: unknown) => error as FailedStart,
    );
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^[^\n]+\n$/);
    for (const words of says) expect(failed.stderr).toContain(words);
    expect(failed.stderr).not.toMatch(/\bat \S+:\d+|Error:|node:internal|hid\tden|elevenchars/);
    await eventually(async () => !(await engineUses(join(home(), 'other'))));
  });

  /** Whether an engine has its database in this folder. */
  async function engineUses(folder: string): Promise<boolean> {
    const { stdout } = await run('ps', ['-A', '-ww', '-o', 'args=']);
    return stdout.split('\n').some((line) => line.includes('--db-path') && line.includes(folder));
  }
});

describe('an old Node', () => {
  /** The first Node on the PATH that is too old, if there is one. */
  async function findOldNode(): Promise<string | undefined> {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const node = join(folder, 'node');
      const version = await run(node, ['--version']).then(
        ({ stdout }) => stdout,
        () => '',
      );
      const major = Number(/^v(\d+)\./.exec(version)?.[1] ?? NaN);
      if (major < 24) return node;
    }
    return undefined;
  }

  async function refusalBy(node: string, args: string[]): Promise<FailedStart & { code: number }> {
    return run(node, [...args, START], { env: serverEnvironment(join(home(), 'data')) }).then(
      () => Promise.reject(new Error('it started')),
      (error: unknown) => error as FailedStart & { code: number },
    );
  }

  function expectOneLine(refusal: FailedStart & { code: number }): void {
    expect(refusal).toMatchObject({ code: 1, stdout: '' });
    expect(refusal.stderr).toMatch(/^Node 24\.15 or newer is required, but this is Node [^\n]+\n$/);
  }

  test('is refused with one line before anything else', async () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.19.0' } })";
    const refusal = await refusalBy(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(pretend)}`,
    ]);
    expectOneLine(refusal);
    await expect(stat(join(home(), 'data'))).rejects.toThrow('ENOENT');
  });

  test('of this machine, if present, is refused the same way', async () => {
    const old = await findOldNode();
    if (old !== undefined) expectOneLine(await refusalBy(old, []));
  });
});
