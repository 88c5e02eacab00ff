import type { Action, CommandSpec } from './command.ts';
import type { lists } from './generated/lists.ts';
import type { KindName } from './objects.ts';

const listing = async (items: keyof typeof lists) => (await import('./commands/listing.ts')).listing(items);

/** A command for each kind, whose options are the fields of the kind. */
function writes(verb: string, act: string, rule: string, load: (kind: KindName) => Promise<Action>): CommandSpec[] {
  const kinds = [
    ['node', '<name>', 'db-1 --type generic --address 10.0.0.1 --label team=dba'],
    ['service', '<name>', 'orders --type mysql --node-ids db-1 --address 10.0.0.1 --port 3306'],
    ['agent', '<type>', 'mysqld_exporter --pmm-agent-id db-1 --insights-service-ids orders'],
  ] as const;
  return kinds.map(([kind, args, example]) => ({
    name: `${verb} ${kind}`,
    args,
    summary: `${act} ${kind === 'agent' ? 'an' : 'a'} ${kind}: ${rule}`,
    examples: [`inventory ${verb} ${kind} ${example}`],
    load: () => load(kind),
  }));
}

const jobs: readonly CommandSpec[] = [
  {
    name: 'job get',
    args: '<id>',
    summary: 'Show the progress of a reconciliation',
    load: async () => (await import('./commands/job.ts')).get,
  },
  {
    name: 'job wait',
    args: '<id>',
    summary: 'Wait for the end of a reconciliation',
    load: async () => (await import('./commands/job.ts')).wait,
  },
  {
    name: 'job cancel',
    args: '<id>',
    summary: 'Cancel a reconciliation; changes that are done stay',
    load: async () => (await import('./commands/job.ts')).cancel,
  },
];

const credentials: readonly CommandSpec[] = [
  { name: 'key list', summary: 'List API keys', load: () => listing('api_keys') },
  {
    name: 'key add',
    args: '<name>',
    summary: 'Add an API key',
    examples: ['inventory key add pipeline --role Viewer --time-to-live 90d --out key'],
    load: async () => (await import('./commands/credentials.ts')).addKey,
  },
  {
    name: 'key rotate',
    args: '[name]',
    summary: 'Give a key a new secret; without a name, the key of the call, which is stored where it was',
    load: async () => (await import('./commands/credentials.ts')).rotate,
  },
  {
    name: 'key limit',
    args: '<name> <requests>',
    summary: 'Limit the requests of a key per minute, or none',
    load: async () => (await import('./commands/credentials.ts')).limit,
  },
  {
    name: 'key remove',
    args: '<name>',
    summary: 'Remove an API key',
    load: async () => (await import('./commands/credentials.ts')).removeKey,
  },
  { name: 'token list', summary: 'List enrolment tokens', load: () => listing('enrolment_tokens') },
  {
    name: 'token add',
    args: '<name>',
    summary: 'Add an enrolment token, which a host exchanges once for its key',
    load: async () => (await import('./commands/credentials.ts')).addToken,
  },
  {
    name: 'token remove',
    args: '<id>',
    summary: 'Remove an enrolment token',
    load: async () => (await import('./commands/credentials.ts')).removeToken,
  },
  { name: 'session list', summary: 'List sessions', load: () => listing('sessions') },
  {
    name: 'session end',
    args: '<id>',
    summary: 'End a session',
    load: async () => (await import('./commands/credentials.ts')).end,
  },
];

