/** docs/releases.md: the template with its files, by the lines of the page, on the emulator of AWS. */
import { join } from 'node:path';
import { releaseOfRun } from './artefacts.ts';
import { openTemplateStack, type TemplateStack } from './template-stack.ts';

const LIMIT_MS = 900_000;

const { version, file } = await releaseOfRun();
const packed = await file(/^monitoring-inventory-template-.*\.tar\.gz$/);

let stack: TemplateStack;

beforeAll(async () => {
  stack = await openTemplateStack();
  const begin = performance.now();
  await stack.deploy(packed);
  await stack.request('GET', '/v1/version');
  process.stdout.write(`From the file to the first answer: ${Math.round((performance.now() - begin) / 1000)} s\n`);
}, LIMIT_MS);

afterAll(() => (stack as TemplateStack | undefined)?.emulated.stop());

test(
  'an account has the values of its command, keeps those that an update does not name, and keeps its nodes',
  async () => {
    expect((await stack.request('GET', '/v1/version')).body.build.version).toBe(version);
    const body = { node_type: 'generic', node_name: 'kept', address: 'kept.example.com' };
    expect((await stack.request('POST', '/v1/nodes', { body })).status).toBe(201);
    await stack.deploy(packed, { LogRetentionDays: '90' });
    expect((await stack.request('GET', '/v1/nodes')).text).toContain('kept.example.com');
    const groups = await stack.shell(
      'aws logs describe-log-groups --query "logGroups[].retentionInDays" --output text',
    );
    expect(new Set(groups.trim().split(/\s+/))).toEqual(new Set(['90']));
    const mail = await stack.shell('aws sns list-subscriptions --query "Subscriptions[].Endpoint" --output text');
    expect(mail).toContain('ops@example.com');
  },
  LIMIT_MS,
);

test('the template names no account, no region, and no bucket but the parameter, which alone has no default', async () => {
  const text = await stack.shell('cat monitoring-inventory/*/template.json');
  expect(text).not.toMatch(/cdk-|bootstrap|us-east-1\.amazonaws|\b\d{12}\b/i);
  const { Parameters, Resources } = JSON.parse(text);
  const places = Object.values<any>(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::Lambda::Function' ? [Properties.Code] : [],
  );
  const bucket = JSON.stringify({ 'Fn::Sub': '${AssetsBucket}' });
  expect(new Set(places.map(({ S3Bucket }) => JSON.stringify(S3Bucket)))).toEqual(new Set([bucket]));
  const required = Object.entries<any>(Parameters).filter(([, { Default }]) => Default === undefined);
  expect(required.map(([name]) => name)).toEqual(['AssetsBucket']);
  const files = await stack.emulated.account.files(stack.bucket);
  expect(files).toEqual(expect.arrayContaining(places.map(({ S3Key }) => S3Key)));
});

test(
  'the linter of CloudFormation accepts the template',
  async () => {
    const linter = join(process.cwd(), 'node_modules/.cache/cfn-lint/bin/cfn-lint');
    // As `npm run lint:template`, without W1030: an account without a domain gives no certificate.
    await stack.shell(`'${linter}' -i W3005 E3006 W1030 -r us-east-1 -- monitoring-inventory/*/template.json`);
  },
  LIMIT_MS,
);
