import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { FIRST_CHANGE_SHARDS, MAX_CHANGE_SHARDS } from '../functions/store/table/keys.ts';

/** The settings: props of the construct, and `-c name=value` of the app. */
export interface InventorySettings {
  /**
   * Name of the API's stage: 1 to 128 letters, digits, `_` or `-`. Only part of the API's own address.
   *
   * @default 'live'
   */
  readonly stageName?: string;
  /**
   * Requests per second that the API accepts on average, for all callers together; others get 429.
   *
   * @default 100
   */
  readonly throttleRate?: number;
  /**
   * Requests that the API accepts at once (burst).
   *
   * @default 200
   */
  readonly throttleBurst?: number;
  /**
   * Reports of agent processes per second that the API accepts, on average and at once, besides `throttleRate`. With
   * the default timers a host reports every 4 minutes.
   *
   * @default 500
   */
  readonly reportRate?: number;
  /**
   * Whether X-Ray traces only 0.1 % of the reports, by a sampling rule. Otherwise the rules of the account apply; it
   * has at most 25 in a region.
   *
   * @default true
   */
  readonly sampleReports?: boolean;
  /**
   * How long API Gateway caches the caller of a credential, in seconds: a removed key may be accepted for this long.
   * 0 to 300. The default is longer than the interval between the reports of a host.
   *
   * @default 300
   */
  readonly authorizerCacheSeconds?: number;
  /**
   * How long logs are kept; one of the numbers of days that CloudWatch Logs supports.
   *
   * @default 30
   */
  readonly logRetentionDays?: number;
  /**
   * The fate of the data when the stack is removed. `retain` keeps table, secret, key, site bucket and logs, and
   * protects the table from deletion; `destroy` removes all of them.
   *
   * @default 'retain'
   */
  readonly removalPolicy?: 'retain' | 'destroy';
  /**
   * Whether the table can be restored to any second of the last 35 days.
   *
   * @default true
   */
  readonly pointInTimeRecovery?: boolean;
  /**
   * Whether table, secret and alarms are encrypted with a key of this account (1 USD a month) instead of keys of AWS.
   *
   * @default false
   */
  readonly customerManagedKey?: boolean;
  /**
   * Host name of the service, for example `inventory.example.com`; requires certificateArn.
   *
   * @default - the name that CloudFront assigns
   */
  readonly domainName?: string | undefined;
  /**
   * Certificate for domainName. It must be in us-east-1, where CloudFront looks for it.
   *
   * @default - the certificate of CloudFront
   */
  readonly certificateArn?: string | undefined;
  /**
   * Hosted zone in Route 53 for the records of domainName.
   *
   * @default - none: create the records elsewhere
   */
  readonly hostedZoneId?: string | undefined;
  /**
   * Whether AWS WAF filters the requests to the API (about 7 USD a month): AWS's common rules, and a limit per client
   * address.
   *
   * @default false
   */
  readonly waf?: boolean;
  /**
   * E-mail address for alarms. It receives a message with a link to confirm.
   *
   * @default - none: subscribe to the topic
   */
  readonly alarmEmail?: string | undefined;
  /**
   * Whether every change is published on the account's default bus of EventBridge (1 USD for a million events).
   *
   * @default true
   */
  readonly changeEvents?: boolean;
  /**
   * Partitions of the change feed: each takes 500 changes a second, and costs one more query for each page of changes.
   * 4 to 36. The number can be increased, and a deployment with a smaller one fails.
   *
   * @default - the number of the table: 4 in a new one
   */
  readonly changeShards?: number | undefined;
  /**
   * Provisioned instances of each function, so that no request waits for a cold start. Functions that only an Admin
   * calls have none. Each instance costs continuously.
   *
   * @default 0
   */
  readonly provisionedConcurrency?: number;
  /**
   * Whether ephemeral nodes that no longer report are removed automatically, once an hour. Otherwise `POST /v1/cleanup`
   * removes them.
   *
   * @default true
   */
  readonly scheduledCleanup?: boolean;
  /**
   * Whether the calls of PMM's clients are served (docs/pmm.md).
   *
   * @default true
   */
  readonly pmmCompatibility?: boolean;
}

/** The settings with defaults. */
export type Settings = z.output<typeof settingsSchema>;

// Values of `-c` are strings, those in cdk.json and of props are not: both are accepted.
const wholeNumber = (least: number, most: number) =>
  z.pipe(
    z.transform((value) => (typeof value === 'string' && /^[0-9]{1,9}$/.test(value) ? Number(value) : value)),
    z.int().check(z.minimum(least), z.maximum(most)),
  );
