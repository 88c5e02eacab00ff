/** The table stalls for 4 s, twice, while the command line changes some thousand nodes: all of them are done, and none is said to have failed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { inFull } from '../../shared/testing/extent.ts';
import { type EndedProcess, start } from '../cli/processes.ts';
import { fetchDynamoDBLocal, startDynamoDBLocal } from '../dynamodb-local/engine.ts';
import { bearer, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { startEngineProcess } from '../support/engine-process.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const NODES = inFull(3333, 500);
const STALL_MS = 4000;

const program = fileURLToPath(new URL('../../clients/cli/src/main.ts', import.meta.url));

interface Stallable {
  /** Undefined: the server's own. */
  endpoint?: string;
  /** The process that stops. Undefined: the server, with its engine. */
  pid?: number;
  stop: () => Promise<unknown>;
}

const engines: Record<string, () => Promise<Stallable>> = {
  'the embedded engine': () => Promise.resolve({ stop: () => Promise.resolve() }),
  'the embedded engine in another process': () => startEngineProcess(),
  'DynamoDB Local': async () => {
    await fetchDynamoDBLocal();
    return startDynamoDBLocal();
  },
};

describe.each(Object.keys(engines))('%s', (name) => {
  let engine: Stallable;
  let server: RunningServer;
  let client: Client;
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    engine = await engines[name]!();
    const environment = { ADMIN_PASSWORD: PASSWORD, DYNAMODB_ENDPOINT: engine.endpoint };
    server = await startServer(await newDataDir(), { environment });
    const { keys } = await makeKeys(server);
    client = clientOf(server, bearer(keys.Editor));
    folder = await mkdtemp(join(server.dataDir, 'cli-'));
    env = {
      HOME: folder,
      INVENTORY_URL: server.base,
      INVENTORY_KEY: keys.Editor,
      INVENTORY_CA: join(server.dataDir, 'tls-cert.pem'),
    };
  }, 300_000);
  afterAll(async () => {
    await server.stop();
    await engine.stop();
    await rm(folder, { recursive: true });
    await removeDataDir(server.dataDir);
  });

  const begin = (...args: string[]) => start(process.execPath, [program, ...args], { env, cwd: folder });

  const fileOf = async (region: string) => {
    const nodes = Array.from({ length: NODES }, (_, number) => ({
      ...{ node_type: 'generic', node_name: `full-${number}`, address: `full-${number}.example`, region },
      custom_labels: { fleet: 'full' },
    }));
    await writeFile(join(folder, `${region}.json`), JSON.stringify({ scope: { selector: 'fleet=full' }, nodes }));
    return `${region}.json`;
  };

  /** Resolves when a node has this region, or when one of the commands has ended, which may have failed. */
  async function untilChanged(region: string, commands: readonly { ended: Promise<unknown> }[]): Promise<void> {
    const running = { isOver: false };
    for (const { ended } of commands) void ended.then(() => (running.isOver = true));
    while (!running.isOver) {
      const { body } = await client('GET', `/v1/nodes?selector=${encodeURIComponent(`region=${region}`)}&page_size=1`);
      if (body.nodes?.length > 0) return;
      await delay(20);
    }
  }

  async function stall(): Promise<void> {
    const pid = engine.pid ?? server.pid;
    process.kill(pid, 'SIGSTOP');
    await delay(STALL_MS);
    process.kill(pid, 'SIGCONT');
  }

  /** A failed test shows what the command said. */
  const expectSuccess = ({ code, out, err }: EndedProcess) =>
    expect([code, code === 0 ? '' : `${out}${err}`.slice(-2000)]).toEqual([0, '']);

  async function expectNothingToDo(file: string): Promise<void> {
    const { out } = await begin('plan', '-f', file).ended;
    expect(out).toContain(`0 to change, 0 to remove, ${NODES} unchanged`);
  }

  test('an apply with a stalled table ends with the code 0, and the next plan is empty', async () => {
    expectSuccess(await begin('apply', '-f', await fileOf('eu'), '-y').ended);
    const changed = await fileOf('us');
    const apply = begin('apply', '-f', changed, '-y');
    await untilChanged('us', [apply]);
    await stall();
    await delay(500);
    await stall();
    const ended = await apply.ended;
    expectSuccess(ended);
    expect(ended.out).toContain(`done, ${NODES} of ${NODES} done, 0 failed`);
    await expectNothingToDo(changed);
  });

  // A person repeats a command, or a job continues while the request waits for it.
  test('two applies of one plan with a stalled table end with the code 0', async () => {
    const changed = await fileOf('ap');
    expect((await begin('plan', '-f', changed, '--out', 'plan.json').ended).code).toBe(2);
    const applies = [1, 2].map(() => begin('apply', 'plan.json'));
    await untilChanged('ap', applies);
    await stall();
    for (const { ended } of applies) expectSuccess(await ended);
    await expectNothingToDo(changed);
  });
});
