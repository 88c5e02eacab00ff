import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { processTypes } from '../../../gateway/protocol/enumerations.ts';
import { https } from '../../support/https.ts';
import { type ExporterProcess, PmmAgent, type SayStatus } from '../../support/pmm-agent.ts';
import { runExporter } from './run-exporter.ts';

/*
 * A model of the programs of a host with PMM, by name: `pmm-agent`, `pmm-admin` and `systemctl`. Their options, files, calls and
 * local API are those of the real ones; another option is an error. HOST_FOLDER has what a host keeps in fixed places: the
 * socket of the local API and the file that the unit of pmm-agent names. PMM_GENERATION is the generation of PMM. With
 * EXPORTERS, the folder of PMM's exporters, the programs in it run; without, every exporter counts as running.
 */

const folder = process.env['HOST_FOLDER'] ?? '';
const generation = process.env['PMM_GENERATION'] === '2' ? 2 : 3;
const socketPath = join(folder, 'local-api');
const unitFile = join(folder, 'unit.json');

interface Config {
  id: string;
  server: { address: string; username: string; password: string; 'insecure-tls': boolean };
  /** The programs of exporters by their type, in place of those in `exporters_base`. */
  paths?: Record<string, string>;
}

const exporters = process.env['EXPORTERS'];

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The call of a registration, as both generations send it. */
const registration = {
  2: {
    path: '/v1/management/Node/Register',
    body: { node_type: 'GENERIC_NODE', metrics_mode: 'AUTO', disable_collectors: null },
  },
  3: {
    path: '/v1/management/nodes',
    body: {
      ...{ node_type: 'NODE_TYPE_GENERIC_NODE', metrics_mode: 'METRICS_MODE_AUTO', disable_collectors: null },
      ...{ container_id: '', container_name: '', node_model: '', region: '', az: '', custom_labels: null },
      ...{ reregister: false, agent_password: '', expose_exporter: false },
    },
  },
} as const;

/** The early versions of PMM 2 know no Bearer tokens. */
const authorizationOf = ({ username, password }: Config['server']) =>
  generation === 3 && username === 'service_token'
    ? `Bearer ${password}`
    : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

async function setUp(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'config-file': { type: 'string' },
      'server-address': { type: 'string' },
      'server-insecure-tls': { type: 'boolean' },
      'server-username': { type: 'string' },
      'server-password': { type: 'string' },
    },
  });
  const [address, type, name, ...others] = positionals;
  if (type !== 'generic' || others.length > 0) throw new Error(`unexpected arguments: ${positionals.join(' ')}`);
  const server = {
    address: values['server-address'] ?? '',
    username: values['server-username'] ?? '',
    password: values['server-password'] ?? '',
    'insecure-tls': values['server-insecure-tls'] === true,
  };
  // The model knows no certificates.
  if (!server['insecure-tls']) throw new Error('x509: certificate signed by unknown authority');
  const { path, body } = registration[generation];
  const reply = await https(`https://${server.address}`, 'POST', path, {
    headers: { Authorization: authorizationOf(server) },
    body: { ...body, address, node_name: name, machine_id: `/machine_id/${name}`, distro: 'linux' },
  });
  if (reply.status !== 200) throw new Error(`Failed to register pmm-agent on PMM Server: ${reply.body.message}`);
  const config: Config = { id: reply.body.pmm_agent.agent_id, server };
  const file = values['config-file'] ?? '';
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, stringify(config), { mode: 0o600 });
  print(`Configuration file ${file} updated.`);
}

