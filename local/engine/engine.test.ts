import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startEngine } from './engine.ts';
import type { Engine } from './engine-type.ts';
import { StartFailure } from '../process/failure.ts';
import { onLinux } from '../../tests/support/on-linux.ts';

const engineModule = new URL('engine.ts', import.meta.url);
const { PATH, DYNOXIDE_BIN } = process.env;

/** The engine of this machine, for scripts around it. */
const realBinary = (() => {
  try {
    const require = createRequire(import.meta.url);
    const packageFile = require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
    return DYNOXIDE_BIN ?? join(dirname(packageFile), 'dynoxide');
  } catch {
    return DYNOXIDE_BIN ?? 'dynoxide';
  }
})();

let home: string;
let started: Engine[];
let children: ChildProcess[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'engine-test-'));
  started = [];
  children = [];
});

afterEach(async () => {
  await Promise.all(started.map((engine) => engine.stop()));
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await eventually(() => children.every((child) => child.exitCode !== null || child.signalCode !== null));
  await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
});

async function start(dataDir?: string, environment: NodeJS.ProcessEnv = {}): Promise<Engine> {
  const engine = await startEngine({ dataDir, environment: { PATH, DYNOXIDE_BIN, ...environment } });
  started.push(engine);
  return engine;
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(StartFailure);
  const { message } = error as StartFailure;
  expect(message).not.toContain('\n');
  return message;
}

