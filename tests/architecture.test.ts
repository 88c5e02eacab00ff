import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { endpoints } from '../functions/api/endpoints.ts';
import { loadedModules } from './support/loaded-modules.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Source {
  /** From the root: `shared/core/text.ts`. */
  path: string;
  /** Without comments. */
  code: string;
  /** What it imports, types included: paths from the root, or package names. */
  imports: string[];
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const IMPORTS = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

const resolved = (path: string, specifier: string) =>
  specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier;

async function read(path: string): Promise<Source> {
  const code = (await readFile(join(root, path), 'utf8')).replace(COMMENTS, '');
  const imports = [...code.matchAll(IMPORTS)].map(([, specifier = '']) => resolved(path, specifier));
  return { path, code, imports };
}

/** All TypeScript below a folder, tests left out. */
async function sourcesIn(folder: string): Promise<Source[]> {
  if (!existsSync(join(root, folder))) return [];
  const names = await readdir(join(root, folder), { recursive: true });
  const paths = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
  return Promise.all(paths.sort().map((name) => read(join(folder, name))));
}

const [shared, functions, local, infra, browser, clients, gateway] = await Promise.all(
  ['shared', 'functions', 'local', 'infra', 'console', 'clients', 'gateway'].map(sourcesIn),
);
const production = [...shared!, ...functions!, ...infra!];

const isBuiltin = (name: string) => name.startsWith('node:') || builtinModules.includes(name);

const loaded = new Map<string, readonly string[]>();

/** The modules that a file itself loads when it runs: paths from the root, or packages and modules of Node. */
async function loadedDirectly(path: string): Promise<readonly string[]> {
  const loadedNames = loaded.get(path);
  if (loadedNames !== undefined) return loadedNames;
  const names = loadedModules(await readFile(join(root, path), 'utf8')).map((name) => resolved(path, name));
  loaded.set(path, names);
  return names;
}

/**
 * Everything that these files load when they run: types are gone, whatever else they import is followed.
 * `external`: packages and modules of Node.
 */
async function loadedBy(entryPoints: readonly string[]): Promise<{ files: string[]; external: string[] }> {
  const files = new Set<string>(entryPoints);
  const external = new Set<string>();
  for (const path of files) {
    for (const name of await loadedDirectly(path)) {
      if (existsSync(join(root, name))) files.add(name);
      else external.add(name);
    }
  }
  return { files: [...files], external: [...external].sort() };
}

const offending = (sources: readonly Source[], isWrong: (specifier: string) => boolean) =>
  sources.flatMap(({ path, imports }) => imports.filter(isWrong).map((specifier) => `${path} imports ${specifier}`));

const findings = (sources: readonly Source[], pattern: RegExp) =>
  sources.flatMap(({ path, code }) => [...code.matchAll(pattern)].map(([match]) => `${path}: ${match}`));

test('zod is imported whole, because a named import adds every locale to the bundle (+360 kB)', () => {
  expect(findings(production, /import \{[^}]*\} from 'zod.*'/g)).toEqual([]);
});

describe('contracts', () => {
  test('load zod, the domain and pure shared modules: no SDK, no handler, no built-in module', async () => {
    const { files, external } = await loadedBy(['functions/api/endpoints.ts']);
    const contracts = [
      /^functions\/api\/(endpoints|endpoint-table)\.ts$/,
      /^functions\/api\/([a-z-]+\/)+endpoint\.ts$/,
      /^functions\/contract\/(endpoint|caller)\.ts$/,
      /^functions\/domain\//,
      /^shared\//,
    ];
    expect(files.filter((file) => !contracts.some((pattern) => pattern.test(file)))).toEqual([]);
    // Synthesis and the OpenAPI document load this: whatever is added here has to cost nothing.
    expect(external).toEqual(['zod/mini']);
    expect(files.length).toBeGreaterThan(endpoints.length);
  });

  test('have unique ids and routes', () => {
    const ids = endpoints.map(({ id }) => id);
    const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
    // An id becomes part of the names of functions, folders and resources; the two others are not endpoints.
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]{0,39}$/);
    expect(ids).not.toEqual(expect.arrayContaining(['authorizer']));
    expect(ids).not.toEqual(expect.arrayContaining(['catchAll']));
  });

  test.each(endpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s obeys API Gateway's rules for paths",
    (path, { params }) => {
      // A path part has these characters only; a parameter takes a whole part.
      expect(path).toMatch(/^\/v1(\/([a-zA-Z0-9._:-]+|\{[a-zA-Z0-9._:-]+\}))+$/);
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      expect(new Set(named).size).toBe(named.length);
      expect(params instanceof z.ZodMiniObject && Object.keys(params.shape)).toEqual(named);
    },
  );

  test('use one parameter name at each place, because an API Gateway resource has one variable child at most', () => {
    const names = new Map<string, Set<string>>();
    for (const { path } of endpoints) {
      const parts = path.split('/');
      for (const [index, part] of parts.entries()) {
        if (!part.startsWith('{')) continue;
        const parent = parts.slice(0, index).join('/');
        names.set(parent, (names.get(parent) ?? new Set()).add(part));
      }
    }
    expect([...names].filter(([, variables]) => variables.size > 1)).toEqual([]);
  });
});

