import { Token } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { FIRST_CHANGE_SHARDS, MAX_CHANGE_SHARDS } from '../../functions/store/table/keys.ts';
import { DASHBOARD_LINKS_WANTED, parseDashboardLinks } from '../../functions/domain/fields/dashboard-links.ts';
import { ADMIN_ACCOUNT_WANTED, adminAccountUses } from '../../functions/domain/access/admin-account.ts';
import { CHANGE_DAYS, MAX_CHANGE_DAYS } from '../../functions/domain/records/retention.ts';
import { DEFAULT_OWNER_LABEL, isOwnerLabel, OWNER_LABEL_WANTED } from '../../functions/domain/fields/owner-label.ts';
import { type IdentityProvider, MAX_PROVIDERS } from '../../functions/domain/fields/identity-providers.ts';
import { PROVISIONED_GROUPS } from './provisioned.ts';
import type { AppSettings, InventorySettings } from './settings.ts';
import { TENANTS_WANTED, tenantsSchema } from './tenant-list.ts';

const words = z.registry<{ readonly wanted: string }>();

/** A setting: what it accepts, and the same in words that follow "must be". */
function setting<Schema extends z.core.$ZodType>(schema: Schema, wanted: string): Schema {
  words.add(schema, { wanted });
  return schema;
}

/** The words for what a setting accepts. */
export const wantedFor = (name: SettingName): string => words.get(settingsSchema.shape[name])?.wanted ?? '';

// Values of `-c` are strings, those in cdk.json and of props are not: both are accepted.
const integerText = z.transform((value) =>
  typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value,
);
const integer = (least: number, most: number) => z.pipe(integerText, z.int().check(z.minimum(least), z.maximum(most)));
/** A number as above, or a value of another construct, which is known at the deployment only. */
const integerOrToken = (least: number, most: number) =>
  z.pipe(
    integerText,
    z
      .number()
      .check(
        z.refine(
          (value) => Token.isUnresolved(value) || (Number.isSafeInteger(value) && value >= least && value <= most),
        ),
      ),
  );
const boolean = z.pipe(
  z.transform((value) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean(),
);
/** A text with this pattern, or a value of another construct, which is known at the deployment only. */
const text = (pattern: RegExp) =>
  z.string().check(z.refine((value) => Token.isUnresolved(value) || pattern.test(value)));

const number = (least: number, most: number, preset: number) =>
  setting(z._default(integer(least, most), preset), `a whole number from ${least} to ${most}`);
/** A number that the template only passes on, so that it may be a value of the deployment. */
const passedNumber = (least: number, most: number, preset: number) =>
  setting(z._default(integerOrToken(least, most), preset), `a whole number from ${least} to ${most}`);
const optionalNumber = (least: number, most: number) =>
  setting(z.optional(integer(least, most)), `a whole number from ${least} to ${most}`);
const yesOrNo = (preset: boolean) => setting(z._default(boolean, preset), 'true or false');
const optionalText = (pattern: RegExp, wanted: string) => setting(z.optional(text(pattern)), wanted);

/** The elements of a text with commas. */
const split = z.transform((value): unknown =>
  typeof value === 'string' && !Token.isUnresolved(value) ? value.split(',') : value,
);

/** A list, its elements separated by commas, or a list of another construct. */
const ids = (pattern: RegExp, most: number, wanted: string) =>
  setting(
    z.optional(
      z.pipe(
        split,
        z.union([
          z.array(z.string()).check(z.refine((list) => Token.isUnresolved(list))),
          z.array(text(pattern)).check(z.minLength(1), z.maxLength(most)),
        ]),
      ),
    ),
    wanted,
  );

/** The days that CloudWatch Logs keeps logs. */
export const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);
const retention = z.pipe(
  integerOrToken(1, 3653),
  z.custom<RetentionDays>((days) => Token.isUnresolved(days) || logRetentions.some((retention) => retention === days)),
);

/** The value of `name=value,name=value` as an object. */
function pairs(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return Object.fromEntries(value.split(',').map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}

/** The value of JSON text; other values as they are. */
function parsedJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
}

/** Their fields have sentences of their own, and are checked later: see `identityProblems`. */
const identityProviders = z.pipe(z.transform(parsedJson), z.custom<readonly IdentityProvider[]>(Array.isArray));

/** CloudFormation puts them on every resource, and resources have at most 50. */
const MAX_TAGS = 50;

