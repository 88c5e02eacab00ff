import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import * as zod from 'zod';
import { agentStatuses } from '../functions/domain/agent/types.ts';
import { statusTransitions } from '../functions/domain/agent/lifecycle.ts';
import { endpoints } from '../functions/api/endpoints.ts';
import { routes } from '../functions/pmm/declarations/routes.ts';
import { examples } from '../functions/openapi/examples.ts';
import { inventoryDocument } from '../functions/openapi/document.ts';
import type { Example } from '../shared/openapi/example.ts';
import { nameOf } from '../shared/openapi/schemas.ts';
import type { Response } from '../shared/openapi/specification.ts';
import { generatedFiles } from '../tools/generate.ts';
import { providerKinds, terraformProvider } from '../tools/terraform-provider.ts';
import { terraformRules } from '../tools/terraform-rules.ts';
import { typeScriptClient } from '../tools/typescript-client/generate.ts';
import { ADMIN_PASSWORD, type Inventory, startInventory } from './support/inventory.ts';
import { type Id, story, Telling } from './support/story.ts';

const document = inventoryDocument('1.2.3');
/** Computed once: it takes most of a second. */
const generated = generatedFiles();
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const { schemas } = document.components;

/** A new endpoint has none yet. */
const examplesOf = (id: string) => (examples as Partial<Record<string, Readonly<Record<string, Example>>>>)[id] ?? {};

const allExamples = endpoints.flatMap((endpoint) =>
  Object.entries(examplesOf(endpoint.id)).map(([name, example]) => ({ id: endpoint.id, name, endpoint, example })),
);

/** The success response in the document; default: the first one. */
function successOf(id: string, status?: number): Response {
  const { responses } = operations.find(({ operationId }) => operationId === id)!;
  return (status === undefined ? Object.values(responses)[0] : responses[status]) as Response;
}

/** The names of the schemas that a value refers to, directly or through others. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  for (const [, reference] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(reference!)) continue;
    names.add(reference!);
    namesIn(schemas[reference!], names);
  }
  return names;
}

/** A check by what the document says, and by nothing else. */
function schemaOfReply(id: string): zod.ZodType {
  const { content } = successOf(id);
  const lines = content!['application/x-ndjson']?.schema['contentSchema'] as object | undefined;
  const schema = lines ?? Object.values(content!)[0]!.schema;
  const definitions = Object.fromEntries([...namesIn(schema)].map((name) => [name, schemas[name]]));
  const whole = JSON.stringify({ ...schema, $defs: definitions }).replaceAll('#/components/schemas/', '#/$defs/');
  return zod.fromJSONSchema(JSON.parse(whole), { registry: zod.registry<any>() });
}

/** Every value in the document with the path to it. */
function* walk(value: unknown, path: string[] = []): Generator<[string[], any]> {
  yield [path, value];
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* walk(inner, [...path, key]);
}

