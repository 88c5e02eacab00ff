import { Token } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { readIdentityProviders } from '../../functions/domain/fields/identity-providers.ts';
import { concurrencyProblems } from './provisioned.ts';
import type { AppSettings, InventorySettings } from './settings.ts';
import {
  capacity,
  inventorySchema,
  type SettingName,
  type Settings,
  settingsSchema,
  WAF_REQUESTS_PER_ADDRESS,
  wantedFor,
} from './settings-table.ts';

/**
 * The regions that every account has. CloudFront delivers its log to no bucket in the others, and none is added: those
 * that opened since 2019 must be enabled.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging-legacy-s3.html
 */
const DEFAULT_REGIONS =
  /^(ap-northeast-[123]|ap-south-1|ap-southeast-[12]|ca-central-1|eu-central-1|eu-north-1|eu-west-[123]|sa-east-1|us-(east|west)-[12])$/;

const isSetting = (name: string): name is SettingName => Object.hasOwn(settingsSchema.shape, name);

/** Invalid settings, with a remedy for each. */
export class InvalidSettings extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The settings cannot be used.', ...problems].join('\n- '));
    this.name = 'InvalidSettings';
    this.problems = problems;
  }
}

function nameProblems({ domainName, certificateArn, hostedZoneId, cdn }: Settings, region?: string): string[] {
  if (domainName === undefined) {
    if (certificateArn === undefined && hostedZoneId === undefined) return [];
    const given = certificateArn === undefined ? 'hostedZoneId' : 'certificateArn';
    return [`${given} requires a host name of your own. Set domainName too, or omit it.`];
  }
  if (certificateArn === undefined) return [missing('domainName', domainName, 'certificateArn')];
  if (Token.isUnresolved(certificateArn)) return [];
  const [, , , ofCertificate] = certificateArn.split(':');
  const given = `certificateArn is ${JSON.stringify(certificateArn)}`;
  if (cdn && ofCertificate !== 'us-east-1')
    return [`${given}, but CloudFront requires a certificate in us-east-1. Use such a certificate, or set cdn=false.`];
  if (!cdn && region !== undefined && ofCertificate !== region)
    return [`${given}, but API Gateway requires a certificate in the region of the stack, ${region}. Use such a one.`];
  return [];
}

const missing = (given: string, value: unknown, absent: string) =>
  `${given} is ${JSON.stringify(value)}, but ${absent} is missing. Set ${absent} too.`;

/** Settings of the agent gateway, which mean nothing without it. */
const ofAgentGateway = [
  'agentGatewayDomainName',
  'agentGatewayCertificateArn',
  'agentGatewayVpcId',
  'agentGatewaySubnetIds',
  'agentGatewayPublicSubnetIds',
  'agentGatewayClients',
] as const satisfies readonly SettingName[];

function agentProblems(settings: Settings, region?: string): string[] {
  const { agentGateway, agentGatewayDomainName, agentGatewayCertificateArn: arn, pmmCompatibility } = settings;
  const { agentGatewayVpcId: vpcId, agentGatewaySubnetIds: subnetIds } = settings;
  const { agentGatewayPublicSubnetIds: publicSubnetIds } = settings;
  if (!agentGateway)
    return ofAgentGateway
      .filter((name) => settings[name] !== undefined)
      .map((name) => `${name} is for the agent gateway, but agentGateway is false. Set agentGateway=true, or omit it.`);
  const problems: string[] = [];
  if (!pmmCompatibility)
    problems.push('agentGateway serves agents of PMM, but pmmCompatibility is false. Omit one of them.');
  if (agentGatewayDomainName === undefined) problems.push(missing('agentGateway', true, 'agentGatewayDomainName'));
  if (arn === undefined) problems.push(missing('agentGateway', true, 'agentGatewayCertificateArn'));
  else if (!Token.isUnresolved(arn) && region !== undefined && arn.split(':')[3] !== region)
    problems.push(
      `agentGatewayCertificateArn is ${JSON.stringify(arn)}, but a balancer requires a certificate in the region of the stack, ${region}. Use such a one.`,
    );
  if (vpcId !== undefined && subnetIds === undefined)
    problems.push(missing('agentGatewayVpcId', vpcId, 'agentGatewaySubnetIds'));
  if (subnetIds !== undefined && vpcId === undefined)
    problems.push(missing('agentGatewaySubnetIds', subnetIds, 'agentGatewayVpcId'));
  if (publicSubnetIds !== undefined && vpcId === undefined)
    problems.push(missing('agentGatewayPublicSubnetIds', publicSubnetIds, 'agentGatewayVpcId'));
  return problems;
}

/** The variables of a function have 4 KB together; the other ones have 600 characters at most. */
const MAX_VARIABLES = 3400;

/** The providers with examples in place of values of other constructs, such as the issuer of a user pool. */
const withExamples = (providers: unknown): unknown =>
  JSON.parse(JSON.stringify(providers), (_, value: unknown) =>
    typeof value === 'string' && Token.isUnresolved(value)
      ? `https://${value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}.invalid`
      : value,
  );

function identityProblems({ identityProviders, dashboards = '' }: Settings): string[] {
  if (identityProviders === undefined) return [];
  const read = readIdentityProviders(withExamples(identityProviders));
  if ('problems' in read) return read.problems.map((problem) => `identityProviders: ${problem}`);
  const local = read.providers.filter(({ issuer }) => !issuer.startsWith('https:'));
  const files = read.providers.filter((provider) => 'clientSecretFile' in provider);
  return [
    ...local.map(({ name }) => `identityProviders: the issuer of provider "${name}" must have an https URL.`),
    ...files.map(
      ({ name }) =>
        `identityProviders: provider "${name}" has clientSecretFile, but functions have no files. Set clientSecretArn.`,
    ),
    ...(JSON.stringify(identityProviders).length + dashboards.length > MAX_VARIABLES
      ? [`identityProviders and dashboards have more than ${MAX_VARIABLES} characters together. Shorten one of them.`]
      : []),
  ];
}

