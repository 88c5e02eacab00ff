/** The package of the Python client as users install it, with every example of its guide. */
import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints } from '../../functions/api/endpoints.ts';
import { buildPythonPackage, pythonPrograms } from '../../tools/package-python.ts';
import { connectionCases, saidIn } from '../clients/connection-cases.ts';
import { startPrivateServer } from '../clients/private-server.ts';
import { clientEnvironment } from '../support/client-environment.ts';
import { startProxy } from '../support/proxy.ts';
import { startWrongServer } from '../clients/wrong-server.ts';
import { type FaultyServer, type HttpFault, startFaultyServer } from '../clients/faulty-server.ts';
import { basic, bodyOf, clientOf, PASSWORD } from '../end-to-end/client.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const run = promisify(execFile);

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

let folder: string;
/** The Python that has the package, and nothing of the generator. */
let python: string;
let server: RunningServer;
let key: string;
let certificate: string;

beforeAll(async () => {
  folder = await newDataDir();
  const wheel = await buildPythonPackage(join(folder, 'package'));
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  python = join(folder, 'venv/bin/python');
  await run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', wheel]);
  server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const admin = clientOf(server, basic('admin', PASSWORD));
  ({ key } = bodyOf(await admin('POST', '/v1/api-keys', { body: { name: 'generated', role: 'Admin' } }), 201));
  certificate = join(folder, 'data', 'tls-cert.pem');
  const node = { node_type: 'generic', node_name: 'first', address: '192.0.2.1', region: 'eu' };
  bodyOf(await admin('POST', '/v1/nodes', { body: node }), 201);
});

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

async function runPython(code: string, environment: Record<string, string>): Promise<string> {
  const { stdout } = await run(python, ['-c', code], { cwd: folder, env: { ...clientEnvironment(), ...environment } });
  return stdout;
}

const guide = await readFile(join(root, 'docs/python.md'), 'utf8');
const readme = await readFile(join(root, 'clients/python/README.md'), 'utf8');
const examplesIn = (text: string) => fencedBlocks(text, 'python');
const examples = examplesIn(guide);

/** The output of each example, in their order. */
const printed = ['first 192.0.2.1\n', 'eu\n', "['py-1']\n", '404 NOT_FOUND\n'];

test('the guide begins with an example of five lines, equal to that of the README', () => {
  expect(examples[0]!.trim().split('\n')).toHaveLength(5);
  expect(examplesIn(readme)).toEqual([examples[0]]);
  expect(examples).toHaveLength(printed.length);
});

test('every example of the guide runs', async () => {
  const environment = { INVENTORY_URL: server.base, INVENTORY_KEY: key, INVENTORY_CA: certificate };
  const outputs: string[] = [];
  for (const code of examples) outputs.push(await runPython(code, environment));
  expect(outputs).toEqual(printed);
});

/** What a strict type checker says of a program that uses the installed package. */
async function complaintsOf(name: string, code: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, code);
  const strict = ['--strict', '--python-executable', python, '--cache-dir', join(folder, 'mypy'), file];
  const { stdout } = await run(join(pythonPrograms, 'mypy'), strict, { cwd: folder }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout;
}

test('every example, and a program with an operation of each form, passes a strict type checker', async () => {
  const program = await readFile(join(here, 'client.py'), 'utf8');
  const removal = `
from monitoring_inventory import connect
from monitoring_inventory.api.discovery import discover_targets
from monitoring_inventory.api.nodes import remove_node

remove_node.sync("x", client=connect())
for group in discover_targets.sync(client=connect()):
    print(group.targets)
`;
  for (const [index, code] of [...examples, program, removal].entries())
    expect([index, await complaintsOf(`example_${index}.py`, code)]).toEqual([
      index,
      expect.stringMatching(/^Success/),
    ]);
});

test('a type checker finds an unknown filter, a wrong value, and an unknown field', async () => {
  const lines = [
    'from monitoring_inventory import connect, pages',
    'from monitoring_inventory.api.nodes import list_nodes',
    'pages(list_nodes, client=connect(), regio="eu")',
    'pages(list_nodes, client=connect(), region=7)',
    'print([node.nodename for node in pages(list_nodes, client=connect())])',
  ];
  const said = await complaintsOf('wrong.py', `${lines.join('\n')}\n`);
  for (const pattern of [
    /:3: error: Unexpected keyword argument "regio"/,
    /:4: error: Argument "region"/,
    /:5: error: .*"nodename"/,
  ])
    expect(said).toMatch(pattern);
});

