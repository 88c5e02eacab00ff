import { readFile } from 'node:fs/promises';
import { readContext, readSettings } from './read-settings.ts';
import type { InventorySettings } from './settings.ts';
import { settingsSchema } from './settings-table.ts';

const problemsOf = (settings: unknown, region?: string): string => {
  try {
    readSettings(settings as InventorySettings, region);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('no setting is required', () => {
  expect(readContext({})).toEqual({
    stageName: 'live',
    throttleRate: 100,
    throttleBurst: 200,
    reportRate: 500,
    authorizerCacheSeconds: 300,
    changeEvents: true,
    closed: false,
    stackName: 'MonitoringInventory',
    cdn: true,
    openRate: 50,
    loginRate: 10,
    wafRequestsPerAddress: 6000,
    silenceAlarm: false,
    stateEvents: false,
    auditEvents: false,
    auditRetentionDays: 30,
    probe: false,
    terminationProtection: false,
    workerConcurrency: 2,
    architecture: 'arm64',
    logRetentionDays: 30,
    removalPolicy: 'retain',
    pointInTimeRecovery: true,
    reportEndpoint: 'rest',
    billing: 'onDemand',
    ...{ minReadUnits: 50, maxReadUnits: 4000, minWriteUnits: 50, maxWriteUnits: 4000 },
    customerManagedKey: false,
    ownerLabel: 'team',
    adminAccount: 'enabled',
    agentGateway: false,
    agentGatewayTasks: 2,
    agentGatewayImage: expect.stringMatching(/^public\.ecr\.aws\/docker\/library\/node@sha256:[0-9a-f]{64}$/),
    waf: false,
    provisionedConcurrency: 0,
    provisionedFunctions: ['authorizer', 'reports', 'reads', 'changes'],
    accountConcurrency: 1000,
    scheduledCleanup: true,
    pmmCompatibility: true,
  });
});

test('command line texts and prop values are equivalent', () => {
  const props = {
    throttleRate: 7,
    waf: true,
    pointInTimeRecovery: false,
    logRetentionDays: 90,
    removalPolicy: 'destroy',
  } as const;
  const texts = Object.fromEntries(Object.entries(props).map(([name, value]) => [name, String(value)]));
  expect(readContext(texts)).toEqual({
    ...{ stackName: 'MonitoringInventory', terminationProtection: false },
    ...readSettings(props),
  });
});

test('lists and pairs are texts with commas on the command line', () => {
  const texts = {
    subnetIds: 'subnet-0123abcd,subnet-4567cdef',
    securityGroupIds: 'sg-0123abcd',
    tags: 'team=ops,cost centre=12=b',
  };
  const settings = {
    subnetIds: ['subnet-0123abcd', 'subnet-4567cdef'],
    securityGroupIds: ['sg-0123abcd'],
    tags: { team: 'ops', 'cost centre': '12=b' },
  };
  expect(readContext(texts)).toMatchObject(settings);
  expect(readSettings(settings)).toMatchObject(settings);
});

test.each([
  ['authorizerCacheSeconds', 301],
  ['authorizerCacheSeconds', -1],
  ['authorizerCacheSeconds', 1.5],
  ['authorizerCacheSeconds', '30s'],
  ['throttleRate', 0],
  ['throttleBurst', 'many'],
  ['logRetentionDays', 31],
  ['logRetentionDays', 9999],
  ['stageName', 'live stage'],
  ['removalPolicy', 'snapshot'],
  ['pointInTimeRecovery', 'yes'],
  ['waf', 1],
  ['certificateArn', 'certificate/abc'],
  ['wafRequestsPerAddress', 9],
  ['cdn', 'no'],
  ['workerConcurrency', 11],
  ['architecture', 'arm'],
  ['accessLogBucket', 'My_Bucket'],
  ['subnetIds', 'subnet-1'],
  ['securityGroupIds', ''],
  ['permissionsBoundary', 'Boundary'],
  ['tags', 'team'],
  ['tags', 'aws:team=ops'],
  ['domainName', 'https://inventory.example.com'],
  ['hostedZoneId', 'example.com'],
  ['alarmEmail', 'nobody'],
  ['tags', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`t${index}`, 'x']))],
  ['provisionedConcurrency', 1001],
  ['provisionedFunctions', 'everything'],
  ['changeShards', 3],
  ['changeShards', 37],
])('%s=%p fails with its name, its value, what it must be, and how to set it', (name, value) => {
  const said = problemsOf({ [name]: value });
  expect(said).toContain(`${name} is ${JSON.stringify(value)}, but must be `);
  expect(said).toContain(`-c ${name}=<value>, or omit it.`);
});

test('all errors are reported at once', () => {
  const said = problemsOf({ throttleRate: 0, waf: 'maybe', stageName: 'ok' });
  expect(said.split('\n')).toHaveLength(3);
});

