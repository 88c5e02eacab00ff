import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import * as z from 'zod/mini';
import { endpoints } from '../functions/endpoints.ts';
import type { Endpoint } from '../shared/http/endpoint.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Source {
  /** From the root: `shared/http/text.ts`. */
  path: string;
  /** Without comments. */
  code: string;
  /** What it imports, types included: paths from the root, or package names. */
  imports: string[];
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const IMPORTS = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

async function read(path: string): Promise<Source> {
  const code = (await readFile(join(root, path), 'utf8')).replace(COMMENTS, '');
  const imports = [...code.matchAll(IMPORTS)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier,
  );
  return { path, code, imports };
}

/** All TypeScript below a folder, tests left out. */
async function sourcesIn(folder: string): Promise<Source[]> {
  if (!existsSync(join(root, folder))) return [];
  const names = await readdir(join(root, folder), { recursive: true });
  const paths = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return Promise.all(paths.sort().map((name) => read(join(folder, name))));
}

const [shared, functions, local, infra] = await Promise.all(['shared', 'functions', 'local', 'infra'].map(sourcesIn));
const production = [...shared!, ...functions!, ...infra!];

const isBuiltin = (name: string) => name.startsWith('node:') || builtinModules.includes(name);

/** Everything that these files load when they run: types are gone, whatever else they import is followed. */
async function loadedBy(
  entryPoints: readonly string[],
  packages: 'bundle' | 'external',
): Promise<{ files: string[]; external: string[] }> {
  const { metafile }: { metafile: Metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entryPoints],
    outdir: 'unwritten',
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    packages,
    write: false,
    metafile: true,
  });
  const inputs = Object.entries(metafile.inputs);
  const external = inputs.flatMap(([, { imports }]) => imports.flatMap((one) => (one.external ? [one.path] : [])));
  return { files: inputs.map(([path]) => path), external: [...new Set(external)].sort() };
}

const offending = (sources: readonly Source[], isWrong: (specifier: string) => boolean) =>
  sources.flatMap(({ path, imports }) => imports.filter(isWrong).map((specifier) => `${path} imports ${specifier}`));

const findings = (sources: readonly Source[], pattern: RegExp) =>
  sources.flatMap(({ path, code }) => [...code.matchAll(pattern)].map(([found]) => `${path}: ${found}`));