test('an import loads only its models, and each model can be imported', async () => {
  const code = `
import sys
from monitoring_inventory import connect, pages
from monitoring_inventory.api.nodes import list_nodes
print(len([name for name in sys.modules if name.startswith("monitoring_inventory.models.")]))
import monitoring_inventory.models as models
print(all(getattr(models, name).__name__ == name for name in models.__all__), len(models.__all__) > 500)
try:
    models.Nothing
except AttributeError as error:
    print(error)
`;
  const [few, ...rest] = (await runPython(code, {})).trimEnd().split('\n');
  expect(Number(few)).toBeLessThan(10);
  expect(rest).toEqual(['True True', "module 'monitoring_inventory.models' has no attribute 'Nothing'"]);
});

test('each list of the service has pages', async () => {
  const lists = endpoints
    .filter(({ query }) => 'page_token' in (query as unknown as { shape: object }).shape)
    .map(({ id }) => id);
  const code = `
import importlib, pkgutil
import monitoring_inventory.api as api
for group in pkgutil.iter_modules(api.__path__, api.__name__ + "."):
    for one in pkgutil.iter_modules(importlib.import_module(group.name).__path__, group.name + "."):
        page = importlib.import_module(one.name).sync.__annotations__["return"]
        if hasattr(page, "page_items"):
            print(one.name.split(".")[-1])
`;
  const listFunctions = (await runPython(code, {})).trimEnd().split('\n');
  const names = lists.map((id) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  // An export is lines, and a cleanup is no list.
  expect(listFunctions.toSorted()).toEqual(
    names.filter((name) => !['export_inventory', 'clean_up'].includes(name)).toSorted(),
  );
});

test('a get of an unchanged object raises an error with the status 304', async () => {
  const code = `
from monitoring_inventory import InventoryError, connect, pages
from monitoring_inventory.api.nodes import get_node, list_nodes
client = connect()
node = next(pages(list_nodes, client=client))
try:
    get_node.sync(node.node_id, client=client, if_none_match=f'"{node.revision}"')
except InventoryError as error:
    print(error.http, error.status, error.message)
`;
  const environment = { INVENTORY_URL: server.base, INVENTORY_KEY: key, INVENTORY_CA: certificate };
  expect(await runPython(code, environment)).toBe('304 NOT_MODIFIED The object has not changed.\n');
});

test('the installed package adds and reads a node, exports and imports', async () => {
  const { stdout } = await run(python, [join(here, 'client.py'), server.base, key, certificate]);
  // An addition of the node itself is in the export, so at least one line is unchanged, and none is refused.
  expect(stdout).toMatch(/^from-python [1-9]\d* 0\n$/);
});

test('a key file, an unverified certificate and an untrusted certificate work as documented', async () => {
  await writeFile(join(folder, 'key'), `${key}\n`, { mode: 0o600 });
  const code = `
import os
from monitoring_inventory import connect
from monitoring_inventory.api.server import get_version
print(get_version.sync(client=connect(insecure=True)).api)
try:
    get_version.sync(client=connect())
except Exception as error:
    print(type(error).__name__)
`;
  const output = await runPython(code, { INVENTORY_URL: server.base, INVENTORY_KEY_FILE: join(folder, 'key') });
  expect(output).toBe('v1\nSettingError\n');
});

test("a private certificate, a proxy, and a key with a final line break work with the guide's example", async () => {
  const { server: privateServer, variables, tunnels, stop } = await startPrivateServer();
  try {
    const unnamed = `https://127.0.0.1:${privateServer.port}`;
    const named = `
from monitoring_inventory import SettingError, connect
from monitoring_inventory.api.server import get_version
try:
    get_version.sync(client=connect())
except SettingError as error:
    print(error.setting, error)
`;
    expect(await runPython(named, { ...variables, INVENTORY_URL: unnamed, HTTPS_PROXY: '' })).toContain(
      `url ${unnamed} has a certificate with other names: `,
    );
    expect(await runPython(examples[0]!, { ...variables, NO_PROXY: '' })).toBe('');
    expect(tunnels()).toBeGreaterThan(0);
    const longer = { ...variables, INVENTORY_URL: `${variables.INVENTORY_URL}/v1/` };
    expect(await runPython(examples[0]!, { ...longer, NO_PROXY: '' })).toBe('');
  } finally {
    await stop();
  }
});

test.each(['https', 'http'])(
  'a proxy that refuses a request of %s is asked once, and the setting is named',
  async (scheme) => {
    const proxy = await startProxy({}, '407 Proxy Authentication Required');
    const code = `
import asyncio
from monitoring_inventory import SettingError, connect
from monitoring_inventory.api.server import get_version
for call in (lambda: get_version.sync(client=connect()), lambda: asyncio.run(get_version.asyncio(client=connect()))):
    try:
        call()
    except SettingError as error:
        print(error.setting, error)
`;
    const url = `${scheme}://inventory.internal`;
    const env = { INVENTORY_URL: url, INVENTORY_KEY: key, HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: '' };
    const line = `proxy ${url} cannot be called: the proxy replied 407 Proxy Authentication Required. Correct HTTPS_PROXY or HTTP_PROXY: http://USER:PASSWORD@HOST:PORT.\n`;
    try {
      expect(await runPython(code, env)).toBe(`${line}${line}`);
      expect(proxy.seen).toHaveLength(2);
    } finally {
      await proxy.stop();
    }
  },
);

test('an absent setting is named, and a key file is checked', async () => {
  const code = `
from monitoring_inventory import SettingError, connect
from monitoring_inventory.api.server import get_version
try:
    get_version.sync(client=connect())
    print("no error")
except SettingError as error:
    print(error.setting, error)
`;
  const file = join(folder, 'two-keys');
  await writeFile(file, `${key}\n${key}\n`);
  const url = { INVENTORY_URL: server.base };
  expect(await runPython(code, {})).toBe(
    'url There is no server: give connect() the argument url, or set INVENTORY_URL.\n',
  );
  expect(await runPython(code, url)).toBe(
    'key There is no key: give connect() the argument key, or set INVENTORY_KEY or INVENTORY_KEY_FILE.\n',
  );
  const wrong = { ...url, INVENTORY_CA: certificate, INVENTORY_KEY_FILE: file };
  expect(await runPython(code, wrong)).toBe(
    `key The key in ${file} (INVENTORY_KEY_FILE) is empty, or has a character that no key has.\n`,
  );
  expect(await runPython(code, { ...wrong, INVENTORY_CA: file })).toContain(
    `ca ca (INVENTORY_CA) contains no certificate in PEM, ${file}: `,
  );
});

test('every case of wrong settings and failing servers passes, with sync and asyncio', async () => {
  const variants = connectionCases.flatMap((connectionCase) => [
    { connectionCase, is_async: false },
    { connectionCase, is_async: true },
  ]);
  const servers = await Promise.all(variants.map(({ connectionCase }) => startWrongServer(connectionCase)));
  try {
    const given = servers.map(({ url, key: secret }, index) => ({ url, key: secret, ...variants[index] }));
    const child = spawn(python, [join(here, 'connection_cases.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify(given));
    const results: ({ http: number; message: string } | null)[] = JSON.parse(await text(child.stdout));
    for (const [index, { connectionCase, is_async: isAsync }] of variants.entries()) {
      const [result, attempts] = [results[index], servers[index]!.attempts()];
      const about = [connectionCase.name, isAsync];
      expect([...about, attempts, result === null]).toEqual([
        ...about,
        connectionCase.attempts,
        connectionCase.is !== 'permanent',
      ]);
      for (const part of result ? saidIn(connectionCase, 'python') : []) expect(result!.message).toContain(part);
      if (result && connectionCase.hides !== undefined) expect(result.message).not.toContain(connectionCase.hides);
    }
  } finally {
    for (const server of servers) await server.stop();
  }
});

test("objects of a later server's types are read with all fields", async () => {
  const code = `
from monitoring_inventory.models import ListAgentsResponse200, ListNodesResponse200, ListServicesResponse200
shared = {"custom_labels": {}, "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "revision": 1}
node = {"node_id": "n", "node_name": "first", "address": "a", **shared}
service = {"service_id": "s", "service_name": "db", "node_ids": [], **shared}
agent = {"agent_id": "a", "runs_on_node_id": "n", "insights": {"node_ids": [], "service_ids": []}, "disabled": False, **shared}
for page, kind, known, fields in (
    (ListNodesResponse200, "node", "generic", node),
    (ListServicesResponse200, "service", "haproxy", service),
    (ListAgentsResponse200, "agent", "pmm_agent", agent),
):
    sent = [{**fields, f"{kind}_type": known}, {**fields, f"{kind}_type": "later", "engine": 3}]
    for one in getattr(page.from_dict({f"{kind}s": sent}), f"{kind}s"):
        print(type(one).__name__, one.to_dict()[f"{kind}_type"], one.revision, one.additional_properties)
`;
  expect((await runPython(code, {})).trimEnd().split('\n')).toEqual([
    'GenericNode generic 1 {}',
    "OtherNode later 1 {'engine': 3}",
    'HaproxyService haproxy 1 {}',
    "OtherService later 1 {'engine': 3}",
    'PmmAgent pmm_agent 1 {}',
    "OtherAgent later 1 {'engine': 3}",
  ]);
});

describe('requests that fail', () => {
  let inventory: Inventory;
  let faulty: FaultyServer;

  beforeAll(async () => {
    inventory = await startInventory({ clock: timeOfDay });
    faulty = await startFaultyServer(inventory);
  });
  afterAll(async () => {
    await faulty.stop();
    await inventory.stop();
  });

  /** Runs the code with `client`, whose case has these faults. */
  async function withFaults(name: string, faults: HttpFault[], code: string) {
    faulty.faults.set(name, [...faults]);
    const output = await runPython(
      `from monitoring_inventory import *\nfrom monitoring_inventory.api.nodes import add_node, change_node, list_nodes, remove_node\n` +
        `from monitoring_inventory.models import *\nclient = connect(timeout=20)\n${code}`,
      { INVENTORY_URL: `${faulty.base}/${name}`, INVENTORY_KEY: inventory.keys.Admin },
    );
    return { output, requests: faulty.requests.get(name) };
  }
  const add = (name: string) =>
    `node = add_node.sync(client=client, body=AddGenericNode(node_type="generic", node_name="${name}", address="10.0.0.1"))\n`;

  test('of an add whose replies are lost have one effect', async () => {
    const { output, requests } = await withFaults(
      'add',
      ['429', 'lost reply', '503'],
      `${add('once')}print(node.node_name, node.revision)`,
    );
    expect([output, requests]).toEqual(['once 1\n', 4]);
  });

  test('end with the fourth attempt', async () => {
    const code = `try:\n    list(pages(list_nodes, client=client))\nexcept InventoryError as error:\n    print(error.http, error.status, error.__cause__.http)`;
    const { output, requests } = await withFaults('last', ['503', '502', '503', '503', '503'], code);
    expect([output, requests]).toEqual(['503 UNAVAILABLE 503\n', 4]);
  });

  test('continue pages after refusals, each with its token', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `page-${index}`);
    for (const name of names)
      await inventory.request('POST', '/v1/nodes', { body: { node_type: 'generic', node_name: name, address: 'a' } });
    const code = `print(*(node.node_name for node in pages(list_nodes, client=client, name_prefix="page-", page_size=2)))`;
    const { output, requests } = await withFaults('pages', ['429', '503', 'cut body'], code);
    expect(output).toBe(`${names.join(' ')}\n`);
    expect(requests).toBe(6);
  });

  test('repeat a change after 429, and after a lost reply only with a revision', async () => {
    const node = { node_type: 'generic', node_name: 'changed', address: 'a' };
    const { node_id: id } = (await inventory.request('POST', '/v1/nodes', { body: node })).body;
    const change = (more: string) => `
try:
    print(change_node.sync("${id}", client=client, body=ChangeNode(region="eu")${more}).revision)
except httpx.TransportError:
    print("lost")
`;
    const plain = await withFaults('plain', ['429', 'lost reply'], `import httpx\n${change('')}`);
    expect(plain).toEqual({ output: 'lost\n', requests: 2 });
    const exact = await withFaults('exact', ['lost request'], `import httpx\n${change(`, if_match='"2"'`)}`);
    expect(exact).toEqual({ output: '2\n', requests: 2 });
  });

  test('of a removal with a lost reply have succeeded', async () => {
    const node = { node_type: 'generic', node_name: 'removed', address: 'a' };
    const { node_id: id } = (await inventory.request('POST', '/v1/nodes', { body: node })).body;
    const code = `
import asyncio
print(asyncio.run(remove_node.asyncio_detailed("${id}", client=client)).status_code)
try:
    remove_node.sync_detailed("${id}", client=client)
except InventoryError as error:
    print(error.http)
`;
    expect(await withFaults('remove', ['lost reply'], code)).toEqual({ output: '204\n404\n', requests: 3 });
  });

  test('repeat a reconciliation, but not an API key', async () => {
    const post = (module: string, body: string) => `
import httpx
from monitoring_inventory.api.api_keys import add_api_key
from monitoring_inventory.api.bulk import reconcile
try:
    ${module}.sync(client=client, body=${body})
    print("done")
except httpx.TransportError:
    print("lost")
`;
    const desired = `Reconcile.from_dict({"scope": {"selector": "fleet=none"}, "desired": {}})`;
    const plan = await withFaults('reconcile', ['lost reply'], post('reconcile', desired));
    expect(plan).toEqual({ output: 'done\n', requests: 2 });
    const key = await withFaults(
      'key',
      ['lost reply'],
      post('add_api_key', 'AddApiKey.from_dict({"name": "twice", "role": "Viewer"})'),
    );
    expect(key).toEqual({ output: 'lost\n', requests: 1 });
  });
});
