import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { buildInfo } from '../infra/assets/build-info.ts';
import { BUCKET_OF_PARAMETER, publishedTemplate } from '../infra/assets/published-files.ts';
import { packTar } from './pack-tar.ts';
import { zipOf } from './release/zip.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The manifest of the files that the template of a stack names. */
const filesSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.string() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

/** Synthesises the template. It depends on no account, no region and no credentials of this machine. */
async function synthesise(assembly: string): Promise<void> {
  const names = Object.keys(process.env).filter((name) => /^(AWS|CDK)_/.test(name));
  const env = { ...process.env, ...Object.fromEntries(names.map((name) => [name, undefined])) };
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const context = ['-c', 'templateParameters=true', '-c', `templateBucket=${BUCKET_OF_PARAMETER}`];
  await promisify(execFile)(process.execPath, [cdk, 'synth', '-q', '--output', assembly, ...context], {
    cwd: root,
    env: {
      ...env,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
  });
}

async function zipFolder(folder: string): Promise<Uint8Array> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // Names in archives have slashes on every platform.
  const name = (file: string) => relative(folder, file).replaceAll('\\', '/');
  return zipOf(await Promise.all(files.map(async (file) => ({ name: name(file), content: await readFile(file) }))));
}

async function writeTo(file: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Writes the template and the files that it names, by their names in a bucket. */
async function writeFiles(assembly: string, content: string, version: string): Promise<void> {
  const names = await readdir(assembly);
  const manifest = names.find((name) => name.endsWith('.assets.json'));
  if (manifest === undefined) throw new Error('The assembly names no files.');
  const { files } = z.parse(filesSchema, JSON.parse(await readFile(join(assembly, manifest), 'utf8')));
  for (const { source, destinations } of Object.values(files)) {
    const path = join(assembly, source.path);
    if (source.path.endsWith('.template.json')) {
      await writeTo(join(content, publishedTemplate(version)), await readFile(path));
      continue;
    }
    const packed = source.packaging === 'zip' ? await zipFolder(path) : await readFile(path);
    for (const { objectKey } of Object.values(destinations)) await writeTo(join(content, objectKey), packed);
  }
}

/**
 * Builds the template with parameters into the folder, with the files that it names.
 *
 * @returns the archive, whose content belongs in a bucket.
 */
export async function buildTemplate(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const content = join(folder, 'content');
  await mkdir(content, { recursive: true });
  const { version, time } = await buildInfo();
  const assembly = join(folder, 'assembly');
  await synthesise(assembly);
  await writeFiles(assembly, content, version);
  const target = join(folder, `monitoring-inventory-template-${version.replace('+', '.')}.tar.gz`);
  await packTar(content, target, new Date(time));
  return target;
}

if (import.meta.main) process.stdout.write(`${await buildTemplate(join(root, 'dist/template-package'))}\n`);