/** All commands, in the order of the help. Completion, man pages and the document are derived from this table. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'login',
    args: '[url]',
    summary: 'Store a server and a key for it; by default a session of 12 hours',
    examples: ['inventory login https://inventory.example', 'inventory login --key-stdin < key'],
    load: () => import('./commands/login.ts'),
  },
  { name: 'logout', summary: 'End the session and forget the key', load: () => import('./commands/logout.ts') },
  { name: 'whoami', summary: 'Show the caller, its role and expiry', load: () => import('./commands/whoami.ts') },
  {
    name: 'context list',
    summary: 'List the servers that are stored',
    load: async () => (await import('./commands/context.ts')).list,
  },
  {
    name: 'context use',
    args: '<name>',
    summary: 'Make a context the current one',
    load: async () => (await import('./commands/context.ts')).use,
  },
  {
    name: 'context set',
    args: '<name>',
    summary: 'Add or change a context',
    examples: ["inventory context set prod --url https://inventory.example --key-command 'pass show inventory'"],
    load: async () => (await import('./commands/context.ts')).set,
  },
  {
    name: 'context remove',
    args: '<name>',
    summary: 'Remove a context and its key',
    load: async () => (await import('./commands/context.ts')).remove,
  },
  {
    name: 'get',
    args: '<kind> [name...]',
    summary: 'List nodes, services, agents or clusters, or get some of them by name or id',
    examples: [
      'inventory get nodes -l team=dba',
      'inventory get services --filter cluster=pxc -o json',
      'inventory get node db-1 -o yaml',
    ],
    load: () => import('./commands/get.ts'),
  },
  {
    name: 'describe',
    args: '<object>',
    summary: 'Show an object, what depends on it, and its last changes',
    examples: ['inventory describe node/db-1'],
    load: () => import('./commands/describe.ts'),
  },
  {
    name: 'lint',
    summary: 'Check desired-state files with the rules of the server, without a server',
    examples: ['inventory lint -f fleet.yaml'],
    load: () => import('./commands/lint.ts'),
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of desired-state files, for editors',
    examples: ['inventory schema > inventory.schema.json'],
    load: () => import('./commands/schema.ts'),
  },
  {
    name: 'plan',
    summary: 'Compare the inventory with desired-state files; changes nothing',
    examples: ['inventory plan -f fleet.yaml', 'inventory plan -f fleets/ -o markdown --out plan.json'],
    load: () => import('./commands/plan.ts'),
  },
  {
    name: 'apply',
    args: '[plan]',
    summary: 'Make the inventory equal to desired-state files, or apply exactly a plan that was reviewed',
    examples: ['inventory apply -f fleet.yaml -y', 'inventory apply plan.json'],
    load: () => import('./commands/apply.ts'),
  },
  {
    name: 'pull',
    summary: 'Write the objects of a scope as a desired-state file',
    examples: ['inventory pull -l fleet=shop -d fleets'],
    load: () => import('./commands/pull.ts'),
  },
  {
    name: 'history',
    args: '<object>',
    summary: 'Show the changes of an object',
    examples: ['inventory history service/orders --limit 10'],
    load: () => import('./commands/history.ts'),
  },
  ...writes('add', 'Add', 'a name that is taken is refused', async (kind) =>
    (await import('./commands/add.ts')).addition(kind),
  ),
  ...writes('set', 'Declare', 'it is added, or changed so that it is as given', async (kind) =>
    (await import('./commands/add.ts')).declaration(kind),
  ),
  {
    name: 'change',
    args: '<object> [change...]',
    summary: 'Change fields and labels of an object, unless somebody else has changed it',
    examples: ['inventory change node/db-1 region=eu label.team=dba label.old-'],
    load: () => import('./commands/change.ts'),
  },
  {
    name: 'edit',
    args: '<object>',
    summary: 'Change an object in your editor',
    load: () => import('./commands/edit.ts'),
  },
  {
    name: 'remove',
    args: '<object...>',
    summary: 'Remove objects',
    examples: ['inventory remove node/db-1 --dry-run', 'inventory remove node/db-1 --force --yes'],
    load: () => import('./commands/remove.ts'),
  },
  { name: 'summary', summary: 'Show totals and what needs attention', load: () => import('./commands/summary.ts') },
  ...jobs,
  {
    name: 'export',
    summary: 'Print the whole inventory as lines for an import',
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    args: '[file...]',
    summary: 'Import files of an export, or the inventory of a PMM server',
    examples: ['inventory import --dry-run inventory.ndjson', 'inventory import --from-pmm --dry-run'],
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'batch',
    summary: 'Run many operations in their order',
    examples: ['inventory batch -f operations.yaml'],
    load: () => import('./commands/batch.ts'),
  },
  {
    name: 'watch',
    summary: 'Follow the changes of the inventory',
    examples: ["inventory watch --kinds node --cursor-file cursor --exec 'jq .'"],
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'wait',
    args: '<object>',
    summary: 'Wait until an object has a state or a value, or is removed',
    examples: ['inventory wait node/db-1 --for live --timeout 5m'],
    load: () => import('./commands/wait.ts'),
  },
  { name: 'audit', summary: 'List changes, credentials and refused calls', load: () => listing('entries') },
  {
    name: 'enrol',
    args: '<name>',
    summary: 'Exchange an enrolment token for a node and its key',
    examples: ['inventory enrol web-1 --address 10.0.3.11 --token-file token --out /etc/inventory/key'],
    load: () => import('./commands/enrol.ts'),
  },
  {
    name: 'report',
    summary: 'Report that this host is alive',
    examples: ['inventory report --systemd', 'inventory report --follow --declare pod.yaml --remove-at-exit'],
    load: () => import('./commands/report.ts'),
  },
  ...credentials,
  {
    name: 'cleanup',
    summary: 'Remove ephemeral nodes that no longer report',
    examples: ['inventory cleanup --dry-run'],
    load: () => import('./commands/cleanup.ts'),
  },
  { name: 'removed', summary: 'List removals that can be restored', load: () => listing('removals') },
  { name: 'restore', args: '<id>', summary: 'Restore a removal', load: () => import('./commands/restore.ts') },
  { name: 'targets', summary: 'List scrape targets for Prometheus', load: () => import('./commands/targets.ts') },
  {
    name: 'api',
    args: '<method> <path>',
    summary: 'Send any request',
    examples: ['inventory api GET "/v1/nodes?region=eu" --all'],
    load: () => import('./commands/api.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check the address, certificate, clock, key and version',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'Print the completion for bash, zsh or fish',
    examples: ['source <(inventory completion bash)'],
    load: () => import('./commands/completion.ts'),
  },
  {
    name: '__complete',
    args: '<line>',
    summary: 'Propose the last word of a line',
    isHidden: true,
    load: () => import('./commands/complete.ts'),
  },
  {
    name: 'version',
    summary: 'Show the versions of this program and of the server',
    load: () => import('./commands/version.ts'),
  },
];
