/** The prices are those of this region, without the free tier. */
export const REGION = 'us-east-1';

export const PRICES_AS_OF = '2026-11';

/** Address of the price list of each service. */
const priceLists = {
  'API Gateway': 'https://aws.amazon.com/api-gateway/pricing/',
  CloudFront: 'https://aws.amazon.com/cloudfront/pricing/',
  'Data transfer': 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
  Lambda: 'https://aws.amazon.com/lambda/pricing/',
  DynamoDB: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  'DynamoDB, provisioned': 'https://aws.amazon.com/dynamodb/pricing/provisioned/',
  CloudWatch: 'https://aws.amazon.com/cloudwatch/pricing/',
  Fargate: 'https://aws.amazon.com/fargate/pricing/',
  'Elastic Load Balancing': 'https://aws.amazon.com/elasticloadbalancing/pricing/',
  'X-Ray': 'https://aws.amazon.com/xray/pricing/',
  EventBridge: 'https://aws.amazon.com/eventbridge/pricing/',
  WAF: 'https://aws.amazon.com/waf/pricing/',
  'Secrets Manager': 'https://aws.amazon.com/secrets-manager/pricing/',
  KMS: 'https://aws.amazon.com/kms/pricing/',
  VPC: 'https://aws.amazon.com/privatelink/pricing/',
  'Public addresses': 'https://aws.amazon.com/vpc/pricing/',
} as const;

export type PricedService = keyof typeof priceLists;

interface Price {
  service: PricedService;
  /** The billed unit in words, such as `million requests`. */
  unit: string;
  /** Number of requests, bytes, ... in a billed unit. */
  size: number;
  /** USD for a unit, and the number of units a month that cost this much; the rest costs what the last tier states. */
  tiers: readonly (readonly [usd: number, units: number])[];
}

const MILLION = 1e6;
const GIGABYTE = 1e9;

const flat = (usd: number): Price['tiers'] => [[usd, Infinity]];