async function eventually(condition: () => boolean | Promise<boolean>, milliseconds = 60_000): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${milliseconds} ms: ${String(condition)}`);
    await delay(5);
  }
}

function listens(engine: Pick<Engine, 'endpoint'>): Promise<boolean> {
  const { hostname: host, port } = new URL(engine.endpoint);
  const socket = connect({ host, port: Number(port) });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** Whether a process of the group still runs; zombies do not count. */
async function groupLives(pid: number): Promise<boolean> {
  const ps = spawn('ps', ['-A', '-o', 'pgid=,stat='], { stdio: ['ignore', 'pipe', 'ignore'] });
  const rows = (await ps.stdout.toArray()).join('').split('\n');
  return rows.some((row) => {
    const [group, state] = row.trim().split(/\s+/);
    return Number(group) === pid && !state?.startsWith('Z');
  });
}

async function call(engine: Pick<Engine, 'endpoint'>, operation: string, input: object): Promise<{ Item?: unknown }> {
  const response = await fetch(engine.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization: 'AWS4-HMAC-SHA256 Credential=x/20200101/x/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
      'x-amz-date': '20200101T000000Z',
      connection: 'close',
    },
    body: JSON.stringify(input),
  });
  const reply = (await response.json()) as { Item?: unknown };
  if (!response.ok) throw new Error(JSON.stringify(reply));
  return reply;
}

const addTable = (engine: Pick<Engine, 'endpoint'>) =>
  call(engine, 'CreateTable', {
    TableName: 'things',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
const put = (engine: Pick<Engine, 'endpoint'>, pk: string) =>
  call(engine, 'PutItem', { TableName: 'things', Item: { pk: { S: pk } } });
const has = async (engine: Pick<Engine, 'endpoint'>, pk: string) =>
  (await call(engine, 'GetItem', { TableName: 'things', Key: { pk: { S: pk } } })).Item !== undefined;

async function script(name: string, body: string): Promise<string> {
  const file = join(home, name);
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

/** A server in its own process, which prints the engine's endpoint and pid and then runs until it is killed. */
async function startServer(dataDir: string, before = '', options: { detached?: boolean; quiet?: boolean } = {}) {
  const program = `
    import { startEngine } from ${JSON.stringify(engineModule)};
    ${before}
    const engine = await startEngine({ dataDir: ${JSON.stringify(dataDir)}, environment: process.env });
    console.log(JSON.stringify({ endpoint: engine.endpoint, pid: engine.pid }));
    setInterval(() => {}, 1000);`;
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', options.quiet ? 'ignore' : 'inherit'],
    detached: options.detached,
  });
  children.push(server);
  const lines: string[] = [];
  createInterface(server.stdout).on('line', (line) => lines.push(line));
  await eventually(() => lines.length > 0);
  const engine = JSON.parse(lines[0]!) as { endpoint: string; pid: number };
  return { server, engine, lines };
}

describe('an embedded engine', () => {
  test('takes requests as soon as it is handed over, and is gone when stopped', async () => {
    const engine = await start();
    await addTable(engine);
    await put(engine, 'a');
    expect(await has(engine, 'a')).toBe(true);
    await engine.stop();
    await engine.stop();
    expect(await listens(engine)).toBe(false);
    await eventually(async () => !(await groupLives(engine.pid!)));
  });

  test('keeps its data over a stop, in a folder that only its owner can enter', async () => {
    const dataDir = join(home, 'not', 'there yet');
    const first = await start(dataDir);
    await addTable(first);
    await put(first, 'a');
    await first.stop();
    const second = await start(dataDir);
    expect(await has(second, 'a')).toBe(true);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'inventory.sqlite'))).mode & 0o777).toBe(0o600);
  });

  test('each of many started at once has a port of its own', async () => {
    const engines = await Promise.all(Array.from({ length: 8 }, () => start()));
    expect(new Set(engines.map((engine) => engine.endpoint)).size).toBe(8);
    await Promise.all(engines.map(addTable)); // the second one would be refused if two engines were the same
  });

  test('tries another port when someone else took the one it found', async () => {
    const binary = await script(
      'dynoxide',
      `[ -e ${home}/tried ] && exec ${realBinary} "$@"
       touch ${home}/tried; echo "error: port is already in use" >&2; exit 1`,
    );
    await addTable(await start(undefined, { DYNOXIDE_BIN: binary }));
  });

  test('is reported when it dies by itself, and only then', async () => {
    const [dies, stops] = await Promise.all([start(), start()]);
    const reported: string[] = [];
    void dies.exited.then(() => reported.push('dies'));
    void stops.exited.then(() => reported.push('stops'));
    await stops.stop();
    process.kill(dies.pid!, 'SIGKILL');
    await eventually(() => reported.length > 0);
    await delay(20);
    expect(reported).toEqual(['dies']);
    await eventually(async () => !(await groupLives(dies.pid!)));
  });

  test('that does not heed SIGTERM is stopped all the same', async () => {
    const binary = await script(
      'dynoxide',
      `trap '' TERM; echo "listening on" >&2; ${realBinary} "$@" & while :; do wait; sleep 1; done`,
    );
    const engine = await start(undefined, { DYNOXIDE_BIN: binary });
    await engine.stop();
    await eventually(async () => !(await groupLives(engine.pid!)) && !(await listens(engine)));
  });

  test('is not told the secrets of the server', async () => {
    const binary = await script('dynoxide', `env > ${home}/environment; exec ${realBinary} "$@"`);
    await start(undefined, { DYNOXIDE_BIN: binary, ADMIN_PASSWORD: 'secret' });
    expect(await readFile(join(home, 'environment'), 'utf8')).not.toContain('secret');
  });

  test('that ends at once is refused with its last words', async () => {
    const binary = await script('dynoxide', 'echo first >&2; echo "error: no such luck" >&2; exit 3');
    const message = await refusal(start(undefined, { DYNOXIDE_BIN: binary }));
    expect(message).toContain(binary);
    expect(message).toContain('exit code 3');
    expect(message).toContain('no such luck');
  });

  test('that finds something else in its file is refused, naming the file', async () => {
    await writeFile(join(home, 'inventory.sqlite'), 'not a database '.repeat(100));
    expect(await refusal(start(home))).toContain(join(home, 'inventory.sqlite'));
  });
});

onLinux('nobody who tries the ports of 127.0.0.1 finds the engine, and no two of them have one address', async () => {
  const engines = [await start(), await start()];
  const addresses = engines.map(({ endpoint }) => new URL(endpoint));
  expect(new Set(addresses.map(({ hostname }) => hostname)).size).toBe(2);
  for (const { hostname, port } of addresses) {
    expect(hostname).toMatch(/^127\./);
    expect(hostname).not.toBe('127.0.0.1');
    expect(await listens({ endpoint: `http://127.0.0.1:${port}` })).toBe(false);
    expect(await listens({ endpoint: `http://${hostname}:${port}` })).toBe(true);
  }
});

