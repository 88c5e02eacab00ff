/** A program: a model of systemctl. It starts services as their units and drop-ins describe, without a new user. */
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const UNITS = '/etc/systemd/system';
const RUNNING = '/root/running';

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
};

/** The assignments of a unit and its drop-ins. */
function unitOf(name: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const file of [`${UNITS}/${name}.service`, ...filesIn(`${UNITS}/${name}.service.d`)])
    for (const [, key = '', value = ''] of readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
      values.set(key, [...(values.get(key) ?? []), value]);
  return values;
}

function variablesIn(path: string): Record<string, string> {
  const lines = readFileSync(path, 'utf8').split('\n');
  return Object.fromEntries(lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

function restart(name: string): void {
  const unit = unitOf(name);
  const pids = filesIn(RUNNING).filter((path) => path === `${RUNNING}/${name}`);
  for (const path of pids) process.kill(Number(readFileSync(path, 'utf8')));
  for (const folder of unit.get('StateDirectory') ?? []) mkdirSync(`/var/lib/${folder}`, { recursive: true });
  const users = readFileSync('/etc/passwd', 'utf8');
  for (const user of unit.get('User') ?? []) if (!users.includes(`${user}:`)) throw new Error(`no user ${user}`);
  const env = Object.assign({ PATH: process.env['PATH'] }, ...(unit.get('EnvironmentFile') ?? []).map(variablesIn));
  const [command = ''] = unit.get('ExecStart') ?? [];
  const [program = '', ...args] = command.replaceAll('%%', '%').replaceAll('$$', '$').split(' ');
  const log = openSync(`/root/${name}.log`, 'a');
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', log, log] });
  mkdirSync(RUNNING, { recursive: true });
  writeFileSync(`${RUNNING}/${name}`, String(child.pid));
  child.unref();
}

const [verb, ...names] = process.argv.slice(2);
if (verb === 'enable') for (const name of names) unitOf(name);
else if (verb === 'restart') names.forEach(restart);
else if (verb !== 'daemon-reload') throw new Error(`unexpected: ${verb}`);