/** The characters of tags that all services accept. https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html */
const tags = z.pipe(
  z.transform(pairs),
  z
    .record(text(/^(?!aws:)[\p{L}\p{N} _.:/=+@-]{1,128}$/iu), text(/^[\p{L}\p{N} _.:/=+@-]{0,256}$/u))
    .check(z.refine((all) => Object.keys(all).length <= MAX_TAGS)),
);

/** The largest values of settings that limit requests per second. */
export const MAX_SETTINGS = { throttleRate: 10_000, throttleBurst: 5_000, reportRate: 5_000 } as const;

export const WAF_REQUESTS_PER_ADDRESS = 6000;

/**
 * The units of a table in an account without a higher quota.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
const MAX_TABLE_UNITS = 40_000;

/** The defaults of provisioned billing, in units a second. */
export const capacity = { minReadUnits: 50, maxReadUnits: 4000, minWriteUnits: 50, maxWriteUnits: 4000 } as const;

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const CERTIFICATE_ARN = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate\/[A-Za-z0-9-]+$/;

/** Addresses with the length of their prefix. */
const IPV4_RANGE = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!\/)|(?=\/))){4}\/(3[0-2]|[12]?\d)$/;

/** node:24.21.0-alpine in the public registry of AWS, for both processors: the program of agents runs in it. A tag can change. */
const NODE_IMAGE =
  'public.ecr.aws/docker/library/node@sha256:ebfe2f90462722a7a4de65e91990e97fe0d401c70e0e762c5b53302f905ec1c1';