/** Runs until it is ended, with the local API. A stream that ends begins again, as that of a service that is restarted. */
async function runAgent(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { 'config-file': { type: 'string' } } });
  const { id, server, paths = {} } = parse(await readFile(values['config-file'] ?? '', 'utf8')) as Config;
  const port = Number(server.address.split(':')[1]);
  let current: PmmAgent | undefined;
  const run = (exporter: ExporterProcess, say: SayStatus, giveUp: () => void) => {
    const [type = ''] = Object.entries(processTypes).find(([, number]) => number === exporter.type) ?? [];
    return runExporter(paths[type] ?? join(exporters ?? '', type), exporter, { say, giveUp, print });
  };
  await rm(socketPath, { force: true });
  createServer((_, response) => {
    const { headers = {}, exporters: running = new Map() } = current ?? {};
    const runsOn = headers['pmm-agent-node-id'] ?? '';
    const { username, password, address } = server;
    const url = `https://${username}:${encodeURIComponent(password)}@${address}/`;
    const info = { url, connected: runsOn !== '', version: headers['pmm-server-version'] };
    const agents = [...running.keys()].map((agentId: string) => ({ agent_id: agentId }));
    response.end(JSON.stringify({ agent_id: id, runs_on_node_id: runsOn, server_info: info, agents_info: agents }));
  }).listen(socketPath);
  const version = generation === 3 ? { version: '3.5.0' } : {};
  // The unit ends with its host.
  while (existsSync(folder)) {
    const options = { port, generation, id, authorization: authorizationOf(server), ...version } as const;
    current = new PmmAgent(exporters === undefined ? options : { ...options, run });
    const { message } = await current.ended;
    // As pmm-agent up to 2.28.
    for (const { stop } of current.exporters.values()) stop?.();
    print(`Failed to establish two-way communication channel: ${message}.`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** What the local pmm-agent says of itself; undefined when none runs. */
async function localStatus(): Promise<any> {
  const request = httpRequest({ socketPath, path: '/local/Status', method: 'POST' }).end('{"get_network_info":true}');
  const response = await once(request, 'response').then(
    ([reply]) => reply,
    () => undefined,
  );
  return response === undefined ? undefined : JSON.parse(await text(response));
}

/** The status of the host, once its pmm-agent is connected. Another one is an error, as after `--wait`. */
async function connectedStatus(): Promise<any> {
  for (const end = Date.now() + 60_000; ;) {
    const status = await localStatus();
    if (status?.server_info.connected === true) {
      return status;
    }
    if (Date.now() > end) throw new Error('pmm-agent is not connected to PMM Server.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** PMM 3's `add` message with these options and the host's own data. */
function serviceMessage(kind: string, name: string | undefined, address: string | undefined, host: any, values: any) {
  const metrics = { metrics_mode: 'METRICS_MODE_AUTO', custom_labels: null };
  const place = { node_id: host.runs_on_node_id };
  if (kind === 'haproxy' || kind === 'external')
    return {
      ...{ ...place, ...metrics, service_name: name ?? values['service-name'] },
      listen_port: Number(values['listen-port']),
      ...(kind === 'external' ? { runs_on_node_id: host.runs_on_node_id, group: values.group ?? 'external' } : {}),
    };
  const [server, port] = address?.split(':') ?? [];
  const analytics = {
    mysql: 'qan_mysql_slowlog',
    mongodb: 'qan_mongodb_profiler',
    postgresql: 'qan_postgresql_pgstatements_agent',
  };
  const flag = Object.entries(analytics).find(([of]) => of === kind)?.[1];
  return {
    ...{ ...place, ...metrics, service_name: name, address: server, port: Number(port), pmm_agent_id: host.agent_id },
    ...{ username: values.username ?? 'root', password: values.password ?? '', disable_collectors: null },
    ...(flag === undefined ? {} : { [flag]: true }),
    log_level: 'LOG_LEVEL_WARN',
  };
}

async function addService(args: readonly string[]): Promise<void> {
  if (generation !== 3) throw new Error('The model adds services as PMM 3.');
  const text = { type: 'string' } as const;
  const options = { 'listen-port': text, 'service-name': text, group: text, username: text, password: text };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [kind = '', name, address, ...others] = positionals;
  if (others.length > 0) throw new Error(`unexpected arguments: ${others.join(' ')}`);
  const host = await connectedStatus();
  const { origin, username, password } = new URL(host.server_info.url);
  const server = { address: '', username, password: decodeURIComponent(password), 'insecure-tls': true };
  const reply = await https(origin, 'POST', '/v1/management/services', {
    headers: { Authorization: authorizationOf(server) },
    body: { [kind]: serviceMessage(kind, name, address, host, values) },
  });
  if (reply.status !== 200) throw new Error(reply.body.message);
  const { service_id: id, service_name: added } = reply.body[kind].service;
  print(`${kind} Service added.\nService ID  : ${id}\nService name: ${added}`);
}

async function admin(args: readonly string[]): Promise<void> {
  if (args[0] === 'add') await addService(args.slice(1));
  else if (args.join(' ') === 'status') print(JSON.stringify(await connectedStatus()));
  else throw new Error(`unexpected arguments: ${args.join(' ')}`);
}

/** Ends the pmm-agent of the unit, and starts it with the file of the unit. */
async function restart(args: readonly string[]): Promise<void> {
  if (args.join(' ') !== 'restart pmm-agent') throw new Error(`unexpected arguments: ${args.join(' ')}`);
  const { config, pid } = JSON.parse(await readFile(unitFile, 'utf8'));
  if (pid !== undefined) process.kill(pid);
  const child: ChildProcess = spawn(process.execPath, [import.meta.filename, 'pmm-agent', `--config-file=${config}`], {
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  await writeFile(unitFile, JSON.stringify({ config, pid: child.pid }));
}

const [program, ...args] = process.argv.slice(2);
if (program === 'pmm-agent') await (args[0] === 'setup' ? setUp(args.slice(1)) : runAgent(args));
else if (program === 'pmm-admin') await admin(args);
else if (program === 'systemctl') await restart(args);
else throw new Error(`no program: ${program}`);
