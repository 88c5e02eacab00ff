/**
 * The Terraform example of docs/automation.md: read by a parser of HCL, and every request that it makes is made. Terraform and the
 * provider themselves are not run; what the provider adds by default is stated here.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { run } from './processes.ts';
import { pathOf } from './programs.ts';

const ORIGIN = 'https://inventory.example.com';

let folder: string;
let server: RunningServer;
let keys: Record<'Editor' | 'Viewer', string>;
let example: any;

/** With the blocks of a type as one object, by their labels. */
function byLabel(value: unknown): any {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(byLabel));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, byLabel(inner)]));
}

beforeAll(async () => {
  folder = await newDataDir();
  const [parser] = await Promise.all([
    pathOf('hcl2tojson'),
    startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } }).then(
      (started) => (server = started),
    ),
  ]);
  keys = (await makeKeys(server)).keys;
  const docs = await readFile(new URL('../../docs/automation.md', import.meta.url), 'utf8');
  const [, hcl = ''] = /^```hcl\n([\s\S]*?)^```$/m.exec(docs) ?? [];
  const [input, output] = [join(folder, 'main.tf'), join(folder, 'main.json')];
  await writeFile(input, hcl);
  await run([parser, '--strip-string-quotes', '-o', output, input], {
    cwd: folder,
    env: process.env,
    limitMilliseconds: 300_000,
  });
  example = byLabel(JSON.parse(await readFile(output, 'utf8')));
});

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

/** A client with the headers of the example, and this key for the variable. */
function withHeaders(headers: Record<string, string>, key: string): Client {
  const authorization = headers['Authorization']?.replace('${var.inventory_key}', key);
  expect(authorization).toBe(bearer(key));
  return clientOf(server, authorization);
}

/** What `jsonencode` makes of an object of texts and objects. */
const encoded = (expression: string): any =>
  JSON.parse(/^\$\{jsonencode\((.*)\)\}$/.exec(expression)![1]!.replace(/(\w+) = /g, '"$1": '));

test('the key is a sensitive variable, and is sent to this server only', () => {
  expect(example.variable.inventory_key).toMatchObject({ type: 'string', sensitive: true });
  expect(example.provider.restapi.uri).toBe(ORIGIN);
  expect(example.data.http.production.url).toMatch(new RegExp(`^${ORIGIN}/v1/`));
});

test('the resource is added, read, changed in place, added again as the same one, and removed', async () => {
  const { headers, write_returns_object: returns, id_attribute: idAttribute } = example.provider.restapi;
  expect([returns, headers['Content-Type']]).toEqual([true, 'application/json']);
  const ask = withHeaders(headers, keys.Editor);
  const { path, create_method, create_path, update_method, update_path, data } = example.resource.restapi_object.db;
  const wanted = encoded(data);

  const added = bodyOf(await ask(create_method, create_path, { body: wanted }), 201);
  expect(added).toMatchObject(wanted);
  // By default the provider reads and removes under the path and the id.
  const own = `${path}/${added[idAttribute]}`;
  expect(bodyOf(await ask('GET', own), 200)).toMatchObject(wanted);
  const next = { ...wanted, custom_labels: { team: 'web' } };
  expect(bodyOf(await ask(update_method, update_path, { body: next }), 200)).toMatchObject({
    ...next,
    [idAttribute]: added[idAttribute],
    outcome: 'changed',
  });
  expect(bodyOf(await ask(create_method, create_path, { body: next }), 200).outcome).toBe('unchanged');
  expect((await ask('DELETE', own)).status).toBe(204);
  expect((await ask('GET', own)).status).toBe(404);
});

test('the data source finds the services that its output lists, with the role Viewer', async () => {
  const editor = clientOf(server, bearer(keys.Editor));
  for (const environment of ['prod', 'test']) {
    const body = { service_type: 'haproxy', service_name: `proxy-${environment}`, environment };
    expect((await editor('POST', '/v1/services', { body })).status).toBe(201);
  }
  const { url, request_headers: headers } = example.data.http.production;
  const path = url
    .replace(ORIGIN, '')
    .replace(/\$\{urlencode\("(.*)"\)\}/, (_: string, text: string) => encodeURIComponent(text));
  const found = bodyOf(await withHeaders(headers, keys.Viewer)('GET', path), 200);
  const { value } = example.output.production_services;
  const [, list = '', field = ''] = /response_body\)\.(\w+) : service\.(\w+)\]/.exec(value) ?? [];
  expect(found[list].map((service: Record<string, unknown>) => service[field])).toEqual(['proxy-prod']);
});
