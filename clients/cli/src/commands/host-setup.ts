import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCaller } from '../../../typescript/src/generated/operations.ts';
import { keyOf } from '../../../typescript/src/permanent.ts';
import { readText } from '../files/body-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { checkAccount, isOnHost, ownAddresses } from '../host-setup/accounts.ts';
import type { Account, MonitoredService } from '../host-setup/exporters.ts';
import {
  AGENT_ENVIRONMENT,
  folders,
  type Host,
  hostFiles,
  VMAGENT_UNIT,
  type Vmagent,
} from '../host-setup/host-files.ts';
import { isOwnAgent, ownServices } from '../host-setup/own-services.ts';
import { agentIdIn, configOf, findPmmClient, findVmagent, type PmmClient } from '../host-setup/pmm-client.ts';
import { compareFiles, type FileChange, type Owner, type WriteTarget, writeFiles } from '../host-setup/write-files.ts';
import type { Settings } from '../connection/settings.ts';

export const options: readonly OptionSpec[] = [
  { flags: '--remote-write <url>', description: 'where vmagent sends the metrics of this host; without it no vmagent' },
  { flags: '--vmagent <path>', description: 'the program vmagent; default: the one of PMM, or of a package' },
  {
    flags: '--vmagent-option <option>',
    description: 'a further option of vmagent: -remoteWrite.bearerTokenFile=FILE',
    many: true,
  },
  { flags: '--exporter-user <name>', description: 'user of the exporters at the databases of this host; default: pmm' },
  {
    flags: '--exporter-password-file <file>',
    description: 'file with its password; without it, templates of credentials are written',
  },
  { flags: '--agent-address <host:port>', description: 'address of the agent gateway; default: that of the server' },
  { flags: '--user <name>', description: 'user of pmm-agent and vmagent; default: pmm-agent' },
  { flags: '--root <dir>', description: 'root folder of the host; default: /' },
  { flags: '--dry-run', description: 'list the files; write nothing' },
  { flags: '--force', description: 'replace files that something else wrote or changed' },
];

export const note =
  'The key is that of the host (role Registrar), from --key-file or INVENTORY_KEY. Files that are as they should be stay;\n' +
  'a second run changes nothing.';

/** The key itself: files of the host contain it. */
async function keyOfHost({ key, keySource }: Settings): Promise<string> {
  if (key === undefined)
    throw new CommandError(`There is no key: give --key-file FILE, or set INVENTORY_KEY.`, 'denied');
  return keyOf(typeof key === 'function' ? await key() : key, keySource);
}

async function nodeOfKey(call: CommandCall, { keySource }: Settings): Promise<string> {
  const { role, node_id: node } = await getCaller(await call.connect(), {}, { signal: call.world.signal });
  if (node !== undefined) return node;
  throw new CommandError(
    `The key from ${keySource} has the role ${role}: a host needs a key of its own. ` +
      'Get one with inventory token add, and inventory enrol --out FILE.',
  );
}

/** The address of the streams of pmm-agent. */
function agentAddressOf(url: string, given: string | undefined): string {
  if (given !== undefined) {
    if (!/^[^\s/@]+:\d{1,5}$/.test(given)) throw new CommandError(`--agent-address is not HOST:PORT: ${given}`);
    return given;
  }
  const { hostname, port, pathname } = new URL(url);
  if (pathname !== '/')
    throw new CommandError(`pmm-agent cannot connect to ${url}: give the gateway, --agent-address HOST:PORT.`);
  return `${hostname}:${port === '' ? '443' : port}`;
}

/** Options whose value is a secret; each has one that names a file. */
const SECRET_OPTION = /^-+remoteWrite\.(?:basicAuth\.password|bearerToken|oauth2\.clientSecret|headers)=/;

