import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metafile } from 'esbuild';
import { endpoints } from '../../functions/api/endpoints.ts';
import { facades } from '../../functions/facades.ts';
import type { Environment } from '../../functions/runtime/dependencies.ts';
import { addApiKey } from '../../functions/store/credentials/add-api-key.ts';
import { startEngine } from '../../local/engine/engine.ts';
import type { Engine } from '../../local/engine/engine-type.ts';
import { authorizerEvent, proxyEvent } from '../../local/gateway/proxy-event.ts';
import { ensureTable } from '../../local/engine/table.ts';
import { apiKeyPrefix } from '../../shared/core/api-key-pattern.ts';
import { hashApiKeySecret, newApiKeySecret } from '../../shared/auth/api-key-text.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { type EngineServer, serveEngine } from '../../tests/support/engine-http.ts';
import { bundleFunctions, entryPoints } from './bundle.ts';
import { testTime } from '../../tests/support/test-time.ts';

const key = newApiKeySecret(randomBytes);

/** As Lambda does: a new process, the export `handler` of the file, one event. */
const invocation = `
  const { handler } = await import(process.argv[1]);
  let event = '';
  for await (const chunk of process.stdin) event += chunk;
  process.stdout.write(JSON.stringify(await handler(JSON.parse(event), {})));
`;

const loading = `
  const modules = await Promise.all(process.argv.slice(1).map((file) => import(file)));
  process.stdout.write(JSON.stringify(modules.map(({ handler }) => [typeof handler, handler.length])));
`;

/** The files beside a function: what it loads on demand, and what that shares with it. */
const parts: Readonly<Record<string, readonly string[]>> = {
  authorizer: ['chunk', 'left-out', 'secrets-manager'],
  endProviderSession: ['chunk', 'left-out', 'secrets-manager'],
  logIn: [...Array<string>(5).fill('chunk'), 'by-code', 'by-token', 'left-out', 'renew', 'secrets-manager'],
  opamp: ['left-out'],
  pmmHealth: ['left-out'],
  pmmInventory: ['chunk', 'inventory-changes', 'left-out'],
  pmmKeys: ['left-out'],
  pmmManagement: ['chunk', 'left-out', 'management-changes'],
  pmmServer: ['left-out'],
  reconcile: ['chunk', 'left-out', 'write-many'],
};

/** The short form bundles the functions with parts, and those that the tests invoke. */
const bundled = inFull(
  entryPoints,
  Object.fromEntries(
    Object.entries(entryPoints).filter(
      ([id]) => id in parts || ['addApiKey', 'addNode', 'catchAll', 'getNode', 'getVersion'].includes(id),
    ),
  ),
);

let folder: string;
let metafile: Metafile;
let engine: Engine;
let server: EngineServer;
let environment: Record<string, string>;

beforeAll(async () => {
  [folder, engine] = await Promise.all([mkdtemp(join(tmpdir(), 'bundle-')), startEngine({ environment: process.env })]);
  server = await serveEngine(engine);
  metafile = await bundleFunctions(folder, bundled);
  const table = engine.open('bundled');
  await ensureTable(table);
  const build = { version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00.000Z' };
  const record = {
    key_id: randomUUID(),
    kind: 'api_key',
    name: 'test',
    role: 'Admin',
    prefix: apiKeyPrefix(key),
  } as const;
  const made = { created_at: build.time, created_by: { kind: 'system', id: 'test', name: 'test' } };
  await addApiKey(table, { ...record, ...made }, hashApiKeySecret(key), {
    actor: { kind: 'system', id: 'test', name: 'test' },
    requestId: 'test',
    now: testTime(),
  });
  const settings = {
    TABLE_NAME: table.name,
    SERVICE_VERSION: build.version,
    BUILD_COMMIT: build.commit,
    BUILD_TIME: build.time,
  } satisfies Environment;
  environment = {
    ...settings,
    AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
  };
});

afterAll(async () => {
  await server.stop();
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a bundle is the same in a process in which a package has added exports to built-in modules', async () => {
  const bundle = async () => {
    const target = await mkdtemp(join(tmpdir(), 'bundle-'));
    await bundleFunctions(target, { getVersion: entryPoints['getVersion']! });
    const text = await readFile(join(target, 'getVersion/index.mjs'), 'utf8');
    await rm(target, { recursive: true });
    return text;
  };
  const before = await bundle();
  const builtins = ['crypto', 'http', 'util'].map((name) => process.getBuiltinModule(name)!);
  for (const builtin of builtins) Object.assign(builtin, { zzQxjAdded: () => undefined });
  try {
    expect((await bundle()) === before).toBe(true);
  } finally {
    for (const builtin of builtins) Reflect.deleteProperty(builtin, 'zzQxjAdded');
  }
});

/** Runs code in a process with an empty environment, and no node_modules above it. */
async function inFreshProcess(code: string, ids: readonly string[], input = ''): Promise<any> {
  const files = ids.map((id) => pathToFileURL(join(folder, id, 'index.mjs')).href);
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, ...files], {
    env: environment,
    cwd: folder,
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number];
  if (status !== 0) throw new Error(errors);
  return JSON.parse(output);
}

