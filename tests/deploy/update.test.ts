import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { basic, bearer } from './api.ts';
import type { Account } from './aws.ts';
import { deployerEnvironment, type DeployTarget } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { commandsOfGuide, followGuide } from './guide.ts';
import { releasedTemplate } from './last-release.ts';
import { unpackBundles } from './release-bundles.ts';
import { run } from './processes.ts';
import { pathOf } from './programs.ts';
import { releasedDocument } from '../../tools/record-release.ts';
import { isLater } from '../../tools/release/versions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const STACK = 'MonitoringInventory';
const LIMIT_MS = 1_200_000;

const program = await pathOf('ministack');
const aws = await pathOf('aws');

let emulated: EmulatedAccount;
let home: string;
let account: Account;
let target: DeployTarget;

/** The command-line tool of AWS, in the account of the emulator. */
function awsCli(...args: string[]): Promise<string> {
  const { PATH, ...environment } = deployerEnvironment(target);
  const env = { ...environment, PATH: `${dirname(aws)}:${PATH ?? ''}`, AWS_PAGER: '' };
  return run([aws, ...args], { cwd: home, env, limitMilliseconds: LIMIT_MS });
}

/** Uploads the template of the last release with its functions. Of its site, which no test reads, it has one file. */
async function packageLastRelease(): Promise<void> {
  const bundles = join(home, 'bundles');
  await unpackBundles(bundles);
  await mkdir(join(bundles, 'publishSite/site'));
  await writeFile(join(bundles, 'publishSite/site/index.html'), '<!doctype html>');
  const local = join(home, 'released.json');
  await writeFile(local, await releasedTemplate(bundles));
  await awsCli('s3', 'mb', 's3://released');
  const files = ['--template-file', local, '--output-template-file', packaged(), '--use-json'];
  await awsCli('cloudformation', 'package', '--s3-bucket', 'released', ...files);
  // CloudFormation accepts 1,000,000 bytes, of which the command makes many blanks.
  await writeFile(packaged(), JSON.stringify(JSON.parse(await readFile(packaged(), 'utf8'))));
}

const packaged = () => join(home, 'packaged.json');

async function deployLastRelease(): Promise<void> {
  const stack = ['--stack-name', STACK, '--s3-bucket', 'released', '--capabilities', 'CAPABILITY_IAM'];
  await awsCli('cloudformation', 'deploy', '--template-file', packaged(), ...stack);
}

/** What docs/maintenance.md says to ask after an update. */
const storedValues = async (key: string): Promise<string> =>
  run([process.execPath, join(root, 'clients/cli/src/main.ts'), 'lint', '--stored', '--no-headers'], {
    cwd: home,
    env: { HOME: home, INVENTORY_URL: await emulated.stage(), INVENTORY_KEY: key },
    limitMilliseconds: LIMIT_MS,
  });

async function outputs(): Promise<Record<string, string>> {
  const shown = await awsCli('cloudformation', 'describe-stacks', '--stack-name', STACK, '--output', 'json');
  const list: { OutputKey: string; OutputValue: string }[] = JSON.parse(shown).Stacks[0].Outputs;
  return Object.fromEntries(list.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
}

beforeAll(async () => {
  emulated = await openAccount(program);
  ({ account, target } = emulated);
  ({ home } = target);
  await packageLastRelease();
  await deployLastRelease();
}, LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

test(
  'the commands of docs/deploy.md update the last release in a new copy: addresses, table, secret, data and keys stay, also after the return to it',
  async () => {
    const before = await outputs();
    const apis = await account.restApis();
    const request = await emulated.requests();
    const password = await account.secret(before['AdminSecretArn']!);
    const admin = basic('admin', password);
    const { status, body: added } = await request('POST', '/v1/api-keys', {
      as: admin,
      body: { name: 'before', role: 'Editor' },
    });
    expect(status).toBe(201);
    const key = bearer(added.key);
    const node = { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1' };
    expect((await request('POST', '/v1/nodes', { as: key, body: node })).status).toBe(201);
    // Addresses that no host has are refused since 0.2.0: earlier releases stored them.
    const strict = { ...node, node_name: 'of-before', address: '10.0.0.256' };
    const { info } = await releasedDocument();
    const isAccepted = isLater('0.2.0', info.version);
    expect((await request('POST', '/v1/nodes', { as: key, body: strict })).status).toBe(isAccepted ? 201 : 400);
    const nodes = async () => (await request('GET', '/v1/nodes', { as: key })).body.nodes;
    const stored = await nodes();
    expect(stored).toMatchObject(isAccepted ? [node, strict] : [node]);

    await followGuide(target);
    expect(await outputs()).toMatchObject(before);
    expect(await account.restApis()).toEqual(apis);
    expect(await account.secret(before['AdminSecretArn']!)).toBe(password);
    expect(await nodes()).toEqual(stored);
    expect(await storedValues(added.key)).toMatch(isAccepted ? /^node\/of-before +address +/ : /^$/);
    expect((await request('POST', '/v1/nodes', { as: key, body: { ...node, node_name: 'db-2' } })).status).toBe(201);
    const all = await nodes();
    expect(all).toHaveLength(isAccepted ? 3 : 2);

    // The return to the last release, which reads what the update has written.
    await deployLastRelease();
    expect(await nodes()).toEqual(all);
    expect((await request('GET', '/v1/nodes', { as: admin })).body.nodes).toEqual(all);
    expect((await request('POST', '/v1/nodes', { as: key, body: { ...node, node_name: 'db-3' } })).status).toBe(201);
  },
  LIMIT_MS,
);

test('the guide installs the packages before it uses one', async () => {
  const commands = (await commandsOfGuide(target)).join('\n').split('\n');
  expect(commands.findIndex((command) => command.startsWith('npm ci'))).toBe(0);
  expect(commands.some((command) => command.startsWith('npx cdk bootstrap'))).toBe(true);
});
