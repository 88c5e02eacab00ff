import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildInfo } from '../infra/assets/build-info.ts';
import { endpoints } from '../functions/api/endpoints.ts';
import { mediaTypes } from '../shared/core/format.ts';
import { isRecord } from '../shared/db/item.ts';
import { currentDocument } from './generate.ts';
import { withOpenUnions } from './open-unions.ts';
import { lazyModels } from './python-client/lazy-models.ts';
import { withPageItems } from './python-client/page-items.ts';
import { typedOperation, typedResponse } from './python-client/typed-operations.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'clients/python');

/** The programs that tools/install-python.sh installs. */
export const pythonPrograms = join(root, 'node_modules/.cache/python-client/bin');

const run = promisify(execFile);

/** A generator that leaves out a part says so, and succeeds. */
const DIAGNOSTIC = /warning|error|unsupported|unable|skipping/i;

/**
 * Runs openapi-python-client.
 *
 * @param target - the folder of the package to write
 * @throws Error if the generator fails or leaves out a part of the document.
 */
async function generatePythonClient(document: string, target: string): Promise<void> {
  const { stdout, stderr } = await run(
    join(pythonPrograms, 'openapi-python-client'),
    [
      ...['generate', '--path', document, '--meta', 'none', '--output-path', target, '--overwrite'],
      ...['--config', join(source, 'generator.yaml')],
    ],
    { env: { ...process.env, PATH: [pythonPrograms, process.env['PATH']].join(delimiter) } },
  );
  if (DIAGNOSTIC.test(stdout + stderr)) throw new Error(stdout + stderr);
}

async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = change(text);
  if (changed !== text) await writeFile(file, changed);
}

/** Lines of JSON are files (generator.yaml); the generator types a text otherwise, and reads a file. */
const withFiles = (_: string, value: unknown): unknown =>
  isRecord(value) && value['contentMediaType'] === mediaTypes.ndjson ? { ...value, format: 'binary' } : value;

/** Completes what the generator cannot say: the client raises errors, models are many, and lists have pages. */
async function completeTypes(target: string): Promise<void> {
  const modules = (await readdir(target, { recursive: true })).filter((name) => /^(api|models)[\\/].*\.py$/.test(name));
  for (const name of modules) {
    const isPackage = name.endsWith('__init__.py');
    if (name.startsWith('api') && !isPackage) await rewrite(join(target, name), typedOperation);
    if (name.startsWith('models') && !isPackage) await rewrite(join(target, name), withPageItems);
  }
  await rewrite(join(target, 'models/__init__.py'), lazyModels);
  await rewrite(join(target, 'types.py'), typedResponse);
  await run(join(pythonPrograms, 'ruff'), ['format', '--quiet', target]);
}

const list = (paths: readonly string[]) => `[${paths.map((path) => JSON.stringify(path)).join(', ')}]`;

/** The module with the operations that may be repeated although they are a POST. */
export function contractModule(): string {
  const posts = endpoints.filter(({ method }) => method === 'POST');
  const repeatable = posts.filter((endpoint) => endpoint.repeatable === true).map(({ path }) => path);
  const withKey = Map.groupBy(
    posts.filter((endpoint) => endpoint.idempotent === true),
    ({ idempotentWith = '' }) => idempotentWith,
  );
  const rows = [...withKey].map(
    ([field, all]) => `    ${JSON.stringify(field)}: ${list(all.map(({ path }) => path))},\n`,
  );
  return `"""Generated from the contracts of the server."""

# A repetition has no second effect.
REPEATABLE_POSTS = ${list(repeatable)}

# Paths with an Idempotency-Key, by the field of the body that must be true; "" for no field.
POSTS_WITH_KEY = {
${rows.join('')}}
`;
}

/**
 * Generates the Python client and builds its wheel and source distribution into the folder.
 *
 * @returns the wheel, for `pip install <file>`.
 */
export async function buildPythonPackage(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const content = join(folder, 'content');
  const target = join(content, 'monitoring_inventory');
  await mkdir(content, { recursive: true });
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(withOpenUnions(await currentDocument()), withFiles));
  await generatePythonClient(document, target);
  await completeTypes(target);
  await cp(join(source, 'monitoring_inventory'), target, { recursive: true });
  await writeFile(join(target, 'contract.py'), contractModule());
  await writeFile(join(target, 'py.typed'), '');
  await copyFile(join(root, 'LICENSE'), join(content, 'LICENSE'));
  await copyFile(join(source, 'README.md'), join(content, 'README.md'));
  const { version } = await buildInfo();
  const project = await readFile(join(source, 'pyproject.toml'), 'utf8');
  await writeFile(
    join(content, 'pyproject.toml'),
    project.replace(/^#.*\nversion = .*$/m, `version = ${JSON.stringify(version)}`),
  );
  await run(join(pythonPrograms, 'python'), ['-m', 'build', '--no-isolation', '--outdir', folder, content]);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error(`No wheel in ${folder}`);
  return join(folder, wheel);
}

if (import.meta.main) process.stdout.write(`${await buildPythonPackage(join(root, 'dist/python-package'))}\n`);
