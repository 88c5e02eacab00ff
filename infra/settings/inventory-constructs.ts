import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type ISecurityGroup, type IVpc, SecurityGroup, type SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { InvalidSettings } from './read-settings.ts';
import type { InventorySettings } from './settings.ts';

/** Constructs of the app that the inventory uses. Most take the place of a setting with a name. */
export interface InventoryConstructs {
  /**
   * VPC of the functions, in place of subnetIds. Its subnets need a route to the endpoints that docs/settings.md lists.
   *
   * @default - none: functions run outside of a VPC
   */
  readonly vpc?: IVpc | undefined;
  /**
   * Subnets of the VPC; not public ones, in which functions have no route to the internet.
   *
   * @default - the private subnets
   */
  readonly vpcSubnets?: SubnetSelection | undefined;
  /**
   * Security groups of the functions, in place of securityGroupIds.
   *
   * @default - with `vpc`, a new one that permits every outbound connection
   */
  readonly securityGroups?: readonly ISecurityGroup[] | undefined;
  /**
   * Certificate for domainName, in place of certificateArn.
   *
   * @default - certificateArn
   */
  readonly certificate?: ICertificate | undefined;
  /**
   * Hosted zone for the records of domainName, in place of hostedZoneId.
   *
   * @default - hostedZoneId
   */
  readonly hostedZone?: IHostedZone | undefined;
  /**
   * Bucket for the access logs of the site, in place of accessLogBucket. Its policy and its ACLs are not changed.
   *
   * @default - accessLogBucket
   */
  readonly accessLogs?: IBucket | undefined;
  /**
   * Policy that limits every role, in place of permissionsBoundary.
   *
   * @default - permissionsBoundary
   */
  readonly boundary?: IManagedPolicy | undefined;
  /**
   * Bus for the events of changes.
   *
   * @default - the default bus of the account
   */
  readonly eventBus?: IEventBus | undefined;
  /**
   * Key for table, secret, logs, queues and alarms, in place of customerManagedKey. An imported key must permit
   * CloudWatch Logs and CloudWatch alarms itself.
   *
   * @default - customerManagedKey
   */
  readonly encryptionKey?: IKey | undefined;
}

/** Constructs, and the settings in whose place they stand. */
const inPlaceOf: readonly (readonly [keyof InventoryConstructs, keyof InventorySettings])[] = [
  ['vpc', 'subnetIds'],
  ['securityGroups', 'securityGroupIds'],
  ['certificate', 'certificateArn'],
  ['hostedZone', 'hostedZoneId'],
  ['accessLogs', 'accessLogBucket'],
  ['boundary', 'permissionsBoundary'],
  ['encryptionKey', 'customerManagedKey'],
];

type Props = InventorySettings & InventoryConstructs;

function problemsOf(props: Props): string[] {
  const isGiven = (name: keyof Props) => props[name] !== undefined && props[name] !== false;
  const problems = inPlaceOf
    .filter(([construct, setting]) => isGiven(construct) && isGiven(setting))
    .map(([construct, setting]) => `${construct} stands in the place of ${setting}. Omit one of them.`);
  const { vpc, vpcSubnets, eventBus, changeEvents } = props;
  if (vpcSubnets !== undefined && vpc === undefined)
    problems.push('vpcSubnets selects subnets of a VPC, but vpc is missing. Set vpc too, or omit it.');
  if (eventBus !== undefined && changeEvents === false)
    problems.push('eventBus receives the events of changes, but changeEvents is false. Omit one of them.');
  return problems;
}

/** @throws InvalidSettings */
function subnetIdsOf(vpc: IVpc, vpcSubnets: SubnetSelection | undefined): string[] {
  const { subnetIds, hasPublic } = vpc.selectSubnets(vpcSubnets);
  if (hasPublic)
    throw new InvalidSettings([
      'vpcSubnets selects public subnets, in which functions have no route to the internet. Select others.',
    ]);
  return subnetIds;
}

/**
 * The settings, with those for which constructs stand.
 *
 * @throws InvalidSettings
 */
export function withConstructs(scope: Construct, props: Props): InventorySettings {
  const problems = problemsOf(props);
  if (problems.length > 0) throw new InvalidSettings(problems);
  const { vpc, vpcSubnets, securityGroups, certificate, hostedZone, accessLogs, boundary, ...others } = props;
  const { eventBus: _, encryptionKey: __, ...settings } = others;
  const groups =
    securityGroups ??
    (vpc === undefined
      ? undefined
      : [new SecurityGroup(scope, 'SecurityGroup', { vpc, description: 'Functions of the monitoring inventory' })]);
  return {
    ...settings,
    ...(vpc === undefined ? {} : { subnetIds: subnetIdsOf(vpc, vpcSubnets) }),
    ...(groups === undefined ? {} : { securityGroupIds: groups.map(({ securityGroupId }) => securityGroupId) }),
    ...(certificate === undefined ? {} : { certificateArn: certificate.certificateArn }),
    ...(hostedZone === undefined ? {} : { hostedZoneId: hostedZone.hostedZoneId }),
    ...(accessLogs === undefined ? {} : { accessLogBucket: accessLogs.bucketName }),
    ...(boundary === undefined ? {} : { permissionsBoundary: boundary.managedPolicyArn }),
  };
}
