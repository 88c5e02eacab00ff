import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ansiblePrograms, buildAnsibleCollection } from '../../tools/package-ansible.ts';
import { clientEnvironment } from '../support/client-environment.ts';

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Ansible {
  folder: string;
  /** Of all programs; the address of a server and a key are to be added. */
  environment: NodeJS.ProcessEnv;
  /** Runs a program with more variables. It may fail. */
  runWith: (more: NodeJS.ProcessEnv, name: string, ...args: string[]) => Promise<Output>;
  /** Runs a program. @throws Error with its output if it fails. */
  program: (name: string, ...args: string[]) => Promise<string>;
  /** Writes a file whose suffix selects the plugin that reads it. */
  fileOf: (content: string, suffix?: string) => Promise<string>;
  /** Writes a playbook with tasks of the collection. */
  playbookOf: (...tasks: string[]) => Promise<string>;
}

/** The number of tasks of a play that changed something. */
export const changedIn = (output: string) => Number(/changed=(\d+)/.exec(output)?.[1]);

/** Builds the collection, and installs it as users do. */
export async function installCollection(folder: string): Promise<Ansible> {
  const { ANSIBLE_CONFIG: _, ...rest } = clientEnvironment();
  const environment: NodeJS.ProcessEnv = {
    ...rest,
    PATH: `${ansiblePrograms}:${rest['PATH']}`,
    ANSIBLE_HOME: join(folder, 'home'),
    ANSIBLE_COLLECTIONS_PATH: join(folder, 'collections'),
    ANSIBLE_LOCALHOST_WARNING: 'false',
    ANSIBLE_INVENTORY_UNPARSED_WARNING: 'false',
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_PIPELINING: '1',
  };
  let files = 0;

  async function runWith(more: NodeJS.ProcessEnv, name: string, ...args: string[]): Promise<Output> {
    const options = { cwd: folder, env: { ...environment, ...more }, maxBuffer: 2 ** 28 };
    return promisify(execFile)(join(ansiblePrograms, name), args, options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => error as Output,
    );
  }

  async function program(name: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runWith({}, name, ...args);
    if (code !== 0) throw new Error(`${name} ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  async function fileOf(content: string, suffix = 'playbook.yml'): Promise<string> {
    files += 1;
    const path = join(folder, `${files}.${suffix}`);
    await writeFile(path, content);
    return path;
  }

  const playbookOf = (...tasks: string[]) => {
    const lines = tasks.map((task) => `    - monitoring_inventory.inventory.${task}\n`);
    return fileOf(`- hosts: localhost\n  gather_facts: false\n  tasks:\n${lines.join('')}`);
  };

  const archive = await buildAnsibleCollection(join(folder, 'package'));
  await program('ansible-galaxy', 'collection', 'install', '--offline', archive, '-p', join(folder, 'collections'));
  return { folder, environment, runWith, program, fileOf, playbookOf };
}
