import type { CommandSpec } from './command.ts';

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
  { name: 'summary', summary: 'Show totals and what needs attention', load: () => import('./commands/summary.ts') },
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
    name: 'version',
    summary: 'Show the versions of this program and of the server',
    load: () => import('./commands/version.ts'),
  },
];