/**
 * Which folders each folder may import, from the bottom to the top. A folder stands for those below it too. All may import
 * `shared`, all but `shared` may import `functions/contract`, and each may import itself.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'shared/core': [],
  'shared/auth': ['shared/core'],
  'shared/net': ['shared/core'],
  'shared/selector': ['shared/core'],
  'shared/db': ['shared/core'],
  'shared/http': ['shared/auth', 'shared/core'],
  'shared/openapi': ['shared/core', 'shared/http'],
  'shared/aws': ['shared/core'],
  'shared/testing': ['shared'],
  'functions/contract': [],
  'functions/domain/fields': [],
  'functions/domain/node': ['functions/domain/fields'],
  'functions/domain/service': ['functions/domain/fields'],
  'functions/domain/agent': ['functions/domain/fields', 'functions/domain/node', 'functions/domain/service'],
  'functions/domain/access': ['functions/domain/fields', 'functions/domain/node'],
  'functions/domain/discovery': ['functions/domain/fields'],
  'functions/domain/records': ['functions/domain/access', 'functions/domain/agent', 'functions/domain/fields'],
  'functions/domain/bulk': [
    'functions/domain/access',
    'functions/domain/agent',
    'functions/domain/fields',
    'functions/domain/node',
    'functions/domain/service',
  ],
  'functions/domain/groups': [
    'functions/domain/agent',
    'functions/domain/fields',
    'functions/domain/node',
    'functions/domain/service',
  ],
  'functions/store/table': ['functions/domain'],
  'functions/store/entities': ['functions/domain', 'functions/store/table'],
  'functions/store/heartbeats': ['functions/domain', 'functions/store/entities', 'functions/store/table'],
  'functions/store/history': ['functions/domain', 'functions/store/entities', 'functions/store/table'],
  'functions/store/jobs': ['functions/domain', 'functions/store/entities', 'functions/store/table'],
  'functions/store/lists': [
    'functions/domain',
    'functions/store/entities',
    'functions/store/heartbeats',
    'functions/store/table',
  ],
  'functions/store/audit': [
    'functions/domain',
    'functions/store/entities',
    'functions/store/history',
    'functions/store/table',
  ],
  'functions/store/inventory': [
    'functions/domain',
    'functions/store/entities',
    'functions/store/heartbeats',
    'functions/store/history',
    'functions/store/jobs',
    'functions/store/table',
  ],
  'functions/store/credentials': [
    'functions/domain',
    'functions/store/audit',
    'functions/store/entities',
    'functions/store/inventory',
    'functions/store/table',
  ],
  'functions/store/saved-filters': [
    'functions/contract',
    'functions/domain',
    'functions/store/audit',
    'functions/store/credentials',
    'functions/store/entities',
    'functions/store/table',
  ],
  'functions/store/silences': [
    'functions/domain',
    'functions/store/audit',
    'functions/store/credentials',
    'functions/store/entities',
    'functions/store/table',
  ],
  'functions/store/summary': [
    'functions/domain',
    'functions/store/credentials',
    'functions/store/entities',
    'functions/store/heartbeats',
    'functions/store/history',
    'functions/store/inventory',
    'functions/store/jobs',
    'functions/store/lists',
    'functions/store/table',
  ],
  'functions/transitions': ['functions/domain', 'functions/store/entities', 'functions/store/inventory'],
  'functions/runtime': ['functions/domain', 'functions/store'],
  'functions/replies': ['functions/domain', 'functions/store'],
  'functions/bulk': ['functions/domain', 'functions/runtime', 'functions/store', 'functions/transitions'],
  'functions/pmm/declarations': ['functions/domain'],
  'functions/pmm/wire': ['functions/pmm/declarations', 'functions/runtime'],
  'functions/pmm/operations': [
    'functions/domain',
    'functions/pmm/declarations',
    'functions/pmm/wire',
    'functions/store',
    'functions/transitions',
  ],
  'functions/opamp/protocol': ['functions/domain'],
  'functions/opamp': [
    'functions/domain',
    'functions/replies',
    'functions/runtime',
    'functions/store',
    'functions/transitions',
  ],
  'functions/identity': ['functions/domain', 'functions/runtime', 'functions/store'],
  'functions/facades.ts': ['functions/identity', 'functions/opamp', 'functions/pmm/facades'],
  'functions/pmm/facades': ['functions/pmm/declarations', 'functions/pmm/operations', 'functions/pmm/wire'],
  // One folder of this for each resource.
  'functions/api/*': [
    'functions/bulk',
    'functions/domain',
    'functions/identity',
    'functions/pmm/declarations',
    'functions/replies',
    'functions/runtime',
    'functions/store',
    'functions/transitions',
  ],
  'functions/api': ['functions/api/*'],
  'functions/openapi': ['functions/api'],
  'functions/triggers': [
    'functions/api',
    'functions/bulk',
    'functions/domain',
    'functions/replies',
    'functions/runtime',
    'functions/store',
  ],
  'console/api': ['clients/typescript', 'functions/api/*'],
  'console/ui': ['console/api'],
  'console/search-index': ['console/api', 'functions/api/*', 'functions/domain'],
  'console/model': ['console/api', 'console/search-index', 'console/ui', 'functions/api/*', 'functions/domain'],
  'console/search': ['console/api', 'console/model', 'console/search-index', 'console/ui', 'functions/api/*'],
  ...Object.fromEntries(
    ['cells', 'history', 'form', 'bulk', 'list', 'page'].map((room, index, rooms) => [
      `console/objects/${room}`,
      [
        ...rooms.slice(0, index).map((lower) => `console/objects/${lower}`),
        'console/api',
        'console/model',
        'console/search-index',
        'console/ui',
        'functions/api/*',
        'functions/domain',
      ],
    ]),
  ),
  ...Object.fromEntries(
    [
      ...[
        'account',
        'api-keys',
        'audit',
        'clusters',
        'device',
        'overview',
        'quick-start',
        'reconcile',
        'removed',
        'sessions',
      ],
      ...['role-bindings', 'silences', 'users'],
    ].map((feature) => [
      `console/${feature}`,
      [
        'console/api',
        'console/model',
        'console/objects',
        'console/quick-start',
        'console/sessions',
        'console/ui',
        'functions/api/*',
        'functions/domain',
      ],
    ]),
  ),
  'console/app': ['console', 'functions/api/*'],
  'console/documents': ['console/ui'],
  'console/testing': ['console', 'functions/domain/records', 'local/gateway'],
  console: ['console/app', 'console/documents'],
  'infra/assets': ['console', 'functions/api', 'gateway', 'functions/pmm/declarations', 'functions/facades.ts'],
  'infra/settings': ['functions/api', 'functions/domain', 'functions/facades.ts', 'functions/store/table'],
  'infra/data': ['functions/store/table', 'infra/settings'],
  'infra/functions': [
    'functions/api',
    'functions/facades.ts',
    'functions/pmm/facades',
    'functions/store/table',
    'infra/data',
    'infra/settings',
  ],
  'infra/gateway': ['functions/api', 'infra/functions', 'infra/settings'],
  'infra/site': ['functions/facades.ts', 'infra/assets', 'infra/functions', 'infra/gateway', 'infra/settings'],
  'infra/triggers': ['functions/api', 'functions/domain', 'functions/store/table', 'infra/data', 'infra/functions'],
  'infra/agents': ['functions/api', 'gateway/container', 'infra/data', 'infra/functions', 'infra/settings'],
  'infra/operations': [
    'infra/agents',
    'functions/api',
    'functions/domain',
    'functions/store/table',
    'infra/functions',
    'infra/gateway',
    'infra/settings',
    'infra/triggers',
  ],
  'infra/synthesis': [
    'functions/api',
    'functions/facades.ts',
    'functions/store/table',
    'infra/app',
    'infra/assets',
    'infra/settings',
  ],
  'infra/permissions': ['infra/settings', 'infra/synthesis'],
  'infra/objects': [
    'clients/cdk',
    'clients/cli',
    'clients/typescript',
    'functions/domain',
    'infra/assets',
    'infra/data',
    'infra/functions',
    'infra/settings',
  ],
  // The construct, its stack, the app and the library.
  'infra/tenants': [
    'functions/domain/fields',
    'functions/domain/records',
    'infra/app',
    'infra/assets',
    'infra/data',
    'infra/functions',
    'infra/gateway',
    'infra/operations',
    'infra/settings',
  ],
  'infra/app': [
    'infra/agents',
    'functions/api',
    'functions/runtime',
    'infra/assets',
    'infra/data',
    'infra/functions',
    'infra/gateway',
    'infra/objects',
    'infra/operations',
    'infra/settings',
    'infra/site',
    'infra/tenants',
    'infra/triggers',
  ],
  'clients/typescript': [],
  'clients/cli/src/core': ['clients/typescript'],
  'clients/cli/src/generated': [],
  'clients/cli/src/connection': ['clients/cli/src/core', 'clients/typescript'],
  'clients/cli/src/output': ['clients/cli/src/core'],
  'clients/cli/src/objects': [
    'clients/cli/src/core',
    'clients/cli/src/generated',
    'clients/cli/src/output',
    'clients/typescript',
  ],
  'clients/cli/src/command': [
    'clients/cli/src/connection',
    'clients/cli/src/core',
    'clients/cli/src/generated',
    'clients/cli/src/objects',
    'clients/cli/src/output',
    'clients/typescript',
  ],
  'clients/cli/src/files': [
    'clients/cli/src/command',
    'clients/cli/src/connection',
    'clients/cli/src/core',
    'clients/cli/src/generated',
    'clients/cli/src/objects',
    'clients/cli/src/output',
    'clients/typescript',
    'functions/domain',
  ],
  'clients/cli/src/host-setup': [
    'clients/cli/src/core',
    'clients/cli/src/objects',
    'clients/typescript',
    'functions/domain',
  ],
  'clients/cli/src/kubernetes': [
    'clients/cli/src/core',
    'clients/cli/src/files',
    'clients/cli/src/generated',
    'clients/typescript',
    'functions/domain',
  ],
  // Commands, the table of them, and the entry points.
  'clients/cli': ['clients/cli/src', 'clients/typescript', 'functions/domain'],
  'clients/cdk': ['clients/typescript'],
  'local/process': ['functions/runtime'],
  'local/engine': ['functions/store/table', 'local/process'],
  'local/login': ['functions/triggers'],
  'local/gateway': ['functions', 'local/login'],
  'local/jobs': ['functions', 'local/gateway', 'local/process'],
  'local/server': ['functions/facades.ts', 'local/engine', 'local/gateway', 'local/process'],
  'gateway/protocol': ['functions/domain'],
  'gateway/streams': ['functions/domain', 'gateway/protocol'],
  'gateway/desired': ['functions/domain', 'gateway/protocol'],
  'gateway/relay': ['functions/domain', 'gateway/desired', 'gateway/protocol', 'gateway/streams'],
  'gateway/opamp': ['functions/opamp', 'functions/opamp/protocol', 'gateway/relay', 'gateway/streams'],
  'gateway/container': [
    'functions/opamp',
    'functions/pmm/declarations',
    'functions/pmm/facades',
    'gateway/opamp',
    'gateway/relay',
    'gateway/streams',
  ],
  'gateway/main.ts': ['gateway/container'],
  'gateway/load.ts': ['gateway/container'],
  local: ['functions', 'gateway', 'infra/assets'],
};

/** The folder of a file, as `mayImport` names it. */
function folderOf(path: string): string {
  const [top = '', second = '', third = '', more] = path.split('/');
  if (top === 'functions' && second === 'api' && more !== undefined) return 'functions/api/*';
  if (top === 'infra' && third === '') return 'infra/app';
  const names = [`${top}/${second}/${third}/${more}`, `${top}/${second}/${third}`, `${top}/${second}`, top];
  return names.find((name) => Object.hasOwn(mayImport, name)) ?? path;
}

