import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../end-to-end/processes.ts';
import { start } from '../deploy/processes.ts';

/** A machine of its own for a way, as far as a way sees it. */
export interface Machine {
  /** The command that runs a command there, in this folder. */
  inside: (command: readonly string[], folder: string) => string[];
  stop: () => Promise<void>;
}

export interface MachineOptions {
  names: Readonly<Record<string, string>>;
  folders: readonly string[];
  layers?: readonly string[];
  addresses?: readonly string[];
}

const networkOf = (pid: string) => readlink(`/proc/${pid}/ns/net`).catch(() => undefined);

/** Ends the processes in the network of a process, also those whose parents have ended. */
async function endProcessesOf(target: string): Promise<void> {
  const [network, pids] = [await networkOf(target), (await readdir('/proc')).filter((name) => /^\d+$/.test(name))];
  const networks = await Promise.all(pids.map(networkOf));
  const inside = pids.filter((_, index) => network !== undefined && networks[index] === network);
  for (const pid of inside) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

/**
 * Namespaces of Linux with a network of their own, which has the loopback interface only: every port is free, and nothing
 * is reached from outside.
 *
 * @param names addresses of host names, of the loopback interface (127.0.0.2 and up).
 * @param folders empty folders of the machine, in place of those with these paths.
 * @param layers folders whose changes stay within the machine.
 * @param addresses further addresses of the machine.
 * @throws Error where the kernel refuses such namespaces.
 */
export async function startMachine(
  folder: string,
  { names, folders, layers = [], addresses = [] }: MachineOptions,
): Promise<Machine> {
  const hosts = join(folder, 'hosts');
  const lines = Object.entries({ localhost: '127.0.0.1', ...names }).map(([name, address]) => `${address} ${name}\n`);
  await writeFile(hosts, lines.join(''));
  const mounts = folders.map((path, index) => [join(folder, `mounted-${index}`), path] as const);
  for (const [empty] of mounts) await mkdir(empty);
  const layered = layers.map((path, index) => [join(folder, `layer-${index}`), path] as const);
  for (const [layer] of layered)
    for (const part of ['changes', 'work']) await mkdir(join(layer, part), { recursive: true });
  const script = [
    'set -e',
    'ip link set lo up',
    ...addresses.map((address) => `ip addr add ${address}/32 dev lo`),
    ...layered.map(
      ([layer, path]) =>
        `mount -t overlay overlay -o lowerdir=${path},upperdir=${layer}/changes,workdir=${layer}/work ${path}`,
    ),
    ...[[hosts, '/etc/hosts'] as const, ...mounts].map(([from, to]) => `mount --bind '${from}' '${to}'`),
    'echo "process $$"',
    'exec sleep infinity',
  ].join('\n');
  const group = start(['unshare', '--map-root-user', '--net', '--mount', 'sh', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  let hasEnded = false;
  void group.ended.then(() => (hasEnded = true));
  const pid = () => /^process (\d+)$/m.exec(group.said())?.[1];
  await eventually(() => hasEnded || pid() !== undefined);
  const target = pid();
  if (target === undefined) throw new Error(`There is no machine with a network of its own: ${group.said()}`);
  return {
    inside: (command, cwd) => [
      ...['nsenter', '--target', target, '--user', '--preserve-credentials', '--net', '--mount'],
      // Another mount namespace has no working folder yet.
      ...['env', `--chdir=${cwd}`, ...command],
    ],
    stop: async () => {
      await endProcessesOf(target);
      await group.stop(0);
    },
  };
}