function invoke(id: string, event: object): Promise<any> {
  return inFreshProcess(invocation, [id], JSON.stringify(event));
}

function eventOf(method: string, resource: string, params: Record<string, string> = {}, body?: object) {
  return proxyEvent(
    {
      method,
      url: Object.entries(params).reduce((path, [name, value]) => path.replace(`{${name}}`, value), resource),
      rawHeaders: [
        'Authorization',
        `Bearer ${key}`,
        ...(body === undefined ? [] : ['Content-Type', 'application/json']),
      ],
      body: body === undefined ? '' : JSON.stringify(body),
      sourceIp: '127.0.0.1',
    },
    { requestId: 'test', resource, params, authorizer: undefined },
  );
}

/** The name of a part without the hash of its contents. */
const withoutHash = (name: string): string => name.replace(/-[A-Z0-9]{8}(?=\.mjs$)/, '');

const bundles = () => Object.entries(metafile.outputs).filter(([file]) => basename(file) === 'index.mjs');

test('every endpoint, the authorizer and the catch-all have a bundle, and nothing else is deployed with it', async () => {
  const ids = [...[...endpoints, ...facades].map(({ id }) => id), 'authorizer', 'catchAll'];
  expect(Object.keys(entryPoints).sort()).toEqual(ids.toSorted());
  const built = Object.keys(bundled);
  expect((await readdir(folder)).sort()).toEqual([...built, 'source-maps'].sort());
  const files = await Promise.all(built.map((id) => readdir(join(folder, id))));
  const expected = built.map((id) => ['index', ...(parts[id] ?? [])].map((name) => `${name}.mjs`).toSorted());
  expect(files.map((names) => names.map(withoutHash).toSorted())).toEqual(expected);
  expect(await readdir(join(folder, 'source-maps'))).toHaveLength(files.flat().length);
});

test('a source map leads to the sources', async () => {
  const file = join(folder, 'source-maps', 'getNode.mjs.map');
  const { sources } = JSON.parse(await readFile(file, 'utf8')) as { sources: string[] };
  const handler = sources.find((source) => source.endsWith('functions/api/nodes/get/handler.ts'));
  await expect(readFile(join(dirname(file), handler!), 'utf8')).resolves.toContain('getReply');
});

test('a bundle needs only Node at run time', () => {
  expect(bundles()).toHaveLength(Object.keys(bundled).length);
  for (const [, { exports }] of bundles()) expect(exports).toContain('handler');
  for (const [file, { imports }] of Object.entries(metafile.outputs)) {
    const others = imports.map(({ path }) => path).filter((path) => !isBuiltin(path));
    expect(others.filter((path) => dirname(path) !== dirname(file))).toEqual([]);
  }
});

test('no function contains the parts of the AWS SDK for other places, and few parts of our own are loaded on demand', () => {
  const otherPlaces =
    /credential-provider-(?!env|node)|token-providers|event-streams|client-(sts|sso)|bowser|node_modules\/mnemonist|Sha256Js|AdaptiveRetryStrategy|HeaderFormatter/;
  expect(Object.keys(metafile.inputs).filter((path) => otherPlaces.test(path))).toEqual([]);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const onDemand = imports
    .filter(({ kind, path }) => kind === 'dynamic-import' && !isBuiltin(path))
    .map(({ path }) => basename(path));
  const ours = [
    'by-code',
    'by-token',
    'inventory-changes',
    'management-changes',
    'renew',
    'secrets-manager',
    'write-many',
  ];
  expect([...new Set(onDemand)].toSorted()).toEqual(
    ['left-out:left-out', ...ours.map((name) => `${name}.ts`)].toSorted(),
  );
});

