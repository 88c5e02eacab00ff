/** The commands of the CDK in all documents: each selects the stacks that its text means. Nothing is deployed. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cdk } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { pathOf } from './programs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 600_000;

const program = await pathOf('ministack');

let emulated: EmulatedAccount;
let cdk: Cdk;

beforeAll(async () => {
  emulated = await openAccount(program);
  cdk = new Cdk(emulated.target);
}, LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

const single = ['MonitoringInventory'];
const tenants = ['acme', 'canary', 'umbrella'].map((name) => `Inventories-${name}`);
const all = [...tenants, 'Inventories-shared'];

/** What `context` of `cdk.json` keeps of tenants. */
const kept = {
  stackName: 'Inventories',
  tenants: '[{"name": "canary", "wave": 1}, {"name": "acme"}, {"name": "umbrella"}]',
};

/** What each command selects, by its document. A command that takes part in no selection has none. */
const selections: Readonly<
  Record<string, readonly (readonly [command: string, stacks: readonly string[] | undefined])[]>
> = {
  'README.md': [['npx cdk deploy', single]],
  'docs/cdk.md': [['npx cdk deploy <its name> --exclusively', single]],
  'docs/agent-gateway.md': [
    [
      'npx cdk deploy -c agentGateway=true -c agentGatewayDomainName=agents.example.com -c agentGatewayCertificateArn="$CERTIFICATE_ARN"',
      single,
    ],
  ],
  'docs/deploy.md': [
    ['npx cdk bootstrap aws://<account>/<region>', undefined],
    ['npx cdk deploy', single],
    ['npx cdk destroy', single],
    ['npx cdk bootstrap --cloudformation-execution-policies', undefined],
    ['npx cdk deploy -c permissionsBoundary=arn:aws:iam::<account>:policy/InventoryBoundary', single],
  ],
  'docs/library.md': [
    ['npx cdk deploy', single],
    ["npx cdk deploy '*-canary'", ['Inventories-canary']],
  ],
  'docs/maintenance.md': [
    ['npx cdk deploy -c closed=true', single],
    ['npx cdk deploy', single],
    ['npx cdk diff', single],
    ['npx cdk deploy', single],
    ['npx cdk destroy', single],
    ['npx cdk deploy -c removalPolicy=destroy', single],
    ['npx cdk destroy -c removalPolicy=destroy', single],
  ],
  'docs/operators.md': [
    ['npx cdk diff', single],
    ['npx cdk deploy --method=prepare-change-set', single],
    ['npx cdk deploy --require-approval broadening', single],
    ['npx cdk destroy', single],
    ['npx cdk deploy -c terminationProtection=false', single],
  ],
  'docs/settings.md': [
    [
      "npx cdk deploy -c 'dashboards=Node=https://grafana.example.com/d/node?var-node=${node_name},Cluster=https://grafana.example.com/d/pxc?var-cluster=${cluster}'",
      single,
    ],
  ],
  'docs/tenants.md': [
    [
      'npx cdk deploy --all --concurrency 5 -c stackName=Inventories -c domainName=inventory.example.com -c hostedZoneId=Z0123456789ABCDEFGHIJ -c certificateArn=arn:aws:acm:us-east-1:<account>:certificate/<id> -c alarmEmail=ops@example.com -c \'tenants=[{"name": "canary", "wave": 1}, {"name": "acme"}, {"name": "umbrella", "settings": {"logRetentionDays": 90}}]\'',
      all,
    ],
    ['npx cdk deploy --all --concurrency 5', all],
    ['npx cdk destroy --exclusively Inventories-acme -c \'tenants=[{"name": "acme"}]\'', ['Inventories-acme']],
    ['npx cdk deploy --all --concurrency 5', all],
    ["npx cdk deploy '*-canary'", ['Inventories-canary']],
    ['npx cdk deploy --all --concurrency 5', all],
  ],
};

/** The commands in a text, in blocks and in sentences, each once without its comment and on one line. */
const commandsIn = (text: string) =>
  [...text.replaceAll(/ \\\n\s*/g, ' ').matchAll(/(?<=`|&& |^\s*)npx cdk [^`\n]+/gm)].map(([command]) =>
    command.replace(/\s+#.*$/, '').trim(),
  );

const documents = [
  'README.md',
  ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const commandsByDocument = Object.fromEntries(
  (
    await Promise.all(
      documents.map(async (path) => [path, commandsIn(await readFile(join(root, path), 'utf8'))] as const),
    )
  ).filter(([, commands]) => commands.length > 0),
);

test('the commands of each document are those that run here', () => {
  const bootstrap = /^(npx cdk bootstrap --cloudformation-execution-policies).*/;
  const named = (commands: readonly string[]) => commands.map((command) => command.replace(bootstrap, '$1')).sort();
  expect(
    Object.fromEntries(Object.entries(commandsByDocument).map(([path, commands]) => [path, named(commands)])),
  ).toEqual(
    Object.fromEntries(
      Object.entries(selections).map(([path, rows]) => [path, named(rows.map(([command]) => command))]),
    ),
  );
});

/** The commands with what they select, each once. */
const selecting = new Map(
  Object.values(selections)
    .flat()
    .flatMap(([command, stacks]) => (stacks === undefined ? [] : [[command, stacks] as const])),
);

test.each([...selecting])(
  '%s selects %j',
  async (command, stacks) => {
    // Options of the other commands are unknown to `list`; without a selection, a deployment is of the only stack.
    const list = command
      .replace(/^npx cdk \w+/, 'npx cdk list')
      .replace(/ --(all|exclusively|concurrency \d+|method=\S+|require-approval \w+)(?= |$)/g, '')
      .replaceAll(/ --(all|exclusively|concurrency \d+)(?= |$)/g, '')
      .replaceAll('<its name>', 'MonitoringInventory')
      .replaceAll('<account>', emulated.target.account)
      .replaceAll('<id>', '01234567-89ab-cdef-0123-456789abcdef');
    const certificate = `arn:aws:acm:us-east-1:${emulated.target.account}:certificate/abc`;
    const isOfTenants = stacks !== single;
    const { printed } = await cdk.follow(`CERTIFICATE_ARN=${certificate}\n${list}`, isOfTenants ? kept : {});
    expect(printed.trim().split('\n').sort()).toEqual([...stacks].sort());
  },
  LIMIT_MS,
);

test(
  'terminationProtection protects the stack, and the template is written without an account',
  async () => {
    await cdk.follow('npx cdk synth -q -c terminationProtection=true');
    const manifest = JSON.parse(await readFile(join(emulated.target.home, 'cdk.out/manifest.json'), 'utf8'));
    expect(manifest.artifacts.MonitoringInventory.properties.terminationProtection).toBe(true);
  },
  LIMIT_MS,
);
