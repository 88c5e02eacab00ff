/** The TypeScript client's package as users install it: its size, and every example in its guide and in the page about automation. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { endpoints } from '../../functions/api/endpoints.ts';
import { buildClientPackage } from '../../tools/package-client.ts';
import { makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** Of the declarations, on average. */
const MAX_BYTES_OF_AN_OPERATION = 2100;

const run = promisify(execFile);

let folder: string;
let project: string;
let server: RunningServer;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await newDataDir();
  project = join(folder, 'project');
  await mkdir(project);
  const file = await buildClientPackage(join(folder, 'package'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { keys } = await makeKeys(server);
  const certificate = join(folder, 'data', 'tls-cert.pem');
  await copyFile(certificate, join(project, 'tls-cert.pem'));
  environment = { ...process.env, INVENTORY_KEY: keys.Admin, NODE_EXTRA_CA_CERTS: certificate };
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

const page = (name: string) => readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

/** The examples of a page that use the client. Tests of their own run the others. */
const examplesIn = (text: string) =>
  fencedBlocks(text, 'ts').filter((code) => code.includes("from '@monitoring-inventory/client"));

const guide = await page('typescript');
const examples = [...examplesIn(guide), ...examplesIn(await page('automation'))];

/** What each example prints, in their order. */
const printed = [
  /^$/,
  /^1 0 0\ndone 1\n$/,
  /^\[ '201 added', '201 added' \]\n$/,
  /^(0 \S+\n)?$/,
  /^0 0\n$/,
  /^\d+\.\d+\.\d+\n$/,
  /^2 \[ 'POST \/v1\/nodes', 'POST \/v1\/nodes', 'GET \/v1\/nodes' \]\n$/,
  /^412\n$/,
  /^true 1\n$/,
];

test("the guide begins with an example of five lines, and the clients' index with the choice", async () => {
  expect(guide).toMatch(/^# [^\n]+\n\n```ts\n/);
  const lines = examples[0]!.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeLessThanOrEqual(5);
  expect(await page('clients')).toMatch(/^# [^\n]+\n\n## Which client should I use\?\n/);
  expect(examples.length).toBe(printed.length);
});

test.each(examples.map((code, index) => [index, code] as const))(
  'example %d compiles and runs',
  async (index, code) => {
    const name = `example-${index}`;
    await writeFile(join(project, `${name}.mts`), code.replaceAll('https://inventory.example', server.base));
    // Node executes an example in TypeScript itself.
    const { stdout } = await run(process.execPath, [`${name}.mts`], { cwd: project, env: environment });
    expect(stdout).toMatch(printed[index]!);
  },
);

test("the examples have no type error, and the declarations need only fetch's library", async () => {
  const tsc = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname;
  const names = examples.map((_, index) => `checked-${index}.mts`);
  for (const [index, name] of names.entries()) await writeFile(join(project, name), `export {};\n${examples[index]!}`);
  const types = new URL('../../node_modules/@types', import.meta.url).pathname;
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--ignoreConfig'];
  const exact = ['--exactOptionalPropertyTypes', '--typeRoots', types, '--types', 'node'];
  const { stdout } = await run(tsc, [...options, ...exact, ...names], { cwd: project }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');
});

/** The Node of the system, which may be the oldest that the package takes. */
function systemNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  return folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath;
}

test("the installed package works in plain JavaScript with the system's Node, 20 or newer", async () => {
  const code = `
    import { createClient, getNode, InventoryError, upsertNode } from '@monitoring-inventory/client';
    import { inventory } from '@monitoring-inventory/client/facade';
    import { nodeFetch } from '@monitoring-inventory/client/node';
    import { readFileSync } from 'node:fs';
    const url = '${server.base}';
    const key = process.env.INVENTORY_KEY;
    const fetch = nodeFetch({ ca: readFileSync('tls-cert.pem', 'utf8') });
    const client = createClient({ url, key, fetch });
    const { node_id, revision } = await upsertNode(client, { node_name: 'ä/1', node_type: 'generic', address: 'a' });
    const same = await getNode(client, { node_id }, { ifNoneMatch: revision });
    const { node_name } = await inventory(client).nodes.get({ node_id });
    const failed = await getNode(client, { node_id: 'x' }).catch((error) => error);
    const strict = createClient({ url, key, attempts: 1, fetch: nodeFetch({}) });
    const refused = await inventory(strict).server.getVersion().catch((error) => error);
    const open = createClient({ url, key, attempts: 1, fetch: nodeFetch({ insecure: true }) });
    const { version } = await inventory(open).server.getVersion();
    console.log(JSON.stringify([same ?? null, node_name, failed instanceof InventoryError, failed.http, refused.http, typeof version]));
  `;
  await writeFile(join(project, 'plain.mjs'), code);
  const { NODE_EXTRA_CA_CERTS: _, ...env } = environment;
  const { stdout } = await run(systemNode(), ['plain.mjs'], { cwd: project, env });
  expect(JSON.parse(stdout)).toEqual([null, 'ä/1', true, 404, 0, 'string']);
});

describe('a CommonJS program', () => {
  const code = `
    import { createClient, InventoryError, listNodes } from '@monitoring-inventory/client';
    import { mirror } from '@monitoring-inventory/client/flows';
    import { nodeFetch } from '@monitoring-inventory/client/node';
    import { fakeServer } from '@monitoring-inventory/client/testing';
    const client = createClient({ url: 'https://localhost', key: 'minv_x', fetch: nodeFetch({}) });
    export async function names(): Promise<string[]> {
      const found: string[] = [];
      for await (const node of listNodes(client, { region: 'eu' })) found.push(node.node_name);
      return found;
    }
    export const kept = [InventoryError, mirror, fakeServer];
  `;

  test('requires each entry, with one class identity', async () => {
    const required = `
      const { createClient, getNode, InventoryError } = require('@monitoring-inventory/client');
      const { inventory } = require('@monitoring-inventory/client/facade');
      const { nodeFetch } = require('@monitoring-inventory/client/node');
      const entries = ['flows', 'testing'].map((name) => typeof require('@monitoring-inventory/client/' + name));
      const ca = require('node:fs').readFileSync('tls-cert.pem', 'utf8');
      const client = createClient({ url: '${server.base}', key: process.env.INVENTORY_KEY, fetch: nodeFetch({ ca }) });
      const calls = [() => getNode(client, { node_id: 'x' }), () => inventory(client).nodes.get({ node_id: 'x' })];
      Promise.allSettled(calls.map((call) => call())).then((outcomes) =>
        console.log(JSON.stringify([entries, outcomes.map(({ reason }) => [reason instanceof InventoryError, reason.http])])),
      );
    `;
    await writeFile(join(project, 'plain.cjs'), required);
    const { stdout } = await run(systemNode(), ['plain.cjs'], { cwd: project, env: environment });
    const refused = [true, 404];
    expect(JSON.parse(stdout)).toEqual([
      ['object', 'object'],
      [refused, refused],
    ]);
  });

  test.each([
    ['node16', ['--module', 'node16']],
    ['node18', ['--module', 'node18']],
    ['nodenext', ['--module', 'nodenext']],
    ['bundler', ['--module', 'preserve', '--moduleResolution', 'bundler']],
    [
      'node10',
      ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0', '--esModuleInterop'],
    ],
  ])('resolves the types with %s, also in a module', async (_, options) => {
    const isOld = options.includes('node10');
    const names = isOld ? ['types.ts'] : ['types.cts', 'types.mts'];
    for (const name of names) await writeFile(join(project, name), code);
    const compiler = new URL('../../node_modules/typescript/bin/tsc6', import.meta.url).pathname;
    const types = new URL('../../node_modules/@types', import.meta.url).pathname;
    const strict = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--typeRoots',
      types,
      '--types',
      'node',
      '--ignoreConfig',
    ];
    const command = [compiler, ...strict, ...options, ...names];
    const { stdout } = await run(process.execPath, command, { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
    // The compiler has run: a name that does not exist is an error.
    await writeFile(join(project, names[0]!), code.replace('createClient, ', 'createClients, '));
    await expect(run(process.execPath, command, { cwd: project })).rejects.toMatchObject({
      stdout: expect.stringContaining('createClients'),
    });
  });
});

test('the package has no dependency, and one copy of each type', async () => {
  const installed = join(project, 'node_modules/@monitoring-inventory/client');
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  expect(await readdir(join(project, 'node_modules'))).toEqual(['.package-lock.json', '@monitoring-inventory']);
  const types = await stat(join(installed, 'types/generated/types.d.ts'));
  expect(types.size).toBeLessThan(MAX_BYTES_OF_AN_OPERATION * endpoints.length);
});

/** A package between two releases names its commit, too. */
const BYTES_OF_COMMIT = 16;

test.each([
  [
    'getNode with the whole core',
    "export { createClient, getNode } from '@monitoring-inventory/client';",
    2560 + BYTES_OF_COMMIT,
  ],
  ['all operations', "export * from '@monitoring-inventory/client';", 6000],
  ['the flows', "export * from '@monitoring-inventory/client/flows';", 4000],
])('%s: gzip below the limit', async (_, contents, limit) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(limit);
});
