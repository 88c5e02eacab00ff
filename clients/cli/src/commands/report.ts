import {
  discoverTargets,
  getCaller,
  getVersion,
  removeNode,
  reportAgents,
  upsertAgent,
  upsertNode,
  upsertService,
} from '../../../typescript/src/generated/operations.ts';
import { VERSION } from '../../../typescript/src/generated/version.ts';
import type { ReportedAgent } from '../../../typescript/src/generated/types.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { readYaml } from '../files/body-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError, type Exit, exitOf, lineOf } from '../core/exit-codes.ts';
import { isId } from '../objects/objects.ts';
import { type DeclaredAgent, reportedAgents, statusOptions } from '../files/reported-agents.ts';
import { hasDigest, writeTargets } from '../files/targets-file.ts';
import { type Fields, fieldsOf, isFields, isList } from '../core/values.ts';

export const options: readonly OptionSpec[] = [
  {
    flags: '--agent <id>',
    description: 'id of the pmm_agent; default: the one of the node of the key, which is declared without labels',
  },
  { flags: '--follow', description: 'report again whenever the server asks for it' },
  {
    flags: '--declare <file>',
    description: 'YAML file with node, services and agents of this host, which are declared first',
  },
  { flags: '--remove-at-exit', description: 'with --follow and --declare: remove the node when the program ends' },
  {
    flags: '--targets <file>',
    description: 'write the scrape targets of this host to this file (file_sd_configs) whenever they change',
  },
  ...statusOptions,
  {
    flags: '--systemd',
    description: 'print services and timers of systemd that report every minute and rotate the key every week',
  },
];

/** Until the next report, if the server does not say it. */
const PAUSE_SECONDS = 60;

const UNITS = `# /etc/systemd/system/inventory-report.service
[Unit]
Description=Report to the monitoring inventory
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
DynamicUser=yes
# INVENTORY_URL=https://...
EnvironmentFile=/etc/inventory/environment
LoadCredential=key:/etc/inventory/key
Environment=INVENTORY_KEY_FILE=%d/key
ExecStart=/usr/bin/env inventory report --quiet

# /etc/systemd/system/inventory-report.timer
[Unit]
Description=Report to the monitoring inventory every minute

[Timer]
OnBootSec=10s
OnUnitActiveSec=60s
RandomizedDelaySec=10s

[Install]
WantedBy=timers.target

# /etc/systemd/system/inventory-rotate.service
[Unit]
Description=Rotate the key of the monitoring inventory
After=network-online.target
Wants=network-online.target

[Service]
Type=oneshot
EnvironmentFile=/etc/inventory/environment
ExecStart=/usr/bin/env inventory key rotate --key-file /etc/inventory/key --quiet

# /etc/systemd/system/inventory-rotate.timer
[Unit]
Description=Rotate the key of the monitoring inventory every week

[Timer]
OnCalendar=weekly
RandomizedDelaySec=1h
Persistent=yes

[Install]
WantedBy=timers.target
`;

// Methods: the server checks the fields of the file.
interface Declarations {
  node(client: Client, body: object): Promise<{ node_id: string }>;
  service(client: Client, body: object): Promise<object>;
  agent(client: Client, body: object): Promise<{ agent_id: string; agent_type: string }>;
}

const declare: Declarations = { node: upsertNode, service: upsertService, agent: upsertAgent };

interface Host {
  node: string;
  agent: string;
  declared: readonly DeclaredAgent[];
}

const objectsIn = (value: unknown): Fields[] => (isList(value) ? value.filter(isFields) : []);

/** Declares the node, its services, its pmm_agent, and the agents that this one starts. */
async function declareHost(client: Client, file: string, { world }: CommandCall): Promise<Host> {
  const value = await readYaml(file, world);
  if (!isFields(value) || !isFields(value['node'])) throw new CommandError(`${file} contains no node.`);
  const { node_id: node } = await declare.node(client, value['node']);
  const ids = new Map<unknown, string>();
  for (const service of objectsIn(value['services'])) {
    const { service_id: id }: { service_id?: unknown } = fieldsOf(
      await declare.service(client, { ...service, node_ids: [node] }),
    );
    if (typeof id === 'string') ids.set(service['service_name'], id);
  }
  const { agent_id: agent } = await declare.agent(client, { agent_type: 'pmm_agent', runs_on_node_id: node });
  const declared: DeclaredAgent[] = [];
  for (const reported of objectsIn(value['agents'])) {
    const { service_names: names, ...rest } = reported;
    const services = isList(names) ? { insights: { service_ids: names.map((name) => ids.get(name) ?? name) } } : {};
    const { agent_id: id, agent_type: type } = await declare.agent(client, {
      ...rest,
      ...services,
      pmm_agent_id: agent,
    });
    declared.push({ id, type, services: isList(names) ? names.map(String) : [] });
  }
  return { node, agent, declared };
}