const yesOrNo = z.pipe(
  z.transform((value) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean(),
);
const text = (pattern: RegExp) => z.string().check(z.regex(pattern));

const retentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** The largest values of settings that limit requests per second. */
export const MAX_SETTINGS = { throttleRate: 10_000, throttleBurst: 5_000, reportRate: 5_000 } as const;

const settingsSchema = z.object({
  stageName: z._default(text(/^[A-Za-z0-9_-]{1,128}$/), 'live'),
  throttleRate: z._default(wholeNumber(1, MAX_SETTINGS.throttleRate), 100),
  throttleBurst: z._default(wholeNumber(1, MAX_SETTINGS.throttleBurst), 200),
  reportRate: z._default(wholeNumber(1, MAX_SETTINGS.reportRate), 500),
  sampleReports: z._default(yesOrNo, true),
  authorizerCacheSeconds: z._default(wholeNumber(0, 300), 300),
  logRetentionDays: z._default(
    z.pipe(
      wholeNumber(1, 3653),
      z.custom<RetentionDays>((days) => retentions.some((known) => known === days)),
    ),
    RetentionDays.ONE_MONTH,
  ),
  removalPolicy: z._default(z.enum(['retain', 'destroy']), 'retain'),
  pointInTimeRecovery: z._default(yesOrNo, true),
  customerManagedKey: z._default(yesOrNo, false),
  domainName: z.optional(text(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/)),
  certificateArn: z.optional(text(/^arn:aws:acm:us-east-1:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/)),
  hostedZoneId: z.optional(text(/^Z[A-Z0-9]{1,31}$/)),
  waf: z._default(yesOrNo, false),
  alarmEmail: z.optional(text(/^[^@\s]+@[^@\s]+\.[^@\s]+$/)),
  changeEvents: z._default(yesOrNo, true),
  changeShards: z.optional(wholeNumber(FIRST_CHANGE_SHARDS, MAX_CHANGE_SHARDS)),
  provisionedConcurrency: z._default(wholeNumber(0, 100), 0),
  scheduledCleanup: z._default(yesOrNo, true),
  pmmCompatibility: z._default(yesOrNo, true),
});

/** The permitted values, in words that follow "must be". */
const wanted = {
  stageName: '1 to 128 letters, digits, "_" or "-"',
  throttleRate: `a whole number from 1 to ${MAX_SETTINGS.throttleRate}`,
  throttleBurst: `a whole number from 1 to ${MAX_SETTINGS.throttleBurst}`,
  reportRate: `a whole number from 1 to ${MAX_SETTINGS.reportRate}`,
  sampleReports: 'true or false',
  authorizerCacheSeconds: 'a whole number from 0 to 300',
  logRetentionDays: `one of ${retentions.join(', ')}`,
  removalPolicy: '"retain" or "destroy"',
  pointInTimeRecovery: 'true or false',
  customerManagedKey: 'true or false',
  domainName: 'a host name in lower case, such as inventory.example.com',
  certificateArn: 'the ARN of a certificate in us-east-1, which CloudFront requires',
  hostedZoneId: 'the id of a hosted zone in Route 53, such as Z0123456789ABCDEFGHIJ',
  waf: 'true or false',
  alarmEmail: 'an e-mail address',
  changeEvents: 'true or false',
  changeShards: `a whole number from ${FIRST_CHANGE_SHARDS} to ${MAX_CHANGE_SHARDS}`,
  provisionedConcurrency: 'a whole number from 0 to 100',
  scheduledCleanup: 'true or false',
  pmmCompatibility: 'true or false',
} as const satisfies Record<keyof Settings, string>;

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(wanted, name);

/** Invalid settings, with a remedy for each. */
export class InvalidSettings extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used.', ...problems].join('\n- '));
    this.name = 'InvalidSettings';
  }
}

/** Problems of settings that depend on each other. */
function combinationProblems({ domainName, certificateArn, hostedZoneId }: Settings): string[] {
  return [
    ...(domainName !== undefined && certificateArn === undefined
      ? [`domainName is "${domainName}", but certificateArn is missing. Set certificateArn too.`]
      : []),
    ...(domainName === undefined && (certificateArn ?? hostedZoneId) !== undefined
      ? [
          `${certificateArn === undefined ? 'hostedZoneId' : 'certificateArn'} requires a host name of your own. Set domainName too, or omit it.`,
        ]
      : []),
  ];
}

/** @throws InvalidSettings with all problems: the setting, its value, and the permitted values. */
export function readSettings(given: InventorySettings): Settings {
  const values: Readonly<Record<string, unknown>> = { ...given };
  const parsed = z.safeParse(settingsSchema, values);
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])).filter(isSetting));
    throw new InvalidSettings(
      [...names].map(
        (name) =>
          `${name} is ${JSON.stringify(values[name])}, but must be ${wanted[name]}. Set it with -c ${name}=<value>, or omit it.`,
      ),
    );
  }
  const problems = combinationProblems(parsed.data);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return parsed.data;
}

/**
 * The settings in the context of a CDK app. Names of the CDK's own context contain `:`, `@`, `/` or `-`. Any other
 * unknown name is an error, because a misspelled setting would otherwise be ignored.
 *
 * @throws InvalidSettings
 */
export function readContext(context: unknown): Settings {
  const values = z.parse(z.record(z.string(), z.unknown()), context);
  const unknown = Object.keys(values).filter((name) => /^[A-Za-z0-9_]+$/.test(name) && !isSetting(name));
  if (unknown.length > 0)
    throw new InvalidSettings(
      unknown.map((name) => `Unknown setting "${name}". Settings: ${Object.keys(wanted).join(', ')}.`),
    );
  return readSettings(Object.fromEntries(Object.entries(values).filter(([name]) => isSetting(name))));
}
