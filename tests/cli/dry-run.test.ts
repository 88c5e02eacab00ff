/** Commands that change nothing, by the contracts of the endpoints that they call. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '../../functions/api/endpoints.ts';
import { isFields } from '../../clients/cli/src/values.ts';
import { commands } from '../../clients/cli/src/table.ts';
import { createRouter } from '../../shared/http/router.ts';
import { FakeKubernetes } from './fake-kubernetes.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';

interface SentRequest {
  method: string;
  path: string;
  body: string | undefined;
}

const route = createRouter(endpoints);

/** The names of the fields of a schema of an object. */
const fieldsOf = (schema: unknown): string[] =>
  isFields(schema) &&
  isFields(schema['_zod']) &&
  isFields(schema['_zod']['def']) &&
  isFields(schema['_zod']['def']['shape'])
    ? Object.keys(schema['_zod']['def']['shape'])
    : [];

/** Whether the contract of the endpoint allows the request to change something. */
function canWrite({ method, path, body }: SentRequest): boolean {
  const { pathname, searchParams } = new URL(path, ADDRESS);
  const match = route(method, pathname);
  if (match.kind !== 'endpoint') return true;
  const { lowerRole, query, body: schema } = match.endpoint;
  if (match.endpoint.method === 'GET') return false;
  if (fieldsOf(query).includes('dry_run') && searchParams.get('dry_run') === 'true') return false;
  const given: unknown = body === undefined ? {} : JSON.parse(body.split('\n', 1)[0] ?? '');
  if (!isFields(given)) return true;
  if (fieldsOf(schema).includes('dry_run') && given['dry_run'] === true) return false;
  return lowerRole === undefined || given[lowerRole.field] !== lowerRole.value;
}

let line: CommandLine;
let folder: string;
let kubernetes: FakeKubernetes;
let requests: SentRequest[];
beforeAll(async () => {
  line = await startCommandLine();
  folder = await mkdtemp(join(line.home, 'dry-'));
  kubernetes = await new FakeKubernetes().start();
  await writeFile(join(folder, 'token'), kubernetes.token);
  const body = { node_type: 'generic', node_name: 'dry-1', address: 'a', custom_labels: { fleet: 'dry' } };
  await line.inventory.request('POST', '/v1/nodes', { body });
});
afterAll(async () => {
  await kubernetes.stop();
  await line.stop();
});
beforeEach(() => (requests = []));

const run: CommandLine['inventoryCommand'] = (argv, world) =>
  line.inventoryCommand(argv, {
    fetch: (url, init) => {
      const body = typeof init.body === 'string' ? init.body : undefined;
      requests.push({ method: init.method, path: url.slice(ADDRESS.length), body });
      return line.fetch(url, init);
    },
    ...world,
  });

const exported = JSON.stringify({
  kind: 'node',
  object: { node_id: '00000000-0000-4000-8000-000000000009', node_type: 'generic', node_name: 'dry-2', address: 'a' },
});
const fleet =
  'scope: { selector: fleet=dry, max_removals_percent: 100 }\n' +
  'nodes: [{ node_type: generic, node_name: dry-3, address: a, custom_labels: { fleet: dry } }]\n';

/** How the test calls each command that has a dry run or is one, and its exit codes. */
const calls = new Map<string, { argv: string[]; codes: number[] }>([
  ['plan', { argv: ['-f', 'fleet.yaml'], codes: [2] }],
  ['lint', { argv: ['-f', 'fleet.yaml'], codes: [0] }],
  ['remove', { argv: ['node/dry-1', '--dry-run', '--force'], codes: [0] }],
  ['import', { argv: ['-', '--dry-run'], codes: [0] }],
  ['cleanup', { argv: ['--dry-run'], codes: [0] }],
  ['sync-kubernetes', { argv: ['--cluster', 'dry', '--dry-run', '--token-file', 'token'], codes: [0] }],
]);

test('every command with a dry run has a call in this test', async () => {
  const dry = ['plan', 'lint'];
  for (const { name, load } of commands)
    if (((await load()).options ?? []).some(({ flags }) => flags.includes('--dry-run'))) dry.push(name);
  expect(dry.filter((name) => !calls.has(name))).toEqual([]);
});

test.each([...calls].filter(([name]) => commands.some((one) => one.name === name)))(
  '%s sends no request that can write, and changes nothing',
  async (name, { argv, codes }) => {
    await writeFile(join(folder, 'fleet.yaml'), fleet);
    const before = (await line.inventoryCommand(['export'])).out;
    const given = argv.map((one) => (['fleet.yaml', 'token'].includes(one) ? join(folder, one) : one));
    if (name === 'sync-kubernetes') given.push('--api-server', kubernetes.url);
    const { code } = await run([name, ...given], { readInput: () => Promise.resolve(exported) });
    expect(codes).toContain(code);
    expect(requests.filter(canWrite)).toEqual([]);
    expect(kubernetes.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
    expect((await line.inventoryCommand(['export'])).out).toBe(before);
  },
);

test('the same commands without a dry run send requests that can write', async () => {
  const path = join(folder, 'fleet.yaml');
  await writeFile(path, fleet);
  const readInput = () => Promise.resolve(exported);
  for (const argv of [['import', '-'], ['cleanup'], ['apply', '-y', '-f', path], ['remove', 'node/dry-3', '-y']]) {
    requests = [];
    await run(argv, { readInput });
    expect([argv, requests.some(canWrite)]).toEqual([argv, true]);
  }
});

test('a request of a Viewer is never one that can write', async () => {
  const env = { INVENTORY_URL: ADDRESS, INVENTORY_KEY: line.inventory.keys.Viewer };
  for (const [name, args] of [
    ['get', ['nodes']],
    ['describe', ['node/dry-2']],
    ['summary', []],
    ['audit', []],
  ] as const) {
    await run([name, ...args], { env });
    expect([name, requests.filter(canWrite)]).toEqual([name, []]);
  }
});
