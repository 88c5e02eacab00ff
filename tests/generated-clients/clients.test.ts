/** Clients generated from the served document, each by its generator without settings, against a real server over TLS. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints } from '../../functions/api/endpoints.ts';
import { clientOf, basic, bodyOf, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { goEnvironment } from '../terraform/programs.ts';

const run = promisify(execFile);

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const tools = join(root, 'node_modules/.cache/generated-clients');
const served = join(root, 'swagger-static/swagger/openapi.json');
const servedForPmm = join(root, 'swagger-static/swagger/pmm.json');

let folder: string;
let server: RunningServer;
/** What each program is called with: the server, an Admin's key, the certificate. */
let words: string[];

beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const admin = clientOf(server, basic('admin', PASSWORD));
  const { key } = bodyOf(await admin('POST', '/v1/api-keys', { body: { name: 'generated', role: 'Admin' } }), 201);
  words = [server.base, key, join(folder, 'data', 'tls-cert.pem')];
});

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

test('the requests of the README compile with the types of openapi-typescript', async () => {
  const project = join(folder, 'typescript');
  await mkdir(project);
  const bin = join(tools, 'typescript/node_modules/.bin');
  // There, as it would read the linter's settings of this folder.
  await run(join(bin, 'openapi-typescript'), [served, '-o', 'api.ts'], { cwd: project });
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const sent = [...readme.matchAll(/\$B(\/v1\/\S+)(?:(?!curl)[\s\S])*?-d '([^']+)'/g)];
  expect(sent.map(([, path]) => path)).toEqual(['/v1/api-keys', '/v1/nodes', '/v1/services']);
  const bodies = sent.map(([, path, body], index) => {
    const id = endpoints.find((one) => one.method === 'POST' && one.path === path)!.id;
    return `export const body${index}: operations['${id}']['requestBody']['content']['application/json'] = ${body};\n`;
  });
  await writeFile(join(project, 'readme.ts'), `import type { operations } from './api.ts';\n${bodies.join('')}`);
  const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'esnext', '--target', 'es2022'];
  // A type error is a failure of the program, whose message has what it printed.
  const { stdout } = await run(join(bin, 'tsc'), [
    ...options,
    '--moduleResolution',
    'bundler',
    join(project, 'readme.ts'),
  ]);
  expect(stdout).toBe('');
});

test('oapi-codegen generates, and its client compiles, adds, reads, exports and imports', async () => {
  const project = join(folder, 'go');
  const inProject = { cwd: project, env: goEnvironment };
  await cp(join(here, 'go'), project, { recursive: true });
  await mkdir(join(project, 'inventory'));
  const options = ['-generate', 'types,client', '-package', 'inventory', '-o', 'inventory/inventory.go'];
  await run('go', ['tool', 'oapi-codegen', ...options, served], inProject);
  const { stdout } = await run('go', ['run', '.', ...words], inProject);
  // An addition of the node itself is in the export, so at least one line is unchanged, and none is refused.
  expect(stdout).toMatch(/^from-go [1-9]\d* 0\n$/);
});

test("a client of the document of PMM's calls runs the life of a host", async () => {
  const project = join(folder, 'go-pmm');
  const inProject = { cwd: project, env: goEnvironment };
  await cp(join(here, 'go'), project, { recursive: true });
  await mkdir(join(project, 'pmmapi'));
  const options = ['-generate', 'types,client', '-package', 'pmmapi', '-o', 'pmmapi/pmm.go'];
  await run('go', ['tool', 'oapi-codegen', ...options, servedForPmm], inProject);
  const { stdout } = await run('go', ['run', './pmm', ...words], inProject);
  expect(stdout).toBe('pmm-go 1 true 200 200 5\n');
});
