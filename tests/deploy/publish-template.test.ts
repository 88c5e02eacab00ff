import { fileURLToPath } from 'node:url';
import type { Account } from './aws.ts';
import { buildInfo } from '../../infra/assets/build-info.ts';
import { environmentWithAssets } from './cdk.ts';
import { type EmulatedAccount, openAccount } from './emulated-account.ts';
import { run } from './processes.ts';
import { pathOf } from './programs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 600_000;
const BUCKET = 'templates-of-us-east-1';

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html: a template in S3. */
const MAX_TEMPLATE_BYTES = 1_000_000;

const program = await pathOf('ministack');

let emulated: EmulatedAccount;
let account: Account;
let printed: string;
let key: string;
let text: string;
let template: any;
let env: NodeJS.ProcessEnv;

const publish = (...args: string[]) =>
  run([process.execPath, 'tools/publish-template.ts', ...args], {
    cwd: root,
    env,
    limitMilliseconds: LIMIT_MS,
  });

beforeAll(async () => {
  emulated = await openAccount(program);
  ({ account } = emulated);
  env = await environmentWithAssets(emulated.target);
  await account.createBucket(BUCKET);
  printed = await publish(BUCKET, '-c', 'logRetentionDays=90');
  [, key = ''] = new RegExp(`^https://s3\\.us-east-1\\.amazonaws\\.com/${BUCKET}/(\\S+)$`, 'm').exec(printed) ?? [];
  text = await account.file(BUCKET, key);
  template = JSON.parse(text);
}, LIMIT_MS);

afterAll(() => (emulated as EmulatedAccount | undefined)?.stop());

test('the bucket contains the template and every file that it names', async () => {
  const code = Object.values<any>(template.Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::Lambda::Function' ? [Properties.Code] : [],
  );
  expect(code.length).toBeGreaterThan(50);
  expect(new Set(code.map(({ S3Bucket }) => S3Bucket))).toEqual(new Set([BUCKET]));
  const assets = new Set(code.map(({ S3Key }) => S3Key));
  const files = await account.files(BUCKET);
  expect(files.filter((name) => !name.endsWith('.json')).sort()).toEqual([...assets].sort());
  // Another build with the same code has the same places.
  for (const name of assets) expect(name).toMatch(/^monitoring-inventory\/assets\/[0-9a-f]{64}\.zip$/);
  const { version } = await buildInfo();
  expect(key).toBe(`monitoring-inventory/${version.replace('+', '.')}/template.json`);
  expect(files).toContain(key);
});

test("the template needs no bootstrapped account and no parameter, and fits CloudFormation's size", () => {
  expect(text).not.toMatch(/cdk-|bootstrap/i);
  expect([template.Parameters, template.Rules]).toEqual([undefined, undefined]);
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_TEMPLATE_BYTES);
});

test('the settings are those of the command line', () => {
  const groups = Object.values<any>(template.Resources).filter(({ Type }) => Type === 'AWS::Logs::LogGroup');
  expect(groups.map(({ Properties }) => Properties.RetentionInDays)).toEqual(groups.map(() => 90));
});

test(
  'a never bootstrapped account creates a stack from the template',
  async () => {
    expect(await account.stacks()).toEqual([]);
    expect(await account.createStack('FromConsole', BUCKET, key)).toBe('CREATE_COMPLETE');
    expect((await account.secrets()).filter((name) => name.includes('AdminPassword'))).toHaveLength(1);
    expect(await account.tables()).toHaveLength(1);
    const [site] = (await account.buckets()).filter((name) => name !== BUCKET);
    expect(await account.files(site!)).toContain('index.html');
  },
  LIMIT_MS,
);

test.each([[[]], [['Not_A_Bucket']]])('arguments %j print the usage', async (args) => {
  await expect(publish(...args)).rejects.toThrow('Usage: npm run publish-template -- BUCKET');
});

test('a missing bucket is an error without a success message', async () => {
  const failed = publish('no-such-bucket');
  await expect(failed).rejects.toThrow('The template is not published.');
  await expect(failed).rejects.not.toThrow('https://s3');
});