function vmagentOf({ options: given }: CommandCall, root: string, client: PmmClient | undefined): Vmagent | undefined {
  const remoteWrite = given.text('remoteWrite');
  const more = given.all('vmagentOption');
  if (remoteWrite === undefined) {
    if (more.length > 0 || given.text('vmagent') !== undefined)
      throw new CommandError('vmagent needs an address to send to: --remote-write URL.');
    return undefined;
  }
  const url = URL.parse(remoteWrite);
  if (url === null || !/^https?:$/.test(url.protocol) || /[\s"'\\]/.test(remoteWrite))
    throw new CommandError(`--remote-write is no address of HTTP: ${remoteWrite}`);
  if (url.username !== '' || url.password !== '')
    throw new CommandError(
      '--remote-write contains a user or a password, which every user of the host could read: give them with ' +
        '--vmagent-option -remoteWrite.basicAuth.username=NAME and -remoteWrite.basicAuth.passwordFile=FILE.',
    );
  for (const option of more) {
    if (!/^-[\w.]+(?:=[^\s"'\\]*)?$/.test(option))
      throw new CommandError(`--vmagent-option is no option of vmagent: ${option}`);
    if (SECRET_OPTION.test(option))
      throw new CommandError(`--vmagent-option contains a secret: give the option of vmagent that names a file.`);
  }
  const program = given.text('vmagent') ?? findVmagent(root, client);
  if (program === undefined)
    throw new CommandError(
      'This host has no vmagent: install pmm-client, or the package victoria-metrics or vmutils, or name it: --vmagent PATH.',
    );
  if (!/^\/[^\s"'\\%$]+$/.test(program)) throw new CommandError(`--vmagent is no absolute path: ${program}`);
  return { program, remoteWrite, options: more };
}

/** The user of pmm-agent on the host. @throws CommandError if it does not exist. */
function ownerOf(root: string, user: string): Owner {
  let users = '';
  try {
    users = readFileSync(join(root, '/etc/passwd'), 'utf8');
  } catch {
    // Without the file there is no user.
  }
  const line = users.split('\n').find((userLine) => userLine.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new CommandError(`This host has no user ${user}: install pmm-client, or name the user: --user NAME.`);
  return { uid: Number(uid), gid: Number(gid) };
}

async function accountOf({ options: given, world }: CommandCall): Promise<Account | undefined> {
  const [file, user = 'pmm'] = [given.text('exporterPasswordFile'), given.text('exporterUser')];
  if (file === undefined) {
    if (given.text('exporterUser') !== undefined)
      throw new CommandError('--exporter-user needs --exporter-password-file FILE.');
    return undefined;
  }
  const account = { user, password: (await readText(file, world)).replace(/\r?\n$/, '') };
  checkAccount(account);
  return account;
}

/** The set-up of a pmm-agent whose id is none of the node. */
const setUpAgain = (client: PmmClient, id: string) => [
  id === ''
    ? `pmm-agent has no id yet (${configOf(client)}). Set it up:`
    : `The id of pmm-agent, ${id}, is no agent of the node of this key (${configOf(client)}). Set it up again:`,
  `  (set -a; . ${AGENT_ENVIRONMENT}; pmm-agent setup --config-file=${configOf(client)} --force ADDRESS generic NODE_NAME)`,
  '  --force keeps the node, its services and agents here, with their ids. PMM would remove them.',
];

interface Findings {
  client: PmmClient | undefined;
  /** Of its configuration; undefined if it is one of the inventory, or is not known. */
  strangeId: string | undefined;
  /** Services elsewhere, which do not get the password. */
  remote: readonly MonitoredService[];
  hasVmagent: boolean;
}

/** Sentences and commands that follow, for a person. */
function nextSteps(changes: readonly FileChange[], { client, strangeId, remote, hasVmagent }: Findings): string[] {
  const templates = changes
    .filter(({ file, action }) => file.isTemplate && action === 'written')
    .map(({ file }) => file.path);
  const isChanged = changes.some(({ action }) => action === 'written' || action === 'changed');
  const units = [...(client === undefined ? [] : ['pmm-agent']), ...(hasVmagent ? [VMAGENT_UNIT] : [])];
  return [
    ...(strangeId === undefined || client === undefined ? [] : setUpAgain(client, strangeId)),
    ...(templates.length === 0
      ? []
      : ['Enter user and password, and remove the extension .template:', ...templates.map((path) => `  ${path}`)]),
    ...remote.map(
      ({ service_name: name, address = '' }) =>
        `${name} gets no password: ${address} is no address of this host. Fill in its template.`,
    ),
    ...(client === undefined ? ['This host has no pmm-agent: install pmm-client, and repeat this command.'] : []),
    ...(hasVmagent ? [] : ['Nothing sends the metrics of this host anywhere: give --remote-write URL.']),
    ...(isChanged && units.length > 0
      ? [
          'As root:',
          '  systemctl daemon-reload',
          ...(hasVmagent ? [`  systemctl enable ${VMAGENT_UNIT}`] : []),
          `  systemctl restart ${units.join(' ')}`,
        ]
      : []),
  ];
}

function refuseForeign(changes: readonly FileChange[], isDry: boolean): void {
  const pathsOf = (action: FileChange['action']) =>
    changes.filter((change) => change.action === action).map(({ file }) => file.path);
  const refused = pathsOf('refused');
  if (refused.length > 0)
    throw new CommandError(
      `This command did not write these files, or they were changed since: ${refused.join(', ')}. Nothing was written. --force replaces them.`,
      'conflict',
    );
  const unreadable = pathsOf('unreadable');
  if (unreadable.length > 0 && !isDry)
    throw new CommandError(`${unreadable.join(', ')} cannot be read. Run the command as root.`);
}

export async function run(call: CommandCall): Promise<undefined> {
  const { options: given, output, settings, connect, world } = call;
  const isDry = given.flag('dryRun');
  const root = given.text('root') ?? '/';
  const user = given.text('user') ?? 'pmm-agent';
  const owner = ownerOf(root, user);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !isDry && given.text('root') === undefined)
    throw new CommandError('Only root can write these files: run the command as root, or with --dry-run.');

  const client = findPmmClient(root);
  const vmagent = vmagentOf(call, root, client);
  const account = await accountOf(call);
  const server = await settings();
  const key = await keyOfHost(server);
  const agentAddress = agentAddressOf(server.url, given.text('agentAddress'));
  const nodeId = await nodeOfKey(call, server);
  const inventory = await connect();
  const services = client === undefined ? [] : await ownServices(inventory, nodeId, world.signal);
  const id = client === undefined ? undefined : await agentIdIn(root, client);
  const strangeId = id === undefined || (await isOwnAgent(inventory, id, nodeId)) ? undefined : id;
  const hostAddresses = ownAddresses();
  const host: Host = {
    ...{ url: server.url, key, user, client, agentAddress, services, vmagent },
    ca: server.ca === undefined ? undefined : await readText(server.ca, world),
    isInsecure: server.insecure,
    accountOf: (service) => (isOnHost(service, hostAddresses) ? account : undefined),
  };

  const target: WriteTarget = { root, agent: isRoot ? owner : undefined };
  const changes = compareFiles(hostFiles(host), target, given.flag('force'));
  const isShown = !given.flag('quiet') || !output.isForPeople;
  const rows = changes.map(({ file, action }) => ({
    file: file.path,
    mode: file.mode.toString(8).padStart(4, '0'),
    owner: file.isOfAgent ? user : 'root',
    action,
  }));
  if (isDry && isShown) await output.list(rows, { columns: ['file', 'mode', 'owner', 'action'] });
  refuseForeign(changes, isDry);
  if (!isDry) writeFiles(changes, folders, target);
  if (!isDry && isShown) await output.list(rows, { columns: ['file', 'mode', 'owner', 'action'] });
  const steps = nextSteps(changes, {
    client,
    strangeId,
    remote: account === undefined ? [] : services.filter((service) => !isOnHost(service, hostAddresses)),
    hasVmagent: vmagent !== undefined,
  });
  if (steps.length > 0 && !given.flag('quiet')) world.err(`\nNext:\n${steps.join('\n')}\n`);
}
