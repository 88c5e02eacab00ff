import { type InventorySettings, readContext, readSettings } from './settings.ts';

const problemsOf = (settings: unknown): string => {
  try {
    readSettings(settings as InventorySettings);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('nothing has to be set', () => {
  expect(readContext({})).toEqual({
    stageName: 'live',
    throttleRate: 100,
    throttleBurst: 200,
    reportRate: 500,
    sampleReports: true,
    authorizerCacheSeconds: 300,
    changeEvents: true,
    logRetentionDays: 30,
    removalPolicy: 'retain',
    pointInTimeRecovery: true,
    customerManagedKey: false,
    waf: false,
    provisionedConcurrency: 0,
    scheduledCleanup: true,
    pmmCompatibility: true,
  });
});

test('texts of the command line and values of props mean the same', () => {
  const props = {
    throttleRate: 7,
    waf: true,
    pointInTimeRecovery: false,
    logRetentionDays: 90,
    removalPolicy: 'destroy',
  } as const;
  const texts = Object.fromEntries(Object.entries(props).map(([name, value]) => [name, String(value)]));
  expect(readContext(texts)).toEqual(readSettings(props));
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
  ['certificateArn', 'arn:aws:acm:eu-west-1:123456789012:certificate/abc'],
  ['domainName', 'https://inventory.example.com'],
  ['hostedZoneId', 'example.com'],
  ['alarmEmail', 'nobody'],
  ['provisionedConcurrency', 101],
  ['changeShards', 3],
  ['changeShards', 37],
])('%s=%p fails with its name, its value, what it must be, and how to set it', (name, value) => {
  const said = problemsOf({ [name]: value });
  expect(said).toContain(`${name} is ${JSON.stringify(value)}, but must be `);
  expect(said).toContain(`-c ${name}=<value>, or omit it.`);
});

test('all that is wrong is said at once', () => {
  const said = problemsOf({ throttleRate: 0, waf: 'maybe', stageName: 'ok' });
  expect(said.split('\n')).toHaveLength(3);
});

test.each([
  [{ domainName: 'a.example.com' }, 'Set certificateArn too'],
  [{ certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc' }, 'Set domainName too'],
  [{ hostedZoneId: 'Z0123456789' }, 'Set domainName too'],
])('what needs something else says so: %p', (settings, todo) => expect(problemsOf(settings)).toContain(todo));

test('a misspelled name is not passed over, what belongs to the CDK is', () => {
  expect(() => readContext({ authorizerCacheSecond: '5' })).toThrow('Unknown setting "authorizerCacheSecond"');
  expect(
    readContext({ '@aws-cdk/core:x': true, 'aws:cdk:y': 1, 'acknowledged-issue-numbers': [1], 'cli-version': '2' }),
  ).toEqual(readContext({}));
});
