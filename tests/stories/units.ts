import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The assignments of a unit of systemd; a name can have several values. */
function assignmentsIn(unit: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of unit.matchAll(/^(\w+)=(.*)$/gm))
    values.set(name, [...(values.get(name) ?? []), value]);
  return values;
}

const variablesIn = (lines: readonly string[]) =>
  Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s).slice(0, 2)));

let runs = 0;

/**
 * Runs a service of the units below `root` as a timer of systemd does: with its environment and its credentials only.
 *
 * @returns its output. @throws Error if it fails.
 */
export async function runService(root: string, name: string, path: string): Promise<string> {
  const unit = assignmentsIn(await readFile(join(root, 'etc/systemd/system', name), 'utf8'));
  const values = (key: string) => unit.get(key) ?? [];
  const credentials = join(root, `credentials-${(runs += 1)}`);
  await mkdir(credentials, { mode: 0o700 });
  try {
    for (const [id = '', file = ''] of values('LoadCredential').map((value) => value.split(':'))) {
      await copyFile(join(root, file), join(credentials, id));
      await chmod(join(credentials, id), 0o400);
    }
    const files = await Promise.all(values('EnvironmentFile').map((file) => readFile(join(root, file), 'utf8')));
    const environment = values('Environment').map((value) => value.replaceAll('%d', credentials));
    const [command = ''] = values('ExecStart');
    const [program = '', ...args] = command.split(' ');
    const words = args.map((word) => (word.startsWith('/etc/') ? join(root, word) : word));
    const env = { PATH: path, ...variablesIn(environment), ...variablesIn(files.flatMap((text) => text.split('\n'))) };
    const { stdout, stderr } = await promisify(execFile)(program, words, { env });
    return stdout + stderr;
  } finally {
    await rm(credentials, { recursive: true });
  }
}
