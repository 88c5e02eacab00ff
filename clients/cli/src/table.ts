import type { Action, CommandSpec } from './command/command.ts';
import type { lists } from './generated/lists.ts';
import type { KindName } from './objects/objects.ts';

type Load = CommandSpec['load'];

/**
 * @param usage the words of the command, and its arguments as commander reads them: `context use <name>`.
 * @param lines its examples, without the name of the program at their beginning.
 */
function row(usage: string, summary: string, load: Load, ...lines: string[]): CommandSpec {
  const [, name = '', args] = /^([a-z_ -]*[a-z_])(?: ([<[].*))?$/.exec(usage) ?? [];
  const examples = lines.map((line) => (line.includes('inventory ') ? line : `inventory ${line}`));
  const isHidden = name.startsWith('_') ? ({ isHidden: true } as const) : {};
  return { name, ...(args === undefined ? {} : { args }), summary, examples, load, ...isHidden };
}

const listing = async (items: keyof typeof lists) => (await import('./commands/listing.ts')).listing(items);
const context = async (name: 'list' | 'use' | 'set' | 'remove') => (await import('./commands/context.ts'))[name];
const job = async (name: 'get' | 'wait' | 'cancel') => (await import('./commands/job.ts'))[name];
const credentials = async (
  name: 'addKey' | 'rotate' | 'limit' | 'disableKey' | 'enableKey' | 'removeKey' | 'addToken' | 'removeToken' | 'end',
): Promise<Action> => (await import('./commands/credentials.ts'))[name];

const silences = async (name: 'list' | 'add' | 'end'): Promise<Action> =>
  (await import('./commands/silences.ts'))[name];

const users = async (
  name: 'add' | 'set' | 'invite' | 'disable' | 'enable' | 'remove' | 'endSessions',
): Promise<Action> => (await import('./commands/users.ts'))[name];

/** Commands under one heading of the help. */
interface CommandGroup {
  title: string;
  commands: readonly CommandSpec[];
}

/** A command for each kind, whose options are the fields of the kind. */
function writes(verb: string, act: string, rule: string, load: (kind: KindName) => Promise<Action>): CommandSpec[] {
  const kinds = [
    ['node', '<name>', 'db-1 --type generic --address 10.0.0.1 --label team=dba'],
    ['service', '<name>', 'orders --type mysql --node-ids db-1 --address 10.0.0.1 --port 3306'],
    ['agent', '<type>', 'mysqld_exporter --pmm-agent-id db-1 --insights-service-ids orders'],
  ] as const;
  return kinds.map(([kind, args, example]) => {
    // Agents have no names: several can have one type and place.
    const hasRule = kind !== 'agent' || verb === 'set';
    const summary = `${act} ${kind === 'agent' ? 'an' : 'a'} ${kind}${hasRule ? `: ${rule}` : ''}`;
    return row(`${verb} ${kind} ${args}`, summary, () => load(kind), `${verb} ${kind} ${example}`);
  });
}

/** All commands in groups, in the order of the help. Completion, manual pages and the document are derived from this table. */
export const commandGroups: readonly [CommandGroup, ...CommandGroup[]] = [
  {
    title: 'Begin',
    commands: [
      row(
        'login [url]',
        'Store a server and a key for it; by default a session of 12 hours',
        () => import('./commands/login.ts'),
        'login https://inventory.example',
        'login --key-stdin < key',
      ),
      row('logout', 'End the session and forget the key', () => import('./commands/logout.ts')),
      row('whoami', 'Show the caller, its role and expiry', () => import('./commands/whoami.ts')),
      row('context list', 'List the servers that are stored', () => context('list')),
      row('context use <name>', 'Make a context the current one', () => context('use')),
      row(
        'context set <name>',
        'Add or change a context',
        () => context('set'),
        "context set prod --url https://inventory.example --key-command 'pass show inventory'",
      ),
      row('context remove <name>', 'Remove a context and its key', () => context('remove')),
      row('doctor', 'Check the address, certificate, clock, key and version', () => import('./commands/doctor.ts')),
      row('version', 'Show the versions of this program and of the server', () => import('./commands/version.ts')),
      row(
        'completion <shell>',
        'Print the completion for bash, zsh or fish',
        () => import('./commands/completion.ts'),
        'source <(inventory completion bash)',
      ),
      row('__complete <line>', 'Propose the last word of a line', () => import('./commands/complete.ts')),
    ],
  },
  {
    title: 'Read',
    commands: [
      row(
        'get <kind> [name...]',
        'List nodes, services, agents or clusters, or get some of them by name or id',
        () => import('./commands/get.ts'),
        'get nodes -l team=dba',
        'get services --filter cluster=pxc -o json',
        'get agents --state live --group-by version',
        'get node db-1 -o yaml',
        'get node db-1 --as-of 2h',
        'get agent mysqld_exporter of orders on db-1 -o json',
      ),
      row(
        'describe <object...>',
        'Show an object, what depends on it, and its last changes',
        () => import('./commands/describe.ts'),
        'describe node/db-1',
      ),
      row(
        'history <object...>',
        'Show the changes of an object',
        () => import('./commands/history.ts'),
        'history service/orders --limit 10',
      ),
      row('summary', 'Show totals and what needs attention', () => import('./commands/summary.ts')),
      row('targets', 'List scrape targets for Prometheus', () => import('./commands/targets.ts')),
      row(
        'watch',
        'Follow the changes of the inventory',
        () => import('./commands/watch.ts'),
        "watch --kinds node --cursor-file cursor --exec 'jq .'",
      ),
      row(
        'wait <object...>',
        'Wait until an object has a state or a value, or is removed',
        () => import('./commands/wait.ts'),
        'wait node/db-1 --for live --timeout 5m',
      ),
      row('audit', 'List changes, credentials and refused calls', () => listing('entries')),
    ],
  },
  {
    title: 'Write one object',
    commands: [
      ...writes('add', 'Add', 'a name that is taken is refused', async (kind) =>
        (await import('./commands/add.ts')).addition(kind),
      ),
      ...writes('set', 'Declare', 'it is added, or changed to be as given, without all other values', async (kind) =>
        (await import('./commands/add.ts')).declaration(kind),
      ),
      row(
        'change <object> [change...]',
        'Change fields and labels of an object, unless somebody else has changed it',
        () => import('./commands/change.ts'),
        'change node/db-1 region=eu label.team=dba label.old-',
        'change node db-1 --region eu --label team=dba --label old-',
      ),
      row('edit <object...>', 'Change an object in your editor', () => import('./commands/edit.ts')),
      row(
        'remove <object...>',
        'Remove objects',
        () => import('./commands/remove.ts'),
        'remove node/db-1 --dry-run',
        'remove node/db-1 --force --yes',
      ),
      row('removed', 'List removals that can be restored', () => listing('removals')),
      row('restore <id>', 'Restore a removal', () => import('./commands/restore.ts')),
    ],
  },
  {
    title: 'Write many objects',
    commands: [
      row(
        'lint',
        'Check desired-state files with the rules of the server, without a server',
        () => import('./commands/lint.ts'),
        'lint -f fleet.yaml',
        'lint --stored',
      ),
      row(
        'schema [kind]',
        'Print the JSON Schema of desired-state files, for editors, or of one object in them',
        () => import('./commands/schema.ts'),
        'schema > inventory.schema.json',
      ),
      row(
        'plan',
        'Compare the inventory with desired-state files; changes nothing',
        () => import('./commands/plan.ts'),
        'plan -f fleet.yaml',
        'plan -f fleets/ -o markdown --out plan.json',
        'plan -f hosts.csv -l fleet=web --default type=generic --default label.fleet=web',
      ),
      row(
        'apply [plan]',
        'Make the inventory equal to desired-state files, or apply exactly a plan that was reviewed',
        () => import('./commands/apply.ts'),
        'apply -f fleet.yaml -y',
        'apply plan.json',
      ),
      row(
        'pull',
        'Write the objects of a scope as a desired-state file',
        () => import('./commands/pull.ts'),
        'pull -l fleet=shop -d fleets',
      ),
      row('job get <id>', 'Show the progress of a reconciliation', () => job('get')),
      row('job wait <id>', 'Wait for the end of a reconciliation', () => job('wait')),
      row('job cancel <id>', 'Cancel a reconciliation; changes that are done stay', () => job('cancel')),
      row(
        'import [file...]',
        'Import objects from CSV, or with the key of an Admin files of an export or the inventory of a PMM server',
        () => import('./commands/import.ts'),
        'import hosts.csv --default type=generic --dry-run',
        'import hosts.csv --default type=generic',
        'import --dry-run inventory.ndjson',
        'import --from-pmm --dry-run',
      ),
      row('export', 'Print the whole inventory as lines for an import', () => import('./commands/export.ts')),
      row(
        'batch',
        'Run many operations in their order',
        () => import('./commands/batch.ts'),
        'batch -f operations.yaml',
      ),
    ],
  },
  {
    title: 'Hosts, clusters, operation',
    commands: [
      row(
        'enrol <name>',
        'Exchange an enrolment token for a node and its key',
        () => import('./commands/enrol.ts'),
        'enrol web-1 --address 10.0.3.11 --token-file token --out /etc/inventory/key',
      ),
      row(
        'host-setup',
        'Write the files that connect this host: key, pmm-agent, exporters, vmagent',
        () => import('./commands/host-setup.ts'),
        'host-setup --key-file key --remote-write https://metrics.example/api/v1/write',
      ),
      row(
        'report',
        'Report that this host is alive',
        () => import('./commands/report.ts'),
        'report --systemd',
        'report --follow --declare pod.yaml --remove-at-exit',
      ),
      row(
        'sync-kubernetes',
        'Follow the database pods of a cluster of Kubernetes',
        () => import('./commands/sync-kubernetes.ts'),
        'sync-kubernetes --cluster prod --dry-run',
        'sync-kubernetes --cluster prod --max-removals 40%',
      ),
      row(
        'cleanup',
        'Remove ephemeral nodes that no longer report',
        () => import('./commands/cleanup.ts'),
        'cleanup --dry-run',
      ),
      row('silence list', 'List silences', () => silences('list')),
      row(
        'silence add <selector>',
        'Keep what a selector matches out of the findings for some time',
        () => silences('add'),
        'silence add cluster=orders --reason Upgrade --time-to-live 8h',
      ),
      row('silence end <selector>', 'End a silence', () => silences('end')),
      row(
        'api <method> <path>',
        'Send any request',
        () => import('./commands/api.ts'),
        'api GET "/v1/nodes?region=eu" --all',
      ),
    ],
  },
  {
    title: 'Keys and users',
    commands: [
      row('key list', 'List API keys', () => listing('api_keys')),
      row(
        'key add <name>',
        'Add an API key',
        () => credentials('addKey'),
        'key add pipeline --role Viewer --time-to-live 90d --out key',
      ),
      row(
        'key rotate [name]',
        'Give a key a new secret; without a name, the key of the call, which is stored where it was',
        () => credentials('rotate'),
      ),
      row('key limit <name> <requests>', 'Limit the requests of a key per minute, or none', () => credentials('limit')),
      row('key disable <name>', 'Refuse the calls of an API key until it is enabled', () => credentials('disableKey')),
      row('key enable <name>', 'Let a disabled API key call again', () => credentials('enableKey')),
      row('key remove <name>', 'Remove an API key', () => credentials('removeKey')),
      row('token list', 'List enrolment tokens', () => listing('enrolment_tokens')),
      row('token add <name>', 'Add an enrolment token, which a host exchanges once for its key', () =>
        credentials('addToken'),
      ),
      row('token remove <id>', 'Remove an enrolment token', () => credentials('removeToken')),
      row('user list', 'List users', () => listing('users')),
      row(
        'user add <name>',
        'Add a user, and print the invitation with which the user sets a password',
        () => users('add'),
        'user add maria.lopez --role Editor --owners dba --out invitation',
      ),
      row('user invite <name>', 'Invite a user again; the password and all sessions of the user end', () =>
        users('invite'),
      ),
      row(
        'user set <name>',
        'Change the role or the owners of a user; all sessions of the user end',
        () => users('set'),
        'user set maria.lopez --role Viewer',
      ),
      row('user disable <name>', 'Lock a user out; all sessions of the user end', () => users('disable')),
      row('user enable <name>', 'Let a disabled user log in again', () => users('enable')),
      row('user end-sessions <name>', 'End all sessions of a user', () => users('endSessions')),
      row('user remove <name>', 'Remove a user; all sessions of the user end', () => users('remove')),
      row('session list', 'List sessions', () => listing('sessions')),
      row('session end <id>', 'End a session', () => credentials('end')),
    ],
  },
];

export const commands: readonly CommandSpec[] = commandGroups.flatMap((group) => group.commands);

/** Which command writes what. */
export const writing: readonly (readonly [command: string, what: string])[] = [
  ['add', 'one new object'],
  ['set', 'one whole object; clears absent values'],
  ['change', 'fields and labels'],
  ['edit', 'the same, in an editor'],
  ['apply', 'many objects: makes a scope equal to files, also removes'],
  ['import', 'many objects: CSV, an export; removes nothing'],
  ['batch', 'many objects: operations'],
  ['restore', 'undoes a removal'],
];