test.each([
  [{ domainName: 'a.example.com' }, 'Set certificateArn too'],
  [{ accessLogBucket: 'logs', cdn: false }, 'cdn is false'],
  [{ subnetIds: ['subnet-0123abcd'] }, 'Set securityGroupIds too'],
  [{ securityGroupIds: ['sg-0123abcd'] }, 'Set subnetIds too'],
  [
    { domainName: 'a.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc' },
    'CloudFront requires a certificate in us-east-1',
  ],
  [{ certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc' }, 'Set domainName too'],
  [{ hostedZoneId: 'Z0123456789' }, 'Set domainName too'],
  [{ wafRequestsPerAddress: 100 }, 'Set waf=true'],
  [
    { identityProviders: [{ name: 'a', kind: 'jwt', issuer: 'http://localhost:8080', audience: 'x' }] },
    'the issuer of provider "a" must have an https URL',
  ],
  [
    {
      identityProviders: [
        {
          name: 'a',
          kind: 'oidc',
          issuer: 'https://a.example.com',
          clientId: 'x',
          redirectUris: ['https://b.example.com/'],
          clientSecretFile: '/x',
        },
      ],
    },
    'Set clientSecretArn',
  ],
  [{ identityProviders: '[{"name": "a", "kind": "jwt"}]' }, 'Provider "a" lacks issuer'],
  [{ provisionedConcurrency: 6, authorizerConcurrency: 5 }, 'Set authorizerConcurrency to 6 or more'],
  [{ authorizerConcurrency: 901 }, 'set accountConcurrency to 1001 or more'],
  [{ provisionedConcurrency: 20 }, 'Set at most 14, name fewer groups in provisionedFunctions'],
  [{ provisionedConcurrency: 1, accountConcurrency: 10 }, "0 of the account's 10 can be provisioned"],
  [
    { provisionedConcurrency: 300, provisionedFunctions: ['reports'], authorizerConcurrency: 400 },
    "500 of the account's 1000 can be provisioned. Set at most 250",
  ],
])('a setting that requires another one names it: %p', (settings, todo) =>
  expect(problemsOf(settings)).toContain(todo),
);

test.each([
  { provisionedConcurrency: 14 },
  { provisionedConcurrency: 15, accountConcurrency: 1100 },
  { provisionedConcurrency: 100, provisionedFunctions: ['authorizer', 'reports'], authorizerConcurrency: 100 },
  { provisionedConcurrency: 300, provisionedFunctions: ['authorizer'], authorizerConcurrency: 900 },
  { wafRequestsPerAddress: 100, waf: true },
])('settings that the account can run are accepted: %p', (settings) => expect(problemsOf(settings)).toBe(''));

test.each([
  [
    { domainName: 'a.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc', cdn: false },
    'API Gateway requires a certificate in the region of the stack, af-south-1',
  ],
  [{ accessLogBucket: 'logs' }, 'CloudFront delivers no log to buckets there'],
])('a setting that the region of the stack excludes is refused with the reason: %p', (settings, reason) => {
  expect(problemsOf(settings, 'af-south-1')).toContain(reason);
  expect(problemsOf(settings, 'us-east-1')).toBe('');
  expect(problemsOf(settings)).toBe('');
});

/** https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html: those without an opt-in. */
const defaultRegions =
  'us-east-1 us-east-2 us-west-1 us-west-2 ap-south-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-southeast-1 ' +
  'ap-southeast-2 ca-central-1 eu-central-1 eu-west-1 eu-west-2 eu-west-3 eu-north-1 sa-east-1';

test('access logs of CloudFront are accepted exactly in regions that are enabled by default', () => {
  const isAccepted = (region: string) => problemsOf({ accessLogBucket: 'logs' }, region) === '';
  expect(defaultRegions.split(' ').filter((region) => !isAccepted(region))).toEqual([]);
  const others = ['ap-southeast-3', 'eu-south-1', 'eu-central-2', 'us-gov-west-1', 'ca-west-1'];
  expect(others.filter(isAccepted)).toEqual([]);
});

test("a misspelled name is refused, and CDK's own names are ignored", () => {
  expect(problemsOf({ logRetention: 90 })).toContain('Unknown setting "logRetention"');
  expect(problemsOf({ stackName: 'Other' })).toContain('Unknown setting "stackName"');
  expect(() => readContext({ authorizerCacheSecond: '5' })).toThrow('Unknown setting "authorizerCacheSecond"');
  expect(
    readContext({ '@aws-cdk/core:x': true, 'aws:cdk:y': 1, 'acknowledged-issue-numbers': [1], 'cli-version': '2' }),
  ).toEqual(readContext({}));
});

test('docs/settings.md lists every setting with its default', async () => {
  const text = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const documented = rows.flatMap(([, names = '', , presets = '']) => {
    const all = names.split(', ');
    const values = all.length > 1 && presets.includes(', ') ? presets.split(', ') : all.map(() => presets);
    return all.map((name, index): [string, string] => [name, values[index]!]);
  });
  const { changeShards, ...presets } = Object.fromEntries(documented);
  expect(changeShards).toContain('4 in a new one');
  const settings = new Map(
    Object.entries(readContext({})).map(([name, value]) => [name, JSON.stringify(value).replaceAll(/["[\]]/g, '')]),
  );
  const names = Object.keys(settingsSchema.shape).filter((name) => name !== 'changeShards');
  expect(presets).toEqual(Object.fromEntries(names.map((name) => [name, settings.get(name) ?? 'none'])));
});
