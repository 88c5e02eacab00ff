/** Commands that change nothing: a proxy records their requests, which the contracts of the endpoints allow to write or not. */
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { endpoints } from '../../functions/api/endpoints.ts';
import { changesNothing } from '../../functions/contract/changes-nothing.ts';
import { commands } from '../../clients/cli/src/table.ts';
import { createRouter } from '../../shared/http/router.ts';
import { agents, nodes, services } from '../bulk/pmm-replies.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';
import { type ServedInventory, serveInventory } from './served-inventory.ts';

interface SentRequest {
  method: string;
  path: string;
  /** Empty without one. */
  body: string;
}

const route = createRouter(endpoints);

/** Whether the contract of the endpoint allows the request to change something. */
function canWrite({ method, path, body }: SentRequest): boolean {
  const { pathname, searchParams } = new URL(path, ADDRESS);
  const match = route(method, pathname);
  if (match.kind !== 'endpoint') return true;
  const query = { dry_run: searchParams.get('dry_run') === 'true' };
  // Of lines the first one.
  const given: unknown = body === '' ? {} : JSON.parse(body.split('\n', 1)[0] ?? '');
  return !changesNothing(match.endpoint, { query, body: given });
}

let line: CommandLine;
let proxy: ServedInventory;
let pmm: Server;
/** The requests that the PMM server received. */
let ofPmm: string[];
let folder: string;
let kubernetes: FakeKubernetes;
let requests: SentRequest[];
beforeAll(async () => {
  line = await startCommandLine();
  proxy = await serveInventory(line.inventory, (method, path, body) => void requests.push({ method, path, body }));
  folder = await mkdtemp(join(line.home, 'dry-'));
  kubernetes = await new FakeKubernetes().start();
  await writeFile(join(folder, 'token'), kubernetes.token);
  const replies: Record<string, unknown> = { nodes, services, agents };
  pmm = createServer(({ method, url = '' }, response) => {
    ofPmm.push(`${method} ${url}`);
    response.end(JSON.stringify(replies[url.replace('/v1/inventory/', '')]));
  }).listen(0, '127.0.0.1');
  await once(pmm, 'listening');
  const body = { node_type: 'generic', node_name: 'dry-1', address: 'a', custom_labels: { fleet: 'dry' } };
  await line.inventory.request('POST', '/v1/nodes', { body });
});
afterAll(async () => {
  pmm.close();
  await kubernetes.stop();
  await proxy.stop();
  await line.stop();
});
beforeEach(() => {
  requests = [];
  ofPmm = [];
  kubernetes.requests.length = 0;
});

/** Runs a command whose only way to the inventory is the proxy. */
const run = (argv: readonly string[], { as = 'Admin', input = '' }: { as?: 'Admin' | 'Viewer'; input?: string } = {}) =>
  line.inventoryCommand(argv, {
    env: {
      INVENTORY_URL: proxy.address,
      INVENTORY_KEY: line.inventory.keys[as],
      PMM_URL: `http://admin:admin@127.0.0.1:${(pmm.address() as AddressInfo).port}`,
    },
    fetch: (url, init) => fetch(url, init),
    readInput: () => Promise.resolve(input),
  });

const exported = JSON.stringify({
  kind: 'node',
  object: { node_id: '00000000-0000-4000-8000-000000000009', node_type: 'generic', node_name: 'dry-2', address: 'a' },
});
const fleet =
  'scope: { selector: fleet=dry, max_removals_percent: 100 }\n' +
  'nodes: [{ node_type: generic, node_name: dry-3, address: a, custom_labels: { fleet: dry } }]\n';

/** How the test calls each command that has a dry run or is one, and its exit codes. */
const calls: readonly { argv: [string, ...string[]]; codes: number[] }[] = [
  { argv: ['plan', '-f', 'fleet.yaml'], codes: [2] },
  { argv: ['lint', '-f', 'fleet.yaml'], codes: [0] },
  { argv: ['remove', 'node/dry-1', '--dry-run', '--force'], codes: [0] },
  { argv: ['import', '-', '--dry-run'], codes: [0] },
  { argv: ['import', 'hosts.csv', '--dry-run'], codes: [0] },
  { argv: ['import', '--from-pmm', '--skip-invalid', '--dry-run'], codes: [0] },
  { argv: ['cleanup', '--dry-run'], codes: [0] },
  // It is refused: the key is of no host.
  { argv: ['host-setup', '--dry-run', '--user', 'root'], codes: [64] },
  { argv: ['sync-kubernetes', '--cluster', 'dry', '--dry-run', '--token-file', 'token'], codes: [0] },
];

test('every command with a dry run has a call in this test', async () => {
  const dry = ['plan', 'lint'];
  for (const { name, load } of commands)
    if (((await load()).options ?? []).some(({ flags }) => flags.includes('--dry-run'))) dry.push(name);
  expect(new Set(calls.map(({ argv: [name] }) => name))).toEqual(new Set(dry));
});

test.each(calls.map(({ argv, codes }) => [argv.join(' '), argv, codes] as const))(
  '%s: the proxy sees no request that can write, and nothing changes',
  async (_, argv, codes) => {
    await writeFile(join(folder, 'fleet.yaml'), fleet);
    await writeFile(join(folder, 'hosts.csv'), 'node_name,node_type,address\ndry-1,generic,b\ndry-4,generic,c\n');
    const before = (await line.inventoryCommand(['export'])).out;
    const given = argv.map((word) => (['fleet.yaml', 'hosts.csv', 'token'].includes(word) ? join(folder, word) : word));
    if (given[0] === 'sync-kubernetes') given.push('--api-server', kubernetes.url);
    const { code } = await run(given, { input: exported });
    expect(codes).toContain(code);
    expect(requests.length > 0).toBe(argv[0] !== 'lint');
    expect(requests.filter(canWrite)).toEqual([]);
    expect([...kubernetes.requests, ...ofPmm].filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(ofPmm.length > 0).toBe(argv.includes('--from-pmm'));
    expect((await line.inventoryCommand(['export'])).out).toBe(before);
  },
);

test('the same commands without a dry run send writing requests', async () => {
  const path = join(folder, 'fleet.yaml');
  await writeFile(path, fleet);
  for (const argv of [
    ['import', '-'],
    ['import', join(folder, 'hosts.csv')],
    ['import', '--from-pmm', '--skip-invalid'],
    ['cleanup'],
    ['apply', '-y', '-f', path],
    ['remove', 'node/dry-3', '-y'],
  ]) {
    requests = [];
    await run(argv, { input: exported });
    expect([argv, requests.some(canWrite)]).toEqual([argv, true]);
  }
});

test('a request of a Viewer is never one that can write', async () => {
  for (const [name, args] of [
    ['get', ['nodes']],
    ['describe', ['node/dry-2']],
    ['summary', []],
    ['audit', []],
  ] as const) {
    await run([name, ...args], { as: 'Viewer' });
    expect([name, requests.filter(canWrite)]).toEqual([name, []]);
  }
});