describe('the document', () => {
  test.each(['swagger-static/swagger/openapi.json', 'docs/api.md', 'docs/scale.md'])(
    '%s equals what is generated from its source',
    async (path) => {
      const committed = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
      // Not toEqual: a difference in a file this long helps nobody.
      if (committed !== (await generated).get(path))
        throw new Error(`${path} differs from its source: run \`npm run generate\`, which writes it`);
    },
  );

  const ofTerraform = [...terraformProvider(document), ...terraformRules(providerKinds(document))];
  test.each([...typeScriptClient(document).keys(), ...ofTerraform.map(([path]) => path)])(
    '%s equals what is generated from it',
    async (path) => {
      const committed = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
      if (committed !== (await generated).get(path))
        throw new Error(`${path} differs from its source: run \`npm run generate\`, which writes it`);
    },
  );

  test('gives every text of a request a limit: a length, a pattern or a format', () => {
    const reached = new Set<string>();
    function* texts(value: unknown, at: string): Generator<{ at: string; value: any }> {
      for (const [path, inner] of walk(value)) {
        const name = typeof inner?.$ref === 'string' ? nameOf(inner.$ref) : undefined;
        if (name !== undefined && !reached.has(name)) {
          reached.add(name);
          yield* texts(schemas[name], name);
        }
        if (inner?.type === 'string' && inner.enum === undefined && inner.const === undefined)
          yield { at: [at, ...path].join(' '), value: inner };
      }
    }
    const all = operations.flatMap(({ operationId, parameters = [], requestBody }) => [
      ...texts(
        parameters.filter((parameter) => !('$ref' in parameter)),
        operationId,
      ),
      ...texts(requestBody?.content['application/json']?.schema, operationId),
    ]);
    expect(all.length).toBeGreaterThan(100);
    const unlimited = all.filter(
      ({ value: { maxLength, pattern, format } }) => (maxLength ?? pattern ?? format) === undefined,
    );
    expect(unlimited.map(({ at }) => at)).toEqual([]);
  });

  test('has one operation for each endpoint, under its path, method and id', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(endpoints.map(({ id, method, path }) => `${id} ${method} ${path}`).sort());
  });

  test('refers only to existing components, and to each of them', () => {
    const references = new Set(
      [...walk(document)].flatMap(([, value]) => (typeof value?.$ref === 'string' ? [value.$ref] : [])),
    );
    const there = Object.entries(document.components).flatMap(([section, entries]) =>
      section === 'securitySchemes' ? [] : Object.keys(entries).map((name) => `#/components/${section}/${name}`),
    );
    expect([...references].sort()).toEqual(there.sort());
  });

  test('describes every schema and every field', () => {
    const described = (schema: any): boolean =>
      'description' in schema ||
      ('$ref' in schema && described(schemas[nameOf(schema.$ref)])) ||
      (schema.anyOf?.some(described) ?? false);
    const silent = [...walk(document)].flatMap(([path, value]) => {
      const isSchema = path.at(-2) === 'properties' || (path.length === 3 && path[1] === 'schemas');
      return isSchema && !described(value) ? [path.join('.')] : [];
    });
    expect(silent).toEqual([]);
  });

  test('lets every type of a union be chosen by its field', () => {
    for (const name of ['Node', 'Service', 'Agent', 'Add_node', 'Add_service', 'Add_agent']) {
      const { oneOf, discriminator } = schemas[name]!;
      const { propertyName, mapping } = discriminator!;
      expect(Object.values(mapping!)).toEqual(oneOf!.map(({ $ref }) => $ref));
      for (const [type, $ref] of Object.entries(mapping!))
        expect(schemas[nameOf($ref)]!.properties![propertyName]!.const).toBe(type);
    }
  });

  test('states of every operation that a request, or its reply, may be too large', () => {
    for (const { operationId, responses } of operations)
      expect([operationId, '413' in responses]).toEqual([operationId, true]);
  });

  test('states the patterns of durations, preconditions and names', () => {
    const patternOf = (schema: any) => new RegExp(schema.pattern, 'u');
    const { 'If-Match': ifMatch } = document.components.parameters;
    for (const good of ['*', '"1"', '"1", W/"2"']) expect(good).toMatch(patternOf(ifMatch!.schema));
    for (const bad of ['1', '*, *', 'foo']) expect(bad).not.toMatch(patternOf(ifMatch!.schema));
    const life = schemas['Add_api_key']!.properties!['time_to_live']!;
    for (const good of ['30d', '5m', '90']) expect(good).toMatch(patternOf(life));
    for (const bad of ['', '1.5d', '1d6h', '-1s']) expect(bad).not.toMatch(patternOf(life));
    const name = schemas['Add_generic_node']!.properties!['node_name']!;
    expect('Größe 1/ä').toMatch(patternOf(name));
    for (const bad of ['a\nb', 'a\u202eb', '\u0000']) expect(bad).not.toMatch(patternOf(name));
    expect(name.description).toContain('1000 bytes');
  });

  test('names a contact', () => {
    expect(document.info.contact?.name).toBeTruthy();
  });

  test('and its reference mention only existing operations', async () => {
    // A path with a custom verb is mentioned up to its colon.
    const ofPmm = routes.map(({ method, path }) => `${method} ${path.split(':', 1)[0]}`);
    const knownOperations = new Set([...endpoints.map(({ method, path }) => `${method} ${path}`), ...ofPmm]);
    const texts = [...(await generated).values(), ...[...walk(document)].map(([, value]) => String(value))];
    const mentioned = texts.flatMap((text) => text.match(/\b(GET|POST|PUT|PATCH|DELETE) \/v1[\w/{}.-]*[\w}]/g) ?? []);
    expect(mentioned.length).toBeGreaterThan(endpoints.length);
    expect(mentioned.filter((operation) => !knownOperations.has(operation))).toEqual([]);
    expect(texts.join(' ')).not.toMatch(/no operation reports/i);
  });

  test('groups all operations under their headings', () => {
    const headings = document.tags.map(({ name }) => name);
    expect(new Set(headings).size).toBe(headings.length);
    expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(headings));
  });
});