/** Groups of files that import each other, directly or not: Tarjan's strongly connected components. */
function cyclesOf(sources: readonly Source[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (path: string) => {
    order.set(path, order.size);
    lowest.set(path, order.size - 1);
    open.push(path);
    for (const next of byPath.get(path)!.imports.filter((name) => byPath.has(name))) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const cycle = open.splice(open.indexOf(path));
    if (cycle.length > 1) cycles.push(cycle.sort());
  };
  for (const { path } of sources) if (!order.has(path)) visit(path);
  return cycles;
}

describe('import directions', () => {
  const all = [...shared!, ...functions!, ...local!, ...infra!, ...browser!, ...clients!, ...gateway!];

  test('no file imports itself, directly or through others, types included', () => {
    expect(all.length).toBeGreaterThan(300);
    expect(cyclesOf(all)).toEqual([]);
  });

  test('each folder imports only its stated folders', () => {
    const paths = new Set(all.map(({ path }) => path));
    const wrong = all.flatMap(({ path, imports }) => {
      const folder = folderOf(path);
      const allowed = [
        ...(folder.startsWith('shared/') ? [] : ['shared', 'functions/contract']),
        folder,
        ...(mayImport[folder] ?? []),
      ];
      return imports
        .filter((name) => paths.has(name))
        .filter(
          (name) => !allowed.some((folder) => folderOf(name) === folder || folderOf(name).startsWith(`${folder}/`)),
        )
        .map((name) => `${path} imports ${name}, and ${folder} may not import ${folderOf(name)}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the TypeScript client imports only itself; only its entry for Node imports modules of Node', () => {
    const ownSources = clients!.filter(({ path }) => path.startsWith('clients/typescript/'));
    expect(ownSources.length).toBeGreaterThan(5);
    const isForeign = (path: string) => (name: string) =>
      !name.startsWith(path.split('/').slice(0, 2).join('/')) &&
      !(isBuiltin(name) && /\/(node|replace-file)\.ts$/.test(path));
    expect(ownSources.flatMap((source) => offending([source], isForeign(source.path)))).toEqual([]);
  });

  test('shared code contains no inventory words', () => {
    const nouns =
      /\b\w*((node|service|agent)s?_?(ids?|names?|types?)|pmm_?agent|insights?|mysqld?|mongodb|postgres)\b/gi;
    expect(findings(shared!, nouns)).toEqual([]);
  });

  test('an API resource never imports another one', () => {
    const resourceOf = (path: string) => /^functions\/api\/([^/]+)\//.exec(path)?.[1];
    const resources = functions!.filter(({ path }) => resourceOf(path) !== undefined);
    expect(resources.length).toBeGreaterThan(100);
    expect(
      resources.flatMap(({ path, imports }) =>
        imports
          .filter((name) => resourceOf(name) !== undefined && resourceOf(name) !== resourceOf(path))
          .map((name) => `${path} imports ${name}`),
      ),
    ).toEqual([]);
  });

  test('the infrastructure never loads a handler or an AWS client', async () => {
    const { files, external } = await loadedBy(infra!.map(({ path }) => path));
    expect(files.filter((file) => /\/(handler|endpoint-function|dependencies)\.ts$/.test(file))).toEqual([]);
    expect(external.filter((name) => name.startsWith('@aws-sdk/') || name.startsWith('@middy/'))).toEqual([]);
    expect(offending(infra!, (specifier) => /handler\.ts$|^@aws-sdk\//.test(specifier))).toEqual([]);
  });

  test('deployed code imports only dependencies', async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { external } = await loadedBy(['functions/triggers/authorizer/handler.ts', ...handlers()]);
    const packages = external.filter((name) => !isBuiltin(name)).map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    expect(packages.filter((name) => name === undefined || !Object.hasOwn(dependencies, name))).toEqual([]);
  });
});

function handlers(): string[] {
  return functions!.map(({ path }) => path).filter((path) => path.endsWith('/handler.ts'));
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      license: z.optional(z.string()),
      dependencies: z._default(z.record(z.string(), z.string()), {}),
    }),
  ),
});

/** The packages that the design names, and the code that each is for. */
const packagesOfTheDesign = {
  'aws-cdk-lib': 'infra/',
  constructs: 'infra/',
  '@aws-sdk/client-dynamodb': 'shared/db/client.ts',
  '@aws-sdk/lib-dynamodb': 'shared/db/client.ts',
  '@middy/core': 'shared/http/pipeline.ts',
  '@middy/http-error-handler': 'shared/http/pipeline.ts',
  '@middy/http-json-body-parser': 'shared/http/middleware/json-bodies.ts',
  esbuild: 'infra/assets/bundle.ts',
  jest: 'npm run jest',
} as const;

describe("the design's packages", () => {
  test.each(Object.entries(packagesOfTheDesign).filter(([name]) => name !== 'jest'))(
    '%s is loaded by %s',
    async (name, place) => {
      const files = production.map(({ path }) => path).filter((path) => path.startsWith(place));
      const names = (await Promise.all(files.map(loadedDirectly))).flat();
      expect(names).toContain(name);
    },
  );

  test('jest runs the tests', async () => {
    const { scripts } = z.parse(
      z.object({ scripts: z.record(z.string(), z.string()) }),
      JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
    );
    expect(scripts['jest']).toBe('node node_modules/jest/bin/jest.js');
    expect(scripts['jest:unit']).toMatch(/^npm run jest /);
  });

  test("every function that serves calls loads the pipeline's three packages", async () => {
    const served = handlers().filter((path) => /^functions\/(api|opamp|pmm)\//.test(path));
    expect(served.length).toBeGreaterThan(endpoints.length);
    const loads = await Promise.all(served.map(async (path) => ({ path, ...(await loadedBy([path])) })));
    const pipeline = Object.keys(packagesOfTheDesign).filter((name) => name.startsWith('@middy/'));
    expect(pipeline).toHaveLength(3);
    expect(
      loads.filter(({ external }) => pipeline.some((name) => !external.includes(name))).map(({ path }) => path),
    ).toEqual([]);
  });

  test('every wire format reads JSON with the parser, except a form and protobuf', async () => {
    const codecs = production.filter(({ code }) => /export const [^;]*: Codec</.test(code)).map(({ path }) => path);
    const loads = await Promise.all(codecs.map(async (path) => ({ path, names: await loadedDirectly(path) })));
    const readsJson = (names: readonly string[]) => names.includes('shared/http/middleware/json-bodies.ts');
    expect(loads.map(({ path, names }) => [path, readsJson(names)])).toEqual([
      ['shared/http/json-codec.ts', true],
      ['functions/identity/log-out/codec.ts', false],
      ['functions/opamp/exchange/codec.ts', false],
      ['functions/pmm/wire/wire-codec.ts', true],
    ]);
  });

  test('the packages of middy have one version and one licence', async () => {
    const { packages } = z.parse(lockSchema, JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
    const middy = Object.entries(packages).filter(([path]) => path.includes('node_modules/@middy/'));
    expect(middy).toHaveLength(4);
    expect(new Set(middy.map(([, { version, license }]) => `${version} ${license}`)).size).toBe(1);
  });
});

describe('the table', () => {
  test('has all access events written through the caller check', () => {
    const writers = functions!.filter(
      ({ code }) => /\baccessStep\(/.test(code) && !code.includes('function accessStep('),
    );
    expect(writers.length).toBeGreaterThan(3);
    expect(findings(writers, /\btransact\(|\bTransactWriteCommand\b/g)).toEqual([]);
  });

  test("is never scanned, and only tests and tools use the embedded engine's operation", () => {
    const scans = /\b(Scan|ExecuteStatement|ExecuteTransaction|BatchExecuteStatement)(Command)?\b|\bpaginateScan\b/g;
    const others = local!.filter(({ path }) => !path.startsWith('local/engine/sqlite/'));
    expect(findings([...production, ...others], scans)).toEqual([]);
  });

  test('has its keys built in the modules of keys', () => {
    const others = functions!.filter(({ path }) => !/^functions\/store\/table\/(items|([a-z]+-)?keys)\.ts$/.test(path));
    // A prefix with its separator, the partitions of lists, and the fixed sort keys.
    const keys =
      /['"`]([A-Z][A-Z_]*#|(NODES?|SERVICES?|AGENTS?|API_KEYS|GUARD|CLAIM|COUNTER|KEY|KEY_ID|ACCOUNT|SECRET|RATE|ENROLMENT|ENROLMENT_TOKENS)['"`])/g;
    expect(findings(others, keys)).toEqual([]);
    expect(findings(functions!, keys).length).toBeGreaterThan(10);
  });
});

describe('licences', () => {
  test('only tests import a package under a GNU licence, or one that requires such a package', async () => {
    const { packages } = z.parse(lockSchema, JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
    const licenceOf = (name: string) => packages[`node_modules/${name}`]?.license ?? '';
    const isStrict = (name: string) => /GPL/.test(licenceOf(name)) && !licenceOf(name).includes(' OR ');
    const used = new Set(
      [...production, ...local!, ...browser!, ...(await sourcesIn('tools'))].flatMap(({ imports }) =>
        imports.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''),
      ),
    );
    for (const name of used)
      for (const required of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) used.add(required);
    expect([...used].filter(isStrict)).toEqual([]);
    expect(used.size).toBeGreaterThan(50);
    // The simulator of IAM in tests, and what it requires.
    const all = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(all.filter(isStrict).every((name) => name.startsWith('@cloud-copilot/'))).toBe(true);
  });
});
