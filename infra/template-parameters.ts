import {
  CfnCondition,
  CfnParameter,
  type CfnParameterProps,
  type CfnResource,
  Fn,
  type Stack,
  Validations,
} from 'aws-cdk-lib';
import { CfnDistribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import type { MonitoringInventory, MonitoringInventoryProps } from './monitoring-inventory.ts';
import { withConstructs } from './settings/inventory-constructs.ts';
import { InvalidSettings, readSettings } from './settings/read-settings.ts';
import { logRetentions } from './settings/settings-table.ts';

/** The settings of a template that are parameters: they are settings of the app no longer. */
const REPLACED = ['alarmEmail', 'domainName', 'certificateArn', 'hostedZoneId'] as const;

/**
 * The parameters of a template that serves several accounts. The other settings decide which resources it has, or are attributes that
 * take no parameter, such as DeletionPolicy (`removalPolicy`): they are set when the template is made.
 */
export class TemplateParameters {
  /** The settings that take their values from parameters. */
  readonly settings: MonitoringInventoryProps;
  private readonly stack: Stack;
  private readonly hasDomain: CfnCondition;
  private readonly domainName: CfnParameter;
  private readonly certificateArn: CfnParameter;

  /** @throws InvalidSettings for a setting that a parameter replaces. */
  constructor(stack: Stack, given: MonitoringInventoryProps = {}) {
    this.stack = stack;
    const { assets: _assets, sharedMonitoring: _monitoring, ...settings } = given;
    const replaced = REPLACED.filter((name) => settings[name] !== undefined);
    if (replaced.length > 0)
      throw new InvalidSettings(replaced.map((name) => `${name} is a parameter of the template. Omit the setting.`));
    const presets = readSettings(withConstructs(stack, settings));
    const { cdn, reportEndpoint, throttleRate, throttleBurst, reportRate, logRetentionDays, auditRetentionDays } =
      presets;
    if (!cdn || reportEndpoint === 'http')
      throw new InvalidSettings(['parameters are for templates with cdn=true and reportEndpoint=rest. Omit them.']);
    const number = (id: string, description: string, preset: number, limits: CfnParameterProps) =>
      this.parameter(id, { type: 'Number', description, default: String(preset), ...limits }).valueAsNumber;
    this.settings = {
      ...given,
      throttleRate: number('ThrottleRate', 'Requests per second to each method', throttleRate, {
        ...{ minValue: 1, maxValue: 10_000 },
      }),
      throttleBurst: number('ThrottleBurst', 'Requests to each method at once', throttleBurst, {
        ...{ minValue: 1, maxValue: 5000 },
      }),
      reportRate: number('ReportRate', 'Reports of hosts per second', reportRate, { minValue: 1, maxValue: 5000 }),
      logRetentionDays: number('LogRetentionDays', 'Days that logs are kept', logRetentionDays, {
        allowedValues: logRetentions.map(String),
      }),
      auditRetentionDays: number('AuditRetentionDays', 'Days that changes and the audit are kept', auditRetentionDays, {
        ...{ minValue: 30, maxValue: 3650 },
      }),
    };
    const text = (id: string, description: string) => this.parameter(id, { type: 'String', description, default: '' });
    this.domainName = text('DomainName', 'Host name of the service, or nothing; requires CertificateArn');
    this.certificateArn = text('CertificateArn', 'Certificate for DomainName, in us-east-1');
    this.hasDomain = this.isGiven(this.domainName);
  }

  private parameter(id: string, props: CfnParameterProps): CfnParameter {
    return new CfnParameter(this.stack, id, props);
  }

  private isGiven(parameter: CfnParameter): CfnCondition {
    return new CfnCondition(this.stack, `Has${parameter.node.id}`, {
      expression: Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, '')),
    });
  }

  /** Adds the resources that exist with a value only. @returns the base URL. */
  addTo(inventory: MonitoringInventory): string {
    this.addMail(inventory);
    const distribution = inventory.node.findChild('Site').node.findChild('Distribution').node.defaultChild;
    if (!(distribution instanceof CfnDistribution)) throw new Error('The site has no distribution.');
    this.nameDistribution(distribution);
    const { logicalId } = this.hasDomain;
    return Fn.conditionIf(logicalId, `https://${this.domainName.valueAsString}`, inventory.baseUrl).toString();
  }

  private addMail({ alarmTopic }: MonitoringInventory): void {
    const email = this.parameter('AlarmEmail', {
      ...{ type: 'String', default: '', description: 'Recipient of alarms, or nothing' },
    });
    const mail = new CfnSubscription(this.stack, 'AlarmMail', {
      ...{ protocol: 'email', topicArn: alarmTopic.topicArn, endpoint: email.valueAsString },
    });
    mail.cfnOptions.condition = this.isGiven(email);
    Validations.of(mail).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'A mail that cannot be delivered loses no information: the alarm stays on, and the dashboard shows it.',
    });
  }

  private nameDistribution(distribution: CfnDistribution): void {
    const { stack, hasDomain, domainName } = this;
    const name = domainName.valueAsString;
    const withDomain = (value: unknown, otherwise: unknown) => Fn.conditionIf(hasDomain.logicalId, value, otherwise);
    distribution.addPropertyOverride('DistributionConfig.Aliases', withDomain([name], { Ref: 'AWS::NoValue' }));
    distribution.addPropertyOverride(
      'DistributionConfig.ViewerCertificate',
      withDomain(
        {
          AcmCertificateArn: this.certificateArn.valueAsString,
          ...{ MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
        },
        { CloudFrontDefaultCertificate: true },
      ),
    );
    Validations.of(distribution).acknowledge({
      id: 'CloudFormation-Validate::F3014',
      reason: 'Both values of the condition have exactly one certificate. The rule looks for it beside the condition.',
    });
    const zone = this.parameter('HostedZoneId', {
      ...{ type: 'String', default: '', description: 'Hosted zone for the records of DomainName, or nothing' },
    });
    const condition = this.isGiven(zone);
    for (const [id, type] of Object.entries({ DomainIpv4: 'A', DomainIpv6: 'AAAA' })) {
      const record: CfnResource = new CfnRecordSet(stack, id, {
        ...{ name, type, hostedZoneId: zone.valueAsString },
        aliasTarget: {
          dnsName: distribution.attrDomainName,
          hostedZoneId: CloudFrontTarget.getHostedZoneId(stack),
        },
      });
      record.cfnOptions.condition = condition;
    }
  }
}