/** Every setting of the construct. */
const inventory = {
  stageName: setting(z._default(text(/^[A-Za-z0-9_-]{1,128}$/), 'live'), '1 to 128 letters, digits, "_" or "-"'),
  throttleRate: passedNumber(1, MAX_SETTINGS.throttleRate, 100),
  throttleBurst: passedNumber(1, MAX_SETTINGS.throttleBurst, 200),
  reportRate: passedNumber(1, MAX_SETTINGS.reportRate, 500),
  reportEndpoint: setting(z._default(z.enum(['rest', 'http']), 'rest'), '"rest" or "http"'),
  openRate: passedNumber(1, MAX_SETTINGS.throttleBurst, 50),
  loginRate: passedNumber(1, MAX_SETTINGS.throttleBurst, 10),
  closed: yesOrNo(false),
  authorizerCacheSeconds: number(0, 300, 300),
  logRetentionDays: setting(z._default(retention, RetentionDays.ONE_MONTH), `one of ${logRetentions.join(', ')}`),
  auditRetentionDays: passedNumber(CHANGE_DAYS, MAX_CHANGE_DAYS, CHANGE_DAYS),
  removalPolicy: setting(z._default(z.enum(['retain', 'destroy']), 'retain'), '"retain" or "destroy"'),
  pointInTimeRecovery: yesOrNo(true),
  billing: setting(z._default(z.enum(['onDemand', 'provisioned']), 'onDemand'), '"onDemand" or "provisioned"'),
  minReadUnits: number(1, MAX_TABLE_UNITS, capacity.minReadUnits),
  maxReadUnits: number(1, MAX_TABLE_UNITS, capacity.maxReadUnits),
  minWriteUnits: number(1, MAX_TABLE_UNITS, capacity.minWriteUnits),
  maxWriteUnits: number(1, MAX_TABLE_UNITS, capacity.maxWriteUnits),
  customerManagedKey: yesOrNo(false),
  cdn: yesOrNo(true),
  domainName: optionalText(HOST_NAME, 'a host name in lower case, such as inventory.example.com'),
  certificateArn: optionalText(CERTIFICATE_ARN, 'the ARN of a certificate in AWS Certificate Manager'),
  hostedZoneId: optionalText(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone in Route 53, such as Z0123456789ABCDEFGHIJ'),
  agentGateway: yesOrNo(false),
  agentGatewayDomainName: optionalText(HOST_NAME, 'a host name in lower case, such as agents.example.com'),
  agentGatewayCertificateArn: optionalText(CERTIFICATE_ARN, 'the ARN of a certificate in AWS Certificate Manager'),
  agentGatewayTasks: number(1, 10, 2),
  agentGatewayImage: setting(
    z._default(text(/^[a-z0-9][\w./-]*(:[\w.-]{1,128})?(@sha256:[0-9a-f]{64})?$/), NODE_IMAGE),
    'the name of an image with Node 24, with its tag or digest',
  ),
  agentGatewayVpcId: optionalText(/^vpc-[0-9a-f]{8,17}$/, 'the id of a VPC'),
  agentGatewaySubnetIds: ids(/^subnet-[0-9a-f]{8,17}$/, 16, '1 to 16 ids of subnets, separated by commas'),
  agentGatewayPublicSubnetIds: ids(/^subnet-[0-9a-f]{8,17}$/, 16, '1 to 16 ids of subnets, separated by commas'),
  agentGatewayClients: ids(
    IPV4_RANGE,
    50,
    '1 to 50 ranges of IPv4 addresses, such as 203.0.113.0/24, separated by commas',
  ),
  waf: yesOrNo(false),
  wafRequestsPerAddress: passedNumber(10, 2_000_000_000, WAF_REQUESTS_PER_ADDRESS),
  alarmEmail: optionalText(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an e-mail address'),
  silenceAlarm: yesOrNo(false),
  probe: yesOrNo(false),
  changeEvents: yesOrNo(true),
  auditEvents: yesOrNo(false),
  stateEvents: yesOrNo(false),
  changeShards: optionalNumber(FIRST_CHANGE_SHARDS, MAX_CHANGE_SHARDS),
  scheduledCleanup: yesOrNo(true),
  pmmCompatibility: yesOrNo(true),
  ownerLabel: setting(z._default(z.string().check(z.refine(isOwnerLabel)), DEFAULT_OWNER_LABEL), OWNER_LABEL_WANTED),
  adminAccount: setting(z._default(z.enum(adminAccountUses), 'enabled'), ADMIN_ACCOUNT_WANTED),
  identityProviders: setting(
    z.optional(identityProviders),
    `a list of at most ${MAX_PROVIDERS} identity providers, in JSON`,
  ),
  provisionedConcurrency: number(0, 1000, 0),
  provisionedFunctions: setting(
    z._default(z.pipe(split, z.array(z.enum(PROVISIONED_GROUPS)).check(z.minLength(1))), [...PROVISIONED_GROUPS]),
    `one or more of ${PROVISIONED_GROUPS.join(', ')}, separated by commas`,
  ),
  authorizerConcurrency: optionalNumber(1, 100_000),
  loginConcurrency: optionalNumber(1, 1000),
  accountConcurrency: number(10, 1_000_000, 1000),
  workerConcurrency: passedNumber(1, 10, 2),
  architecture: setting(z._default(z.enum(['arm64', 'x86_64']), 'arm64'), '"arm64" or "x86_64"'),
  accessLogBucket: optionalText(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
  subnetIds: ids(/^subnet-[0-9a-f]{8,17}$/, 16, '1 to 16 ids of subnets, separated by commas'),
  securityGroupIds: ids(/^sg-[0-9a-f]{8,17}$/, 5, '1 to 5 ids of security groups, separated by commas'),
  permissionsBoundary: optionalText(
    /^arn:aws[a-z-]*:iam::([0-9]{12}|aws):policy\/\S{1,512}$/,
    'the ARN of a policy of IAM',
  ),
  dashboards: setting(
    z.optional(z.string().check(z.refine((links) => parseDashboardLinks(links) !== undefined))),
    DASHBOARD_LINKS_WANTED,
  ),
  tags: setting(
    z.optional(tags),
    'at most 50 names and values as name=value, separated by commas, of letters, digits, spaces and _.:/=+@-; names must not begin with aws:',
  ),
} as const satisfies Record<keyof InventorySettings, z.core.$ZodType>;

const app = {
  stackName: setting(
    z._default(text(/^[A-Za-z][A-Za-z0-9-]{0,127}$/), 'MonitoringInventory'),
    '1 to 128 letters, digits or "-", the first of which is a letter',
  ),
  terminationProtection: yesOrNo(false),
  tenants: setting(z.optional(z.pipe(z.transform(parsedJson), tenantsSchema)), TENANTS_WANTED),
} as const satisfies Record<keyof AppSettings, z.core.$ZodType>;

export const inventorySchema = z.object(inventory);

/** All settings: those of the construct, and those of the app. */
export const settingsSchema = z.object({ ...inventory, ...app });

export type SettingName = keyof (typeof settingsSchema)['shape'];

/** The settings of the construct with defaults. */
export type Settings = z.output<typeof inventorySchema>;
