/**
 * A program: a model of pmm-agent of PMM 2 that starts the real exporters. Its environment precedes its file, as that of the real
 * one; an exporter that ends is started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { processTypes } from '../../../gateway/protocol/enumerations.ts';
import { type ExporterProcess, PmmAgent } from '../../support/pmm-agent.ts';

const { values } = parseArgs({ options: { 'config-file': { type: 'string' } } });
const config = parse(readFileSync(values['config-file'] ?? '', 'utf8'));
const { env } = process;
const server = {
  address: env['PMM_AGENT_SERVER_ADDRESS'] ?? config.server.address,
  username: env['PMM_AGENT_SERVER_USERNAME'] ?? config.server.username,
  password: env['PMM_AGENT_SERVER_PASSWORD'] ?? config.server.password,
  isInsecure: (env['PMM_AGENT_SERVER_INSECURE_TLS'] ?? String(config.server['insecure-tls'])) === 'true',
};
const nameOf: ReadonlyMap<number, string> = new Map(
  Object.entries(processTypes).map(([name, number]) => [number, name]),
);
const [host = '', port = '443'] = String(server.address).split(':');

interface RunningExporter {
  of: ExporterProcess;
  child: ChildProcess;
}

const running = new Map<string, RunningExporter>();

function start(agent: PmmAgent, id: string, exporter: ExporterProcess): void {
  const name = nameOf.get(exporter.type) ?? '';
  const program = env[`PMM_AGENT_PATHS_${name.toUpperCase()}`] ?? join(config.paths.exporters_base, name);
  // Nothing else of the environment of pmm-agent.
  const environment = Object.fromEntries(exporter.env.map((variable) => variable.split(/=(.*)/s).slice(0, 2)));
  const child = spawn(program, exporter.args, { env: { PATH: '/usr/bin:/bin', ...environment }, stdio: 'inherit' });
  running.set(id, { of: exporter, child });
  child.once('spawn', () => void agent.say(id, 'running', exporter.port));
  const end = (why: unknown) => {
    process.stdout.write(`${name} ended: ${String(why)}\n`);
    if (running.get(id)?.child !== child) return;
    void agent.say(id, 'waiting');
    setTimeout(() => running.get(id)?.child === child && running.delete(id), 1000);
  };
  child.once('error', end).once('exit', end);
}

/** Makes what runs equal to what is wanted. */
function follow(agent: PmmAgent): void {
  for (const [id, { of, child }] of running)
    if (agent.exporters.get(id) !== of) {
      running.delete(id);
      child.kill();
    }
  for (const [id, exporter] of agent.exporters) if (!running.has(id)) start(agent, id, exporter);
}

for (;;) {
  const agent = new PmmAgent({
    ...{ port: Number(port), generation: 2, id: config.id, slow: [...nameOf.keys()] },
    // Early versions of PMM 2 know no Bearer tokens.
    authorization: `Basic ${btoa(`${server.username}:${server.password}`)}`,
    server: {
      host,
      ca: server.isInsecure ? undefined : readFileSync(env['SSL_CERT_FILE'] ?? '/etc/ssl/certs/ca-certificates.crt'),
    },
  });
  void agent.connected.then(() => process.stdout.write(`Connected to ${host}\n`));
  const timer = setInterval(() => follow(agent), 100);
  const { message } = await agent.ended;
  clearInterval(timer);
  process.stdout.write(`Failed to establish two-way communication channel: ${message}.\n`);
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