async function ownAgent(client: Client, given: string | undefined): Promise<string> {
  if (given !== undefined && isId(given)) return given;
  if (given !== undefined) throw new CommandError(`--agent is no id: ${given}`);
  const { node_id: node } = await getCaller(client);
  if (node === undefined) throw new CommandError('The key is of no host: give --agent ID or --declare FILE.');
  // A host may not list agents; the reply to a declaration contains the id.
  return (await declare.agent(client, { agent_type: 'pmm_agent', runs_on_node_id: node })).agent_id;
}

/** The client for reports: with --follow that of the address that the server names for them. */
async function reporterOf(client: Client, { options: given, settings, world }: CommandCall): Promise<Client> {
  // A single report is not worth another request.
  if (!given.flag('follow')) return client;
  const { report_url: url } = await getVersion(client);
  if (url === undefined) return client;
  // The key is sent to it.
  if (!url.startsWith('https://'))
    throw new CommandError(`The server names an address for reports without TLS: ${url}`);
  const { clientOf } = await import('../connection/settings.ts');
  return clientOf({ ...(await settings()), url }, given, world);
}

/** Fetches the targets if their digest is not that of the file, and replaces it. */
async function updateTargets(
  client: Client,
  node: string,
  digest: string | undefined,
  call: CommandCall,
): Promise<void> {
  const file = call.options.text('targets');
  if (file === undefined || hasDigest(file, digest)) return;
  writeTargets(file, await discoverTargets(client, { node }, { signal: call.world.signal }));
}

/**
 * Sends a report, names refused statuses, and updates the file of targets. @returns the time until the next report, in
 * milliseconds.
 */
async function report(
  { client, reporter }: Record<'client' | 'reporter', Client>,
  { agent, node }: Pick<Host, 'agent' | 'node'>,
  agents: readonly ReportedAgent[],
  call: CommandCall,
): Promise<{ wait: number; isComplete: boolean }> {
  const { options: given, output, world } = call;
  const more = given.text('targets') === undefined ? {} : { with_targets_hash: true };
  try {
    const reply = await reportAgents(reporter, { agent_id: agent, agents, ...more }, { signal: world.signal });
    await updateTargets(client, node, reply.targets_hash, call);
    if (!given.flag('quiet')) await output.object({ ...reply }, { columns: ['reported_at', 'stale_at'] });
    // A server before 0.2.0 takes no version of the process.
    const refused = reply.refused.filter(({ agent_id: id }) => id !== agent);
    for (const { agent_id: id, message } of refused) world.err(`agent ${id}: ${message}\n`);
    return { wait: reply.report_after_seconds * 1000, isComplete: refused.length === 0 };
  } catch (error) {
    // A server that restarts does not end the program of a host.
    if (!given.flag('follow') || exitOf(error) !== 'unanswered') throw error;
    world.err(`${lineOf(error)}\n`);
    return { wait: PAUSE_SECONDS * 1000, isComplete: false };
  }
}

export const isOrderly = true;

export async function run(call: CommandCall): Promise<Exit | undefined> {
  const { options: given, output, connect, world } = call;
  if (given.flag('systemd')) {
    output.text(UNITS);
    return undefined;
  }
  const file = given.text('declare');
  const isRemoved = given.flag('removeAtExit');
  if (isRemoved && (file === undefined || !given.flag('follow')))
    throw new CommandError('--remove-at-exit needs --follow and --declare.');
  const client = await connect();
  const host = file === undefined ? undefined : await declareHost(client, file, call);
  const agent = host?.agent ?? (await ownAgent(client, given.text('agent')));
  // An id that is given can be that of a collector, whose own entry is its status.
  const itself =
    given.text('agent') === undefined ? [{ agent_id: agent, status: 'running', version: VERSION } as const] : [];
  const clients = { client, reporter: await reporterOf(client, call) };
  try {
    for (;;) {
      const statuses = await reportedAgents(call, host?.declared ?? []);
      const agents = statuses.some(({ agent_id: id }) => id === agent) ? statuses : [...itself, ...statuses];
      const { wait, isComplete } = await report(clients, { agent, node: host?.node ?? 'self' }, agents, call);
      if (!given.flag('follow')) return isComplete ? undefined : 'partial';
      await world.clock.pause(wait, world.signal);
    }
  } finally {
    // Only at the end of the host, not after an error.
    if (isRemoved && world.signal.aborted && host !== undefined)
      await removeNode(client, { node_id: host.node, force: true });
  }
}