test('every bundle, with the parts that it loads on demand, is within 420 kB', () => {
  const sizes = new Map<string, number>();
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
    const id = basename(dirname(file));
    if (file.endsWith('.mjs')) sizes.set(id, (sizes.get(id) ?? 0) + bytes);
  }
  expect([...sizes].filter(([, bytes]) => bytes > 420_000)).toEqual([]);
});

/** The files that a function loads at its start. */
function loadedAtStart(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { kind, path } of metafile.outputs[file]?.imports ?? [])
    if (kind === 'import-statement' && path in metafile.outputs) loadedAtStart(path, loaded);
  return loaded;
}

test('the log-in function starts without token libraries: at most 45 kB more than a function that adds a key', () => {
  const bytesOf = (id: string) => {
    const index = bundles().find(([file]) => basename(dirname(file)) === id)![0];
    const files = [...loadedAtStart(index)].map((file) => metafile.outputs[file]!);
    const libraries = files
      .flatMap(({ inputs }) => Object.keys(inputs))
      .filter((input) => /jose|oauth4webapi/.test(input));
    expect([id, libraries]).toEqual([id, []]);
    return files.reduce((sum, { bytes }) => sum + bytes, 0);
  };
  expect(bytesOf('logIn') - bytesOf('addApiKey')).toBeLessThan(45_000);
});

test("the authorizer's bundle contains no slow hash, because it compares passwords with a secret", async () => {
  const files = await readdir(join(folder, 'authorizer'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, 'authorizer', file), 'utf8')));
  expect(texts.filter((text) => text.includes('timingSafeEqual'))).not.toEqual([]);
  expect(texts.filter((text) => text.includes('scrypt'))).toEqual([]);
});

test('the descriptions of fields are not deployed', async () => {
  const text = await readFile(join(folder, 'addNode', 'index.mjs'), 'utf8');
  expect(text).toContain('node_name');
  expect(text).not.toContain('Unique among all nodes.');
});

test('every bundle loads, and its handler takes an event and a context', async () => {
  const ids = Object.keys(bundled);
  const handlers = (await inFreshProcess(loading, ids)) as [string, number][];
  expect(handlers).toHaveLength(ids.length);
  // Lambda's runtime for Node 24 refuses a handler with a third parameter (a callback).
  for (const [type, parameters] of handlers) expect([type, parameters <= 2]).toEqual(['function', true]);
});

test('the bundles do their work in processes of their own', async () => {
  const asked = eventOf('POST', '/v1/nodes', {}, { node_type: 'generic', node_name: 'db1', address: '10.0.0.1' });
  const { policyDocument, context } = await invoke('authorizer', authorizerEvent(asked));
  expect(policyDocument.Statement[0].Effect).toBe('Allow');

  asked.requestContext.authorizer = context;
  const added = await invoke('addNode', asked);
  expect(added.statusCode).toBe(201);

  const { node_id: id } = JSON.parse(added.body) as { node_id: string };
  const event = eventOf('GET', '/v1/nodes/{node_id}', { node_id: id });
  event.requestContext.authorizer = context;
  const shown = await invoke('getNode', event);
  expect(shown).toMatchObject({ statusCode: 200, headers: { ETag: '"1"' } });
  expect(JSON.parse(shown.body)).toEqual({ ...JSON.parse(added.body), state: 'never_seen' });

  const again = await invoke('addNode', asked);
  expect([again.statusCode, JSON.parse(again.body).status]).toEqual([409, 'ALREADY_EXISTS']);

  // Its code is in a file that the function loads with the first change.
  const asPmm = eventOf(
    'POST',
    '/v1/inventory/{call+}',
    { 'call+': 'nodes' },
    { generic: { node_name: 'db2', address: '10.0.0.2' } },
  );
  asPmm.requestContext.authorizer = context;
  const addedByPmm = await invoke('pmmInventory', asPmm);
  expect([addedByPmm.statusCode, JSON.parse(addedByPmm.body).generic?.node_name]).toEqual([200, 'db2']);

  const version = eventOf('GET', '/v1/version');
  version.requestContext.authorizer = context;
  expect(JSON.parse((await invoke('getVersion', version)).body)).toMatchObject({
    build: { version: '1.2.3' },
    api: 'v1',
  });

  expect(await invoke('catchAll', eventOf('GET', '/v1/unknown'))).toMatchObject({ statusCode: 404 });
});
