import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Group, start } from '../../deploy/processes.ts';
import { eventually } from '../../end-to-end/processes.ts';
import { root } from '../steps.ts';

/** What is under this path of the machine is its own for each host. */
const FOLDERS = ['etc', 'usr/local', 'var/lib', 'root'] as const;

/** The machine's address in the hosts' network, and a host's by its number. */
export const MACHINE_ADDRESS = '10.77.0.254';
export const addressOf = (index: number): string => `10.77.0.${index + 1}`;

export interface Hosts {
  /** A path of a host, as a path of this machine. */
  pathOf: (host: string, path: string) => string;
  /** The command that runs a command on a host, as root, in its folder. */
  inside: (host: string, command: string) => string[];
  stop: () => Promise<void>;
}

export interface HostOptions {
  names: readonly string[];
  /** The command that runs a command on the machine whose network the hosts are in. */
  inside: (command: readonly string[], folder: string) => string[];
  /** A folder for their files. */
  folder: string;
  /** A folder with programs, in the PATH of the machine: `ssh` and `scp` are put there. */
  programs: string;
  /** The content of pmm-agent's file, by host number. */
  configOf: (index: number) => string;
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/bash\n${text}\n`);
  await chmod(path, 0o755);
}

/** A host that has PMM's client, with Debian's exporters and vmagent in place of PMM's. */
async function writeHost(folder: string, { hostsFile, config }: { hostsFile: string; config: string }): Promise<void> {
  const files = {
    // Namespaces of one user: everybody is root.
    'etc/passwd': 'root:x:0:0::/root:/bin/sh\npmm-agent:x:0:0::/:/bin/false\n',
    'etc/hosts': hostsFile,
    'etc/nsswitch.conf': 'hosts: files\n',
    'etc/systemd/system/pmm-agent.service':
      '[Service]\nExecStart=/usr/local/percona/pmm2/bin/pmm-agent --config-file=/usr/local/percona/pmm2/config/pmm-agent.yaml\n',
    'usr/local/percona/pmm2/config/pmm-agent.yaml': config,
    'usr/local/percona/pmm2/bin/pmm-agent': `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'tests/ways/hosts/pmm-agent.ts')}' "$@"\n`,
    'usr/local/bin/systemctl': `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'tests/ways/hosts/systemctl.ts')}' "$@"\n`,
  };
  for (const bound of FOLDERS) await mkdir(join(folder, bound), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o640 });
  }
  const exporters = join(folder, 'usr/local/percona/pmm2/exporters');
  await mkdir(exporters);
  for (const [name, program] of [
    ['node_exporter', 'prometheus-node-exporter'],
    ['mysqld_exporter', 'prometheus-mysqld-exporter'],
    ['vmagent', 'vmagent'],
  ] as const)
    await symlink(`/usr/bin/${program}`, join(exporters, name));
}

/**
 * Hosts in a network with the machine: each has a loopback interface, an address and files of its own.
 *
 * @throws Error where the kernel refuses such namespaces.
 */
export async function startHosts({ names, inside, folder, programs, configOf }: HostOptions): Promise<Hosts> {
  const hostsFile = await readFile(join(folder, '../hosts'), 'utf8');
  const folderOf = (host: string) => join(folder, host);
  for (const [index, name] of names.entries()) await writeHost(folderOf(name), { hostsFile, config: configOf(index) });
  const script = [
    'set -e',
    'ip link add hosts type bridge',
    `ip addr add ${MACHINE_ADDRESS}/24 dev hosts`,
    'ip link set hosts up',
    ...names.flatMap((name) => [
      `unshare --net --mount sh -c '${[
        ...FOLDERS.map((bound) => `mount --bind ${folderOf(name)}/${bound} /${bound}`),
        'ip link set lo up',
        'exec sleep infinity',
      ].join(' && ')}' &`,
      `echo $! > ${folderOf(name)}/pid`,
    ]),
    // Until each has its own network.
    ...names.map(
      (name) => `while [ /proc/$(cat ${folderOf(name)}/pid)/ns/net -ef /proc/$$/ns/net ]; do sleep 0.05; done`,
    ),
    ...names.flatMap((name, index) => [
      `pid=$(cat ${folderOf(name)}/pid)`,
      `ip link add host${index} type veth peer name eth0 netns $pid`,
      `ip link set host${index} master hosts up`,
      `nsenter --target $pid --net ip addr add ${addressOf(index)}/24 dev eth0`,
      `nsenter --target $pid --net ip link set eth0 up`,
    ]),
    'echo "hosts run"',
    'exec sleep infinity',
  ].join('\n');
  const file = join(folder, 'hosts.sh');
  await writeFile(file, script);
  const environment = { PATH: process.env['PATH'] };
  const group: Group = start(inside(['bash', file], folder), { cwd: folder, env: environment });
  let ended: number | string | undefined;
  void group.ended.then((how) => (ended = how));
  await eventually(() => ended !== undefined || group.said().includes('hosts run'));
  if (ended !== undefined) throw new Error(`There are no hosts: ${group.said()}`);
  const enter = `nsenter --target $(cat '${folder}'/"$host"/pid) --net --mount env -i --chdir=/root PATH=/usr/local/bin:'${process.env['PATH']}' HOME=/root`;
  await writeProgram(
    join(programs, 'ssh'),
    `[ "$1" = -n ] && shift\nhost=\${1#root@}\nshift\nexec ${enter} sh -c "$*" </dev/null`,
  );
  await writeProgram(
    join(programs, 'scp'),
    `[ "$1" = -q ] && shift\ntarget=\${!#}\nhost=\${target%%:*}\nhost=\${host#root@}\nexec cp "\${@:1:$#-1}" '${folder}'/"$host"/root/"\${target#*:}"`,
  );
  return {
    pathOf: (host, path) => join(folderOf(host), path),
    inside: (host, command) => inside([join(programs, 'ssh'), `root@${host}`, command], folder),
    stop: () => group.stop(0),
  };
}
