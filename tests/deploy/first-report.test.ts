/** docs/deploy.md, from an empty account to the first report of a host: its commands as they are written. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { Cdk, deployerEnvironment } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { commandsOfGuide } from './guide.ts';
import { run } from './processes.ts';
import { pathOf } from './programs.ts';

const LIMIT_MS = 1_200_000;

const program = await pathOf('ministack');
const aws = await pathOf('aws');

let emulated: EmulatedAccount;
beforeAll(async () => {
  emulated = await openAccount(program);
}, LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

const guide = await readFile(fileURLToPath(new URL('../../docs/deploy.md', import.meta.url)), 'utf8');

const blockWith = (text: string): string => {
  const block = fencedBlocks(guide, 'sh').find((candidate) => candidate.includes(text));
  if (block === undefined) throw new Error(`docs/deploy.md has no block with ${text}`);
  return block;
};

test(
  'the commands of docs/deploy.md lead from an empty account to a live host',
  async () => {
    const { target } = emulated;
    const start = performance.now();
    // update.test.ts follows the page with its installation, in a new copy.
    const deployment = (await commandsOfGuide(target)).join('\n').replace(/^npm ci$/m, '');
    const { outputs } = await new Cdk(target).follow(deployment);
    const { AdminSecretArn: secret = '' } = outputs['MonitoringInventory']!;
    const requests = [blockWith('B=<BaseUrl>'), blockWith('/report')].join('\n');
    const script = [
      'set -euo pipefail',
      'curl() { command curl --silent --show-error --fail-with-body "$@"; }',
      // The emulator's address instead of CloudFront's.
      requests.replace('<BaseUrl>', await emulated.stage()).replace('<AdminSecretArn>', secret),
    ].join('\n');
    const { PATH, ...environment } = deployerEnvironment(target);
    const env = { ...environment, PATH: `${dirname(aws)}:${PATH ?? ''}`, AWS_PAGER: '' };
    const printed = await run(['bash', '-c', script], { cwd: join(target.home), env, limitMilliseconds: LIMIT_MS });
    const [list = ''] = /\{"nodes":.*$/.exec(printed.trim()) ?? [];
    expect(JSON.parse(list).nodes).toMatchObject([{ node_name: 'db-1', state: 'live' }]);
    const blocks = [...(await commandsOfGuide(target)), ...requests.split('\n\n')].length;
    process.stdout.write(`way deploy: ${blocks} blocks, ${Math.round((performance.now() - start) / 1000)} s\n`);
  },
  LIMIT_MS,
);