describe('the contracts', () => {
  test('load zod, the catalogue and pure shared modules: no SDK, no handler, no built-in module', async () => {
    const { files, external } = await loadedBy(['functions/endpoints.ts'], 'bundle');
    const contracts = [
      /(^|\/)node_modules\/zod\//,
      /^functions\/(endpoints|endpoint-table)\.ts$/,
      /^functions\/([a-z-]+\/)+endpoint\.ts$/,
      /^functions\/catalogue\//,
      /^shared\//,
    ];
    expect(files.filter((file) => !contracts.some((pattern) => pattern.test(file)))).toEqual([]);
    // Synthesis, the OpenAPI document and the catch-all load this: whatever is added here has to cost nothing.
    expect(external).toEqual([]);
    expect(files.length).toBeGreaterThan(endpoints.length);
  });

  test('are in the table exactly once each, under their own folder, with a handler beside them', async () => {
    const folders = functions!
      .filter(({ path }) => path.endsWith('/endpoint.ts'))
      .map(({ path }) => relative('functions', dirname(path)));
    expect(endpoints.map(({ folder }) => folder).sort()).toEqual(folders.sort());
    for (const folder of folders) {
      const module = (await import(`../functions/${folder}/endpoint.ts`)) as { endpoint: Endpoint };
      expect([folder, endpoints.filter((endpoint) => endpoint === module.endpoint).length]).toEqual([folder, 1]);
      expect([folder, module.endpoint.folder]).toEqual([folder, folder]);
      expect([folder, existsSync(join(root, 'functions', folder, 'handler.ts'))]).toEqual([folder, true]);
    }
  });

  test('have ids and routes of their own', () => {
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
    '%s obeys the rules of API Gateway for paths',
    (path, { params }) => {
      // A path part has these characters only; a parameter takes a whole part.
      expect(path).toMatch(/^\/v1(\/([a-zA-Z0-9._:-]+|\{[a-zA-Z0-9._:-]+\}))+$/);
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      expect(new Set(named).size).toBe(named.length);
      expect(params instanceof z.ZodMiniObject && Object.keys(params.shape)).toEqual(named);
    },
  );

  test('give a parameter one name at one place: a resource of API Gateway has one variable child at most', () => {
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

describe('directions', () => {
  test('shared code depends on nothing of this product', () => {
    const own = (specifier: string) => /^(functions|local|infra|bench|tests|swagger-static)\//.test(specifier);
    expect(shared!.length).toBeGreaterThan(10);
    expect(offending(shared!, own)).toEqual([]);
  });

  test('shared code knows no words of the inventory', () => {
    const nouns =
      /\b\w*((node|service|agent)s?_?(ids?|names?|types?)|pmm_?agent|insights?|mysqld?|mongodb|postgres)\b/gi;
    expect(findings(shared!, nouns)).toEqual([]);
  });

  test('a slice never imports another slice, and what slices share imports none', () => {
    const slices = new Set(endpoints.map(({ folder }) => folder.split('/')[0] ?? ''));
    const sliceOf = (path: string) => {
      const [top, name = ''] = path.split('/');
      return top === 'functions' && slices.has(name) ? name : undefined;
    };
    // The table of endpoints is what brings the slices together.
    const others = functions!.filter(({ path }) => path !== 'functions/endpoint-table.ts');
    const crossing = others.flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => sliceOf(specifier) !== undefined && sliceOf(specifier) !== sliceOf(path))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(slices.size).toBeGreaterThan(3);
    expect(crossing).toEqual([]);
  });

  test('functions import nothing of what runs them', () => {
    const runners = (specifier: string) => /^(local|infra|bench|tests)\//.test(specifier);
    expect(offending(functions!, runners)).toEqual([]);
  });

  test('the infrastructure never loads a handler or a client of AWS', async () => {
    const { files, external } = await loadedBy(
      infra!.map(({ path }) => path),
      'external',
    );
    expect(files.filter((file) => /\/(handler|lambda|services)\.ts$/.test(file))).toEqual([]);
    expect(external.filter((name) => name.startsWith('@aws-sdk/') || name.startsWith('@middy/'))).toEqual([]);
    expect(offending(infra!, (specifier) => /handler\.ts$|^@aws-sdk\//.test(specifier))).toEqual([]);
  });

  test('what is deployed imports only packages that are dependencies', async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const { external } = await loadedBy(['functions/authorizer/handler.ts', ...handlers()], 'external');
    const packages = external.filter((name) => !isBuiltin(name)).map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    expect(packages.filter((name) => name === undefined || !Object.hasOwn(dependencies, name))).toEqual([]);
  });
});

function handlers(): string[] {
  return functions!.map(({ path }) => path).filter((path) => path.endsWith('/handler.ts'));
}

describe('the table', () => {
  test('whatever writes an access event commits through the check of the caller, not past it', () => {
    const writers = functions!.filter(
      ({ code }) => /\baccessStep\(/.test(code) && !code.includes('function accessStep('),
    );
    expect(writers.length).toBeGreaterThan(3);
    expect(findings(writers, /\btransact\(|\bTransactWriteCommand\b/g)).toEqual([]);
  });

  test('is never scanned, except once by the embedded engine, to seal what was written before there were seals', () => {
    const scans = /\b(Scan|ExecuteStatement|ExecuteTransaction|BatchExecuteStatement)(Command)?\b|\bpaginateScan\b/g;
    const others = local!.filter(({ path }) => path !== 'local/seal-key.ts');
    expect(findings([...production, ...others], scans)).toEqual([]);
  });

  test('has its keys built in one module', () => {
    const others = functions!.filter(({ path }) => path !== 'functions/table/keys.ts');
    // A prefix with its separator, the partitions of lists, and the fixed sort keys.
    const keys =
      /['"`]([A-Z][A-Z_]*#|(NODES?|SERVICES?|AGENTS?|API_KEYS|GUARD|CLAIM|COUNTER|KEY|KEY_ID|ACCOUNT|SECRET|RATE|ENROLMENT|ENROLMENT_TOKENS)['"`])/g;
    expect(findings(others, keys)).toEqual([]);
    expect(findings(functions!, keys).length).toBeGreaterThan(10);
  });
});