test('no request fits two paths of equal precision', async () => {
  const isTemplate = (segment: string) => segment.startsWith('{');
  const overlap = (left: string[], right: string[]) =>
    left.length === right.length &&
    left.every((segment, index) => isTemplate(segment) || isTemplate(right[index]!) || segment === right[index]);
  const isNarrower = (left: string[], right: string[]) =>
    left.some((segment, index) => !isTemplate(segment) && isTemplate(right[index]!));
  const pairs = endpoints.flatMap((earlier) =>
    endpoints.flatMap((other) => {
      const [left, right] = [earlier.path.split('/'), other.path.split('/')];
      const isUnclear = overlap(left, right) && isNarrower(left, right) && isNarrower(right, left);
      return isUnclear ? [[earlier, other] as const] : [];
    }),
  );
  expect(pairs.length).toBeGreaterThan(0);
  for (const [endpoint, other] of pairs)
    expect([endpoint.id, endpoint.method]).not.toEqual([endpoint.id, other.method]);
  // The linter compares paths without their methods, and names the later one of each pair.
  const paths = Object.keys(document.paths);
  const named = pairs
    .filter(([endpoint, other]) => paths.indexOf(endpoint.path) < paths.indexOf(other.path))
    .map(([, { path }]) => `#/paths/${path.replaceAll('/', '~1')}`);
  const exceptions = parseYaml(await readFile(new URL('../.redocly.lint-ignore.yaml', import.meta.url), 'utf8'));
  expect(exceptions['swagger-static/swagger/openapi.json']['no-ambiguous-paths'].toSorted()).toEqual(
    [...new Set(named)].toSorted(),
  );
});

test('in the table of reports every status can be left, all except unknown can be reported, and none follows itself', () => {
  expect(Object.keys(statusTransitions)).toEqual([...agentStatuses]);
  for (const [status, next] of Object.entries(statusTransitions)) {
    expect(next).not.toHaveLength(0);
    expect(next).not.toContain(status);
  }
  expect(new Set(Object.values(statusTransitions).flat())).toEqual(
    new Set(agentStatuses.filter((status) => status !== 'unknown')),
  );
});

describe('the examples', () => {
  test.each(endpoints.map(({ id }) => id))('%s has one with all that it sends and gets', (id) => {
    const endpoint = endpoints.find((candidate) => candidate.id === id)!;
    const ownExamples = Object.values(examplesOf(id));
    if (ownExamples.length === 0)
      throw new Error(`functions/openapi/examples/: write an example of ${id} in one of its files`);
    const takesBody = !z.safeParse(endpoint.body, undefined).success;
    for (const example of ownExamples) {
      expect(example.body !== undefined).toBe(takesBody);
      expect(example.reply !== undefined).toBe(endpoint.reply.schema !== undefined);
    }
  });

  test.each(allExamples)('$id $name obeys its contract', ({ endpoint, example }) => {
    z.parse(endpoint.params, example.params ?? {});
    z.parse(endpoint.body, example.body);
    if (endpoint.reply.schema !== undefined)
      expect(z.parse(endpoint.reply.schema, example.reply)).toEqual(example.reply);
  });
});

/** Those whose reply depends on nothing but the story: it is the example to the letter, but for the ids. */
const exact = new Set(
  story.filter(
    (id) =>
      /^(?!enrol|report).*(Node|Service|Agent)s?$/.test(id) ||
      ['listServiceTypes', 'listClusters', 'getReadiness', 'discoverTargets'].includes(id),
  ),
);

describe('the story of the examples on a server', () => {
  let inventory: Inventory;
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());

  const telling = new Telling();
  const asAdmin = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

  test('includes every endpoint', () => {
    const untold = endpoints.filter(({ id }) => !story.includes(id as Id));
    expect(untold.map(({ id }) => `tests/support/story.ts: write '${id}' in \`told\``)).toEqual([]);
    expect(story).toHaveLength(endpoints.length);
  });

  const calls = story.flatMap((id) => Object.entries(examplesOf(id)).map(([name, example]) => ({ id, name, example })));

  test.each(calls)('$id $name', async ({ id, example }: { id: Id; example: Example }) => {
    const { method, url, type, body, status, key } = telling.requestOf(id, example);
    const expected = example.reply as any;
    if (expected?.updated_at !== undefined) inventory.clock.now = new Date(expected.updated_at);
    const headers = {
      Authorization: key === undefined ? asAdmin : `Bearer ${key}`,
      ...(body === undefined ? {} : { 'Content-Type': type }),
    };
    const got = await inventory.request(method, url, { body, headers, as: null });
    inventory.clock.now = undefined;
    expect([got.status, got.text]).toEqual([status, status === 204 ? '' : expect.anything()]);
    expect(Object.keys(got.headers)).toEqual(expect.arrayContaining(Object.keys(successOf(id, status).headers ?? {})));
    if (status === 204) return;
    telling.learn(id, example, got.body);
    schemaOfReply(id).parse(got.body);
    if (exact.has(id)) expect(got.body).toEqual(telling.translated(expected));
  });
});
