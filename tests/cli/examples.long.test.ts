/** Every example of the help and of docs/cli.md is executed. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { splitLine } from '../../clients/cli/src/command/command-line.ts';
import { Interruption } from '../../clients/cli/src/core/exit-codes.ts';
import { commands } from '../../clients/cli/src/table.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { agents, nodes, services } from '../bulk/pmm-replies.ts';
import { ADMIN_PASSWORD } from '../support/inventory.ts';
import { type CommandLine, startCommandLine } from './command.ts';
import { serveInventory, type ServedInventory } from './served-inventory.ts';
import { processClock } from '../../clients/cli/src/core/clock.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const guide = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');

/** The lines of the blocks for a shell, without comments. */
const examples = fencedBlocks(guide, 'sh').flatMap((block) =>
  block
    .split('\n')
    .map((text) => text.replace(/\s+#.*$/, '').trim())
    .filter(Boolean),
);

let line: CommandLine;
let served: ServedInventory;
let pmm: Server;
let folder: string;

beforeAll(async () => {
  line = await startCommandLine({ clock: timeOfDay });
  served = await serveInventory(line.inventory);
  folder = await mkdtemp(join(line.home, 'examples-'));
  await buildCommandLine(join(folder, 'inventory.cjs'));
  await writeFile(join(folder, 'inventory'), `#!/bin/sh\nexec '${process.execPath}' '${folder}/inventory.cjs' "$@"\n`);
  await chmod(join(folder, 'inventory'), 0o755);
  const replies = new Map<string, unknown>([
    ['/v1/inventory/nodes', nodes],
    ['/v1/inventory/services', services],
    ['/v1/inventory/agents', agents],
  ]);
  pmm = createServer(({ url = '' }, response) => response.end(JSON.stringify(replies.get(url)))).listen(0, '127.0.0.1');
  await once(pmm, 'listening');
});
afterAll(async () => {
  pmm.close();
  await served.stop();
  await line.stop();
});

const environment = () => ({
  PATH: `${folder}:${process.env['PATH']}`,
  HOME: line.home,
  INVENTORY_URL: served.address,
  INVENTORY_KEY: line.inventory.keys.Admin,
  PMM_URL: `http://admin:admin@127.0.0.1:${(pmm.address() as AddressInfo).port}`,
});

/** Runs a command in this process, with the network of the system. */
const run = (argv: readonly string[], world: object = {}) =>
  line.inventoryCommand(argv, {
    clock: processClock,
    env: environment(),
    fetch: (url, init) => fetch(url, init),
    ...world,
  });

async function must(...argv: string[]): Promise<void> {
  const { code, err } = await run(argv);
  expect([argv, code, err]).toEqual([argv, 0, '']);
}

/** Gives an example the objects and files that it names. */
async function prepare(text: string): Promise<void> {
  const write = (name: string, content: string) => writeFile(join(folder, name), content);
  for (const node of ['db-1', 'web-1', 'pod-1', 'shop-1']) await run(['remove', `node/${node}`, '--force', '-y']);
  await run(['remove', 'service/orders', '--force', '-y']);
  await run(['key', 'remove', 'pipeline', '-y']);
  if (!/ (add|set) node /.test(text)) await must('add', 'node', 'db-1', '--type', 'generic', '--address', '10.0.0.1');
  if (!/ (add|set) (node|service) /.test(text))
    await must(
      'add',
      'service',
      'orders',
      '--type',
      'mysql',
      '--node-ids',
      'db-1',
      '--address',
      '10.0.0.1',
      '--port',
      '3306',
      '--cluster',
      'orders',
    );
  if (!/ (add|set) (node|service) /.test(text)) {
    const added = await run(['add', 'agent', 'pmm_agent', '--runs-on-node-id', 'db-1', '-o', 'json']);
    await must('report', '--agent', added.json().agent_id, '-q');
    await must('add', 'agent', 'mysqld_exporter', '--pmm-agent-id', 'db-1', '--insights-service-ids', 'orders');
  }
  const [fleet = ''] = fencedBlocks(guide, 'yaml');
  await mkdir(join(folder, 'fleets'), { recursive: true });
  for (const name of ['fleet.yaml', 'fleets/fleet=shop.yaml']) await write(name, fleet);
  await run(['plan', '-f', join(folder, 'fleets'), '--out', join(folder, 'plan.json')]);
  await write('inventory.ndjson', (await run(['export'])).out);
  await write('operations.yaml', '- { op: addNode, body: { node_type: generic, node_name: web-1, address: a } }\n');
  await write('pod.yaml', 'node: { node_type: generic, node_name: pod-1, address: pod-1.example }\n');
  await write('hosts.csv', 'name;address\nweb-1;10.0.8.1\n');
  await write('key', line.inventory.keys.Viewer);
  if (!text.includes('token add'))
    await write('token', (await run(['token', 'add', 'hosts', '--allowed-addresses', '10.0.3.0/24'])).out);
}

/** Exit codes of examples that find something to report. */
const codeOf = (text: string) =>
  text.startsWith('inventory plan')
    ? 2
    : /inventory (watch|report --follow)/.test(text)
      ? 130
      : // The object was added a moment ago.
        text.includes('--as-of')
        ? 5
        : 0;

/** Examples that need another system, or write files of this machine: their own tests have one. */
const isOfOtherSystem = (text: string) => /^inventory (?:sync-kubernetes|host-setup) /.test(text);

test('the guide has the examples of every command', () => {
  const commandExamples = commands.flatMap(({ examples: texts = [] }) => texts);
  expect(commandExamples.filter((text) => !examples.includes(text))).toEqual([]);
  expect(examples.length).toBeGreaterThan(40);
});

test.each(examples.filter((text) => !isOfOtherSystem(text)).map((text) => [text]))('%s', async (text) => {
  await prepare(text);
  const here = text.replace('https://inventory.example', served.address).replace('/etc/inventory', folder);
  if (/[<>|]/.test(here)) {
    // `login` stores the key in the context of the address.
    if (here.includes('--key-stdin')) await run(['context', 'set', 'stored', '--url', served.address]);
    await promisify(execFile)('bash', ['-c', here], { env: environment(), cwd: folder });
    return;
  }
  const controller = new AbortController();
  const stop = () => controller.abort(new Interruption('Interrupted.', 'interrupted'));
  const { words, word } = splitLine(here);
  const all = [...words, word];
  const isFile = (text: string, before = '') =>
    /\.(yaml|json|ndjson|csv)$/.test(text) || /^(-f|-d|--(out|token-file|cursor-file))$/.test(before);
  const argv = all.map((word, index) => (isFile(word, all[index - 1]) ? resolve(folder, word) : word));
  const ask = (question: string) => Promise.resolve(question.startsWith('User') ? 'admin' : ADMIN_PASSWORD);
  const world = {
    ask,
    signal: controller.signal,
    fetch: async (url: string, init: RequestInit) => {
      const reply = await fetch(url, init);
      // These end with a signal only.
      if (/\/report$|\/v1\/changes/.test(url) && codeOf(text) === 130) setTimeout(stop, 50);
      return reply;
    },
  };
  const { code, err } = await run(argv, world);
  expect([code, err]).toEqual([codeOf(text), code === codeOf(text) ? err : '']);
});