export const prices = {
  gatewayRequests: {
    service: 'API Gateway',
    unit: 'million requests (REST)',
    size: MILLION,
    tiers: [
      [3.5, 333],
      [2.8, 667],
      [2.38, 19_000],
      [1.51, Infinity],
    ],
  },
  httpRequests: {
    service: 'API Gateway',
    unit: 'million requests (HTTP)',
    size: MILLION,
    tiers: [
      [1, 300],
      [0.9, Infinity],
    ],
  },
  cloudFrontRequests: {
    service: 'CloudFront',
    unit: 'million HTTPS requests (North America, Europe)',
    size: MILLION,
    tiers: flat(1),
  },
  cloudFrontFunctions: {
    service: 'CloudFront',
    unit: 'million invocations of CloudFront Functions',
    size: MILLION,
    tiers: flat(0.1),
  },
  cloudFrontBytes: {
    service: 'CloudFront',
    unit: 'GB to clients (North America, Europe)',
    size: GIGABYTE,
    tiers: [
      [0.085, 10_000],
      [0.08, 40_000],
      [0.06, 100_000],
      [0.04, 350_000],
      [0.03, 524_000],
      [0.025, 4_000_000],
      [0.02, Infinity],
    ],
  },
  cloudFrontOriginBytes: {
    service: 'CloudFront',
    unit: 'GB of requests with a body to the API (North America, Europe)',
    size: GIGABYTE,
    tiers: flat(0.02),
  },
  internetBytes: {
    service: 'Data transfer',
    unit: 'GB from the API to clients that bypass CloudFront',
    size: GIGABYTE,
    tiers: [
      [0.09, 10_000],
      [0.085, 40_000],
      [0.07, 100_000],
      [0.05, Infinity],
    ],
  },
  lambdaRequests: { service: 'Lambda', unit: 'million requests', size: MILLION, tiers: flat(0.2) },
  lambdaGbSeconds: {
    service: 'Lambda',
    unit: 'million GB-seconds (arm64)',
    size: MILLION,
    tiers: [
      [13.3334, 7500],
      [12.0001, 11_250],
      [10.6667, Infinity],
    ],
  },
  provisionedGbSeconds: {
    service: 'Lambda',
    unit: 'million GB-seconds of provisioned concurrency (arm64)',
    size: MILLION,
    tiers: flat(3.3334),
  },
  provisionedRunGbSeconds: {
    service: 'Lambda',
    unit: 'million GB-seconds of requests to provisioned instances (arm64)',
    size: MILLION,
    tiers: flat(7.7778),
  },
  readUnits: { service: 'DynamoDB', unit: 'million read units (on demand)', size: MILLION, tiers: flat(0.125) },
  writeUnits: { service: 'DynamoDB', unit: 'million write units (on demand)', size: MILLION, tiers: flat(0.625) },
  readCapacityHours: {
    service: 'DynamoDB, provisioned',
    unit: 'hour of a read unit a second',
    size: 1,
    tiers: flat(0.00013),
  },
  writeCapacityHours: {
    service: 'DynamoDB, provisioned',
    unit: 'hour of a write unit a second',
    size: 1,
    tiers: flat(0.00065),
  },
  storedBytes: { service: 'DynamoDB', unit: 'GB stored for a month', size: GIGABYTE, tiers: flat(0.25) },
  recoveryBytes: {
    service: 'DynamoDB',
    unit: 'GB with point-in-time recovery for a month',
    size: GIGABYTE,
    tiers: flat(0.2),
  },
  logBytes: {
    service: 'CloudWatch',
    unit: 'GB of logs',
    size: GIGABYTE,
    tiers: [
      [0.5, 10_000],
      [0.25, 20_000],
      [0.1, 20_000],
      [0.05, Infinity],
    ],
  },
  logStoredBytes: { service: 'CloudWatch', unit: 'GB of logs stored for a month', size: GIGABYTE, tiers: flat(0.03) },
  alarms: { service: 'CloudWatch', unit: 'alarm and month', size: 1, tiers: flat(0.1) },
  dashboards: { service: 'CloudWatch', unit: 'dashboard and month', size: 1, tiers: flat(3) },
  metrics: { service: 'CloudWatch', unit: 'metric and month', size: 1, tiers: flat(0.3) },
  insightRules: {
    service: 'CloudWatch',
    unit: 'rule of Contributor Insights and month',
    size: 1,
    tiers: flat(0.5),
  },
  traces: { service: 'X-Ray', unit: 'million recorded traces', size: MILLION, tiers: flat(5) },
  events: { service: 'EventBridge', unit: 'million events of up to 64 KB', size: MILLION, tiers: flat(1) },
  firewallRequests: { service: 'WAF', unit: 'million requests', size: MILLION, tiers: flat(0.6) },
  firewallAcls: { service: 'WAF', unit: 'web ACL and month', size: 1, tiers: flat(5) },
  firewallRules: { service: 'WAF', unit: 'rule and month', size: 1, tiers: flat(1) },
  secrets: { service: 'Secrets Manager', unit: 'secret and month', size: 1, tiers: flat(0.4) },
  keys: { service: 'KMS', unit: 'key and month', size: 1, tiers: flat(1) },
  keyRequests: { service: 'KMS', unit: 'million requests', size: MILLION, tiers: flat(3) },
  fargateVcpuHours: { service: 'Fargate', unit: 'hour of a vCPU (Linux, ARM)', size: 1, tiers: flat(0.03238) },
  fargateGbHours: { service: 'Fargate', unit: 'hour of a GB (Linux, ARM)', size: 1, tiers: flat(0.00356) },
  balancerHours: {
    service: 'Elastic Load Balancing',
    unit: 'hour of a Network Load Balancer',
    size: 1,
    tiers: flat(0.0225),
  },
  balancerUnits: {
    service: 'Elastic Load Balancing',
    unit: 'hour of a capacity unit (3,000 connections with TLS)',
    size: 1,
    tiers: flat(0.006),
  },
  addressHours: { service: 'Public addresses', unit: 'hour of a public IPv4 address', size: 1, tiers: flat(0.005) },
  zoneBytes: {
    service: 'Data transfer',
    unit: 'GB between zones, in each direction',
    size: GIGABYTE,
    tiers: flat(0.01),
  },
  endpointHours: { service: 'VPC', unit: 'hour of an interface endpoint in one zone', size: 1, tiers: flat(0.01) },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;

/** Amounts of what is billed: requests, bytes, units, traces ... of one request or of a month. */
export type Usage = Partial<Record<PriceName, number>>;

const pricedNames = Object.keys(prices).filter((name): name is PriceName => name in prices);

/** USD for an amount within a month, tier by tier. */
export function usdOf(name: PriceName, amount: number): number {
  const { size, tiers }: Price = prices[name];
  let rest = amount / size;
  let usd = 0;
  for (const [price, units] of tiers) {
    const billed = Math.min(rest, units);
    usd += billed * price;
    rest -= billed;
  }
  return usd;
}

/** USD for each service. */
export type Bill = ReadonlyMap<PricedService, number>;

export function billOf(usage: Usage): Bill {
  const bill = new Map<PricedService, number>();
  for (const name of pricedNames) {
    const { service } = prices[name];
    bill.set(service, (bill.get(service) ?? 0) + usdOf(name, usage[name] ?? 0));
  }
  return bill;
}

export const sumOf = (bill: Bill) => [...bill.values()].reduce((sum, usd) => sum + usd, 0);

export const times = (usage: Usage, factor: number): Usage =>
  Object.fromEntries(pricedNames.map((name) => [name, (usage[name] ?? 0) * factor]));

export const plus = (...usages: readonly Usage[]): Usage =>
  Object.fromEntries(pricedNames.map((name) => [name, usages.reduce((sum, usage) => sum + (usage[name] ?? 0), 0)]));

/** A row for each service: its price list, and what each unit costs in the first tier. */
export const priceRows = (): string[][] =>
  Object.entries(priceLists).map(([service, address]) => {
    const own: readonly Price[] = Object.values(prices).filter((price) => price.service === service);
    const texts = own.map(
      ({ unit, tiers }) => `${tiers[0]?.[0] ?? 0} for a ${unit}${tiers.length > 1 ? ', then less' : ''}`,
    );
    return [`[${service}](${address})`, texts.join('; ')];
  });
