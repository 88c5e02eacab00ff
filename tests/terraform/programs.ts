import { access, mkdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../deploy/processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/terraform');

/** Where Go is without the help of a package manager, and where `.ci/install` puts a newer one. */
const searched = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin'];

const LIMIT = 40 * 60_000;

async function findProgram(...names: string[]): Promise<string | undefined> {
  for (const name of names)
    for (const folder of searched) {
      const path = join(folder, name);
      const exists = await access(path).then(
        () => true,
        () => false,
      );
      if (exists) return path;
    }
  return undefined;
}

const numbersOf = (version: string) => version.split('.').map(Number);

function isOlder(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const index = right.findIndex((number, at) => (left[at] ?? 0) !== number);
  return index >= 0 && (left[index] ?? 0) < right[index]!;
}

/** The environment of Go: this version and no other, and the same flags for all programs, which then share compiled packages. */
export const goEnvironment = { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOFLAGS: '-trimpath' };

/**
 * The path of a Go that can build a module.
 *
 * @throws Error if no Go exists, or it is older than go.mod demands.
 */
export async function goFor(module: string): Promise<string> {
  const go = await findProgram('go');
  const [, needed = ''] = /^go (\S+)$/m.exec(await readFile(join(module, 'go.mod'), 'utf8')) ?? [];
  if (go === undefined) throw new Error(`Go ${needed} or newer is missing`);
  const printed = await run([go, 'version'], { cwd: root, env: goEnvironment, limitMilliseconds: LIMIT });
  const [, version = '0'] = /go(\d+(?:\.\d+)*)/.exec(printed) ?? [];
  if (isOlder(version, needed)) throw new Error(`${go} has version ${version}, but Go ${needed} or newer is needed`);
  return go;
}

export const providerModule = join(root, 'clients/terraform');

/** The folder with the built provider. */
export const providerFolder = join(cache, 'provider');

/** Builds a program of a module with Go. Go itself notices that nothing has changed. */
async function build(module: string, target: string, name: string): Promise<void> {
  const go = await goFor(module);
  await mkdir(cache, { recursive: true });
  await run([go, 'build', '-o', target, name], { cwd: module, env: goEnvironment, limitMilliseconds: LIMIT });
}

export const buildProvider = () => build(providerModule, join(providerFolder, 'terraform-provider-inventory'), '.');

const openTofu = fileURLToPath(new URL('opentofu', import.meta.url));

/**
 * The path of terraform or tofu, or that in TERRAFORM. Without any, OpenTofu is built as a Go module, which takes some
 * minutes once.
 */
export async function terraformProgram(): Promise<string> {
  const program = process.env['TERRAFORM'] ?? (await findProgram('terraform', 'tofu'));
  if (program !== undefined) return program;
  const target = join(cache, 'tofu');
  await build(openTofu, target, 'github.com/opentofu/opentofu/cmd/tofu');
  return target;
}

// Before the tests, which need both.
if (import.meta.main) {
  await buildProvider();
  process.stdout.write(`${await terraformProgram()}\n`);
}
