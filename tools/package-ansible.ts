import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildInfo } from '../infra/assets/build-info.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const source = join(root, 'clients/ansible');

/** The programs that tools/install-python.sh installs. */
export const ansiblePrograms = join(root, 'node_modules/.cache/ansible-client/bin');

/**
 * Builds the Ansible collection into the folder.
 *
 * @returns the archive, for `ansible-galaxy collection install <file>`.
 */
export async function buildAnsibleCollection(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const content = join(folder, 'content');
  await mkdir(content, { recursive: true });
  await cp(source, content, { recursive: true, filter: (path) => !path.includes('__pycache__') });
  const { version } = await buildInfo();
  const manifest = await readFile(join(content, 'galaxy.yml'), 'utf8');
  await writeFile(join(content, 'galaxy.yml'), manifest.replace(/^#.*\nversion: .*$/m, `version: ${version}`));
  const path = [ansiblePrograms, process.env['PATH']].join(delimiter);
  await promisify(execFile)(
    join(ansiblePrograms, 'ansible-galaxy'),
    ['collection', 'build', content, '--output-path', folder],
    { env: { ...process.env, PATH: path, ANSIBLE_HOME: join(folder, 'home') } },
  );
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tar.gz'));
  if (archive === undefined) throw new Error(`No archive in ${folder}`);
  return join(folder, archive);
}

if (import.meta.main) process.stdout.write(`${await buildAnsibleCollection(join(root, 'dist/ansible-collection'))}\n`);