describe('where the engine comes from', () => {
  test('DYNAMODB_ENDPOINT comes first: that engine is used, nothing is started, and stopping leaves it alone', async () => {
    const theirs = await start();
    const engine = await start(join(home, 'unused'), {
      DYNAMODB_ENDPOINT: `${theirs.endpoint}/`,
      DYNOXIDE_BIN: join(home, 'missing'),
    });
    expect(engine.endpoint).toBe(theirs.endpoint);
    expect(engine.pid).toBeUndefined();
    await engine.stop();
    expect(await listens(theirs)).toBe(true);
    await expect(stat(join(home, 'unused'))).rejects.toThrow('ENOENT');
  });

  test('a DYNAMODB_ENDPOINT that is no URL, or where nothing answers, is refused naming the variable', async () => {
    for (const endpoint of ['localhost:8000', 'ftp://127.0.0.1', ' ']) {
      expect(await refusal(start(undefined, { DYNAMODB_ENDPOINT: endpoint }))).toContain('DYNAMODB_ENDPOINT');
    }
    const gone = await start();
    await gone.stop();
    const message = await refusal(start(undefined, { DYNAMODB_ENDPOINT: gone.endpoint }));
    expect(message).toContain(`DYNAMODB_ENDPOINT ${gone.endpoint}`);
  });

  test('DYNOXIDE_BIN comes before the package', async () => {
    const binary = await script('other-name', `touch ${home}/used; exec ${realBinary} "$@"`);
    await addTable(await start(undefined, { DYNOXIDE_BIN: binary }));
    await stat(join(home, 'used'));
  });

  test('a DYNOXIDE_BIN that is missing, not executable or a folder is refused, naming it', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    for (const binary of [join(home, 'missing'), file, home]) {
      expect(await refusal(start(undefined, { DYNOXIDE_BIN: binary }))).toContain(`DYNOXIDE_BIN is ${binary},`);
    }
  });

  test('without the package dynoxide on the PATH is used, and without that the refusal says how to get it', async () => {
    const elsewhere = join(home, 'elsewhere'); // without node_modules
    const bin = join(home, 'bin');
    await Promise.all([mkdir(elsewhere), mkdir(bin)]);
    for (const room of ['engine', 'process'])
      await cp(new URL(`../${room}`, import.meta.url), join(elsewhere, room), { recursive: true });
    await writeFile(join(elsewhere, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(elsewhere, 'try.ts'),
      `import { startEngine } from './engine/engine.ts';
       const engine = await startEngine({ environment: process.env }).catch((error) => error);
       console.log(engine.message ?? engine.endpoint);
       await engine.stop?.();`,
    );
    const attempt = async () => {
      const env = { ...process.env, PATH: `${bin}:` };
      const child = spawn(process.execPath, [join(elsewhere, 'try.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      return (await child.stdout.toArray()).join('');
    };
    const message = await attempt();
    expect(message).toContain(`No DynamoDB engine found for ${process.platform}-${process.arch}`);
    for (const way of ['DYNOXIDE_BIN', 'DYNAMODB_ENDPOINT']) expect(message).toContain(way);
    await script('bin/dynoxide', `exec ${realBinary} "$@"`);
    expect(await attempt()).toMatch(/^http:\/\/127(\.\d+){3}:\d+\n$/);
  });
});

describe('the data folder', () => {
  test('is refused to a second server, naming folder and process, until the first one stops', async () => {
    const first = await start(home);
    const message = await refusal(start(home));
    expect(message).toContain(`${home} is in use by another server (process ${process.pid})`);
    await addTable(first);
    await first.stop();
    await start(home);
  });

  test('is refused to a server in another process', async () => {
    const { server } = await startServer(home);
    expect(await refusal(start(home))).toContain(`(process ${server.pid!})`);
  });

  test('is given to exactly one of many servers that start at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => start(home)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test('is given free when the engine does not start', async () => {
    const binary = await script('dynoxide', 'exit 1');
    await refusal(start(join(home, 'data'), { DYNOXIDE_BIN: binary }));
    await start(join(home, 'data'));
  });

  test('is refused while a strange process has the database open', async () => {
    const file = join(home, 'inventory.sqlite');
    const strange = spawn(realBinary, ['--host', '127.0.0.1', '--port', '0', '--db-path', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(strange);
    await once(strange.stderr, 'data');
    expect(await refusal(start(home))).toContain(`has opened ${file}`);
    strange.kill('SIGKILL');
    await once(strange, 'exit');
    await start(home);
  });

  test('that cannot be made, or is a file, is refused, naming it and DATA_DIR', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    const nowhere = join(home, 'link to nowhere');
    await symlink(join(home, 'nowhere'), nowhere);
    for (const dataDir of [file, join(file, 'below', 'it'), nowhere, join(nowhere, 'below'), '/proc/nowhere/below']) {
      const message = await refusal(start(dataDir));
      expect(message).toContain(dataDir);
      expect(message).toContain('DATA_DIR');
    }
  });
});

describe('when the server is killed', () => {
  test('SIGKILL leaves no process and no open port behind, and the next server finds everything acknowledged', async () => {
    const { server, engine } = await startServer(home);
    await addTable(engine);
    for (const pk of ['a', 'b', 'c']) await put(engine, pk);
    server.kill('SIGKILL');
    const next = await start(home); // at once, while the previous engine may still run
    expect(await listens(engine)).toBe(false);
    await eventually(async () => !(await groupLives(engine.pid)));
    for (const pk of ['a', 'b', 'c']) expect(await has(next, pk)).toBe(true);
  });

  test('SIGKILL ends also an engine that is suspended, and one that a script starts', async () => {
    const around = await script('dynoxide', `${realBinary} "$@"; exit 1`);
    for (const binary of [realBinary, around]) {
      const { server, engine } = await startServer(home, `process.env.DYNOXIDE_BIN = ${JSON.stringify(binary)};`);
      process.kill(engine.pid, 'SIGSTOP');
      server.kill('SIGKILL');
      // A killed process may hold its port for a moment, while its threads end.
      await eventually(async () => !(await groupLives(engine.pid)) && !(await listens(engine)));
    }
  });

  test('process.exit and an uncaught error end the engine too', async () => {
    for (const ending of ['process.exit(0)', 'throw new Error("expected by a test")']) {
      const { server, engine } = await startServer(home, `process.once('SIGUSR2', () => { ${ending} });`, {
        quiet: true,
      });
      server.kill('SIGUSR2');
      await eventually(async () => !(await groupLives(engine.pid)));
    }
  });

  test('Ctrl-C reaches the server only, which can still finish what it does', async () => {
    const { server, engine, lines } = await startServer(
      home,
      `process.on('SIGINT', () => console.log('interrupted'));`,
      {
        detached: true,
      },
    );
    process.kill(-server.pid!, 'SIGINT'); // as a terminal does: for the whole foreground group
    await eventually(() => lines.includes('interrupted'));
    await addTable(engine);
  });

  test('nothing of the engine appears in what the server prints', async () => {
    const { server, engine, lines } = await startServer(home);
    await addTable(engine);
    process.kill(engine.pid, 'SIGTERM');
    await eventually(async () => !(await listens(engine)));
    server.kill('SIGKILL');
    await once(server, 'close');
    expect(lines).toHaveLength(1);
  });
});
