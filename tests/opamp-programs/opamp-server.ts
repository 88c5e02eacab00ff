import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bearer, bodyOf, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { type Program, programPath } from './programs.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

/** A program of a test, and its output so far. */
export interface RunningProgram {
  child: ChildProcess;
  output: () => string;
  stop: () => Promise<void>;
}

/** A host as the documentation has it: a node, and the file with the credential. */
export interface Host {
  nodeId: string;
  credential: string;
}

/** What a program is to replace in the documented configuration. */
export type Replacements = readonly (readonly [string, string])[];

/** Without the metrics of the collector itself, which are at a fixed port. */
export const quiet: Replacements = [['service:\n', 'service:\n  telemetry: { metrics: { level: none } }\n']];

/** Timers with the shortest interval, 7 s, at which every heartbeat is stored. */
export const SHORT_TIMERS = { stale_after: '10s' };

/** The interval of a client itself is 30 s at least. */
const OWN_INTERVAL_MS = 30_000;

/** Reports in a row: more than those of a start, and in less time than heartbeats at the interval of the client. */
const REPORTS_IN_A_ROW = 6;

export const isHealthy = ([agent]: any[]): boolean => agent?.status === 'running';
export const isLive = (agents: any[]): boolean => isHealthy(agents) && agents[0].state === 'live';

/** Signals the group of a program: the supervisor leaves its collector behind. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // All of the group have ended.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    signal(child, 'SIGTERM');
    await exited;
  }
  signal(child, 'SIGKILL');
}

/** A server, and the programs that report to it. */
export class OpampServer {
  readonly running: RunningServer;
  readonly admin: Client;
  readonly #folder: string;
  readonly #programs = new Set<RunningProgram>();

  private constructor(folder: string, running: RunningServer, admin: Client) {
    this.#folder = folder;
    this.running = running;
    this.admin = admin;
  }

  static async start(): Promise<OpampServer> {
    const folder = await newDataDir();
    const running = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
    const { session } = await makeKeys(running);
    return new OpampServer(folder, running, clientOf(running, bearer(session)));
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await removeDataDir(this.#folder);
  }

  stopPrograms(): Promise<unknown> {
    const programs = [...this.#programs];
    this.#programs.clear();
    return Promise.all(programs.map((program) => program.stop()));
  }

  get certificate(): string {
    return join(this.#folder, 'data', 'tls-cert.pem');
  }

  /** The address of the endpoint with this scheme. */
  endpoint(scheme = 'https:'): string {
    return `${this.running.base}/v1/opamp`.replace('https:', scheme);
  }

  /** Writes a file that is secret. @returns its path. */
  async secretFile(name: string, text: string): Promise<string> {
    const path = join(this.#folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  }

  startProgram(program: Program, args: readonly string[]): RunningProgram {
    const child = spawn(programPath(program), args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: this.#folder,
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const started = { child, output: () => output, stop: () => stop(child) };
    this.#programs.add(started);
    return started;
  }

  async enrol(name: string, timers: object = {}): Promise<Host> {
    const body = { name, allowed_addresses: ['10.0.0.1'] };
    const { token } = bodyOf(await this.admin('POST', '/v1/enrolment-tokens', { body }), 201);
    const node = { node_type: 'generic', node_name: name, address: '10.0.0.1', ...timers };
    const enrolled = bodyOf(await clientOf(this.running)('POST', '/v1/enrolment', { body: { token, node } }), 201);
    const credential = await this.secretFile(`${name}.authorization`, bearer(enrolled.api_key.key));
    return { nodeId: enrolled.node.node_id, credential };
  }

  /** Writes the documented configuration that begins with this comment, for this host. @returns its path. */
  async documentedConfig(
    file: string,
    credential: string,
    others: Replacements = [],
    address = this.endpoint(),
  ): Promise<string> {
    const text = await readFile(new URL('../../docs/collectors.md', import.meta.url), 'utf8');
    const blocks = fencedBlocks(text, 'yaml');
    const documented = blocks.find((block) => block.startsWith(`# ${file}\n`)) ?? '';
    const [documentedAddress = ''] = /\w+:\/\/inventory\.example\.com\/v1\/opamp/.exec(documented) ?? [];
    const replacements: Replacements = [
      [documentedAddress, address],
      ['/etc/otelcol/inventory-ca.pem', this.certificate],
      ['/etc/otelcol/inventory-authorization', credential],
    ];
    const config = [...replacements, ...others].reduce((all, [from, to]) => {
      if (all.split(from).length !== 2) throw new Error(`not once in the documented configuration: ${from}`);
      return all.replace(from, to);
    }, documented);
    const path = `${credential}.${file}`;
    await writeFile(path, config);
    return path;
  }

  /** The collectors of a node, once they are as `isDone` demands. */
  async collectorsOf(nodeId: string, isDone: (agents: any[]) => boolean, program: RunningProgram): Promise<any[]> {
    let agents: any[] = [];
    const path = `/v1/agents?runs_on_node_id=${nodeId}&agent_type=otel_collector&include=state`;
    await eventually(async () => {
      agents = bodyOf(await this.admin('GET', path), 200).agents;
      return isDone(agents);
    }).catch((error: unknown) => {
      throw new Error(`${JSON.stringify(agents)}\n${program.output()}`, { cause: error });
    });
    return agents;
  }

  /** The collector sends no heartbeats. It is live as long as it is connected, also after `stale_after`. */
  async staysLive(nodeId: string, program: RunningProgram): Promise<void> {
    const [{ reported_at: first }] = await this.collectorsOf(nodeId, isLive, program);
    const isLater = ([collector]: any[]) => Date.parse(collector.reported_at) - Date.parse(first) > 25_000;
    await this.collectorsOf(nodeId, isLater, program);
    await this.collectorsOf(nodeId, isLive, program);
  }

  async reportsOften(nodeId: string, agentId: string, program: RunningProgram): Promise<void> {
    const times: number[] = [];
    await eventually(async () => {
      const { reported_at: at } = bodyOf(await this.admin('GET', `/v1/agents/${agentId}`), 200);
      if (Date.parse(at) !== times.at(-1)) times.push(Date.parse(at));
      const [latest = 0, first = NaN] = [times.at(-1), times.at(-REPORTS_IN_A_ROW)];
      return latest - first < OWN_INTERVAL_MS * 3;
    }).catch((error: unknown) => {
      throw new Error(`${nodeId} at ${times.join()}\n${program.output()}`, { cause: error });
    });
  }
}