const capacityNames = [
  'minReadUnits',
  'maxReadUnits',
  'minWriteUnits',
  'maxWriteUnits',
] as const satisfies readonly SettingName[];

function capacityProblems(settings: Settings): string[] {
  const { billing, minReadUnits, maxReadUnits, minWriteUnits, maxWriteUnits } = settings;
  if (billing === 'onDemand')
    return capacityNames
      .filter((name) => settings[name] !== capacity[name])
      .map(
        (name) => `${name} is for provisioned billing, but billing is "onDemand". Set billing=provisioned, or omit it.`,
      );
  const tooLow = (least: string, min: number, most: string, max: number) =>
    min > max ? [`${least} is ${min}, but ${most} is ${max}. Set ${most} to ${min} or more.`] : [];
  return [
    ...tooLow('minReadUnits', minReadUnits, 'maxReadUnits', maxReadUnits),
    ...tooLow('minWriteUnits', minWriteUnits, 'maxWriteUnits', maxWriteUnits),
  ];
}

/** Problems of settings that depend on each other. */
function combinationProblems(settings: Settings, region?: string): string[] {
  const { cdn, accessLogBucket, subnetIds, securityGroupIds, waf, wafRequestsPerAddress } = settings;
  const problems = [
    ...nameProblems(settings, region),
    ...agentProblems(settings, region),
    ...identityProblems(settings),
    ...concurrencyProblems(settings),
    ...capacityProblems(settings),
  ];
  if (subnetIds !== undefined && securityGroupIds === undefined)
    problems.push(missing('subnetIds', subnetIds, 'securityGroupIds'));
  if (securityGroupIds !== undefined && subnetIds === undefined)
    problems.push(missing('securityGroupIds', securityGroupIds, 'subnetIds'));
  if (settings.reportEndpoint === 'http' && Token.isUnresolved(settings.reportRate))
    problems.push(
      'reportRate is known at the deployment only, but the definition of the API for reports contains it. Set a value in the app, or omit reportEndpoint.',
    );
  if (settings.auditEvents && !settings.changeEvents)
    problems.push(
      'auditEvents are published with changes, but changeEvents is false. Set changeEvents=true, or omit it.',
    );
  if (wafRequestsPerAddress !== WAF_REQUESTS_PER_ADDRESS && !waf)
    problems.push('wafRequestsPerAddress is a limit of the firewall, but waf is false. Set waf=true, or omit it.');
  if (accessLogBucket !== undefined && !cdn)
    problems.push(
      'accessLogBucket is for the site of CloudFront, but cdn is false. Omit it: the log of the API exists without it.',
    );
  if (accessLogBucket !== undefined && cdn && region !== undefined && !DEFAULT_REGIONS.test(region))
    problems.push(
      `accessLogBucket must be in the region of the stack, ${region}, but CloudFront delivers no log to buckets there. Omit it: the log of the API exists without it.`,
    );
  return problems;
}

function parsed<Schema extends z.core.$ZodType>(schema: Schema, values: Readonly<Record<string, unknown>>) {
  const result = z.safeParse(schema, values);
  if (result.success) return result.data;
  const names = new Set(result.error.issues.map(({ path }) => String(path[0])).filter(isSetting));
  throw new InvalidSettings(
    [...names].map((name) =>
      Token.isUnresolved(values[name])
        ? `${name} is known at the deployment only, but the template depends on it: ${wantedFor(name)}. Set a value in the app, or omit it.`
        : `${name} is ${JSON.stringify(values[name])}, but must be ${wantedFor(name)}. Set it with -c ${name}=<value>, or omit it.`,
    ),
  );
}

function checked<Read extends Settings>(settings: Read, region?: string): Read {
  const problems = combinationProblems(settings, region);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return settings;
}

/** A misspelled setting would be ignored. */
function refuseUnknown(names: readonly string[], { shape }: { readonly shape: object }): void {
  const unknown = names.filter((name) => !Object.hasOwn(shape, name));
  if (unknown.length > 0)
    throw new InvalidSettings(
      unknown.map((name) => `Unknown setting "${name}". Settings: ${Object.keys(shape).join(', ')}.`),
    );
}

/**
 * @param region of the stack, if it is known before the deployment.
 * @throws InvalidSettings with all problems: the setting, its value, and the permitted values.
 */
export function readSettings(given: InventorySettings, region?: string): Settings {
  refuseUnknown(Object.keys(given), inventorySchema);
  return checked(parsed(inventorySchema, { ...given }), region);
}

/**
 * The settings in the context of a CDK app. Names of the CDK's own context contain `:`, `@`, `/` or `-`; any other
 * unknown name is an error.
 *
 * @param region see readSettings.
 * @returns with tenants, those of all of them, which are checked with the settings of each.
 * @throws InvalidSettings
 */
export function readContext(
  context: unknown,
  region?: string,
): Settings & AppSettings & Required<Pick<AppSettings, 'stackName' | 'terminationProtection'>> {
  const all = z.parse(z.record(z.string(), z.unknown()), context);
  const names = Object.keys(all).filter((name) => /^[A-Za-z0-9_]+$/.test(name));
  refuseUnknown(names, settingsSchema);
  const settings = parsed(settingsSchema, Object.fromEntries(names.map((name) => [name, all[name]])));
  return settings.tenants === undefined ? checked(settings, region) : settings;
}
