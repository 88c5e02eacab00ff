import { DomainName, EndpointType, type IRestApi, type RestApiBase, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { interfaceOf } from '../settings/interface-of.ts';
import type { Settings } from '../settings/settings-table.ts';

export interface OwnDomainProps {
  readonly api: RestApiBase;
  readonly domainName: string;
  readonly settings: Pick<Settings, 'certificateArn' | 'hostedZoneId'>;
}

/** A host name for an API without CloudFront. */
export class OwnDomain extends Construct {
  constructor(scope: Construct, id: string, { api, domainName, settings }: OwnDomainProps) {
    super(scope, id);
    const { certificateArn, hostedZoneId } = settings;
    if (certificateArn === undefined) throw new Error('A host name needs a certificate.');
    const domain = new DomainName(this, 'Name', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      mapping: interfaceOf<IRestApi>(api),
    });
    if (hostedZoneId === undefined) return;
    // CDK uses the zone's name only to name the records, so the domain name itself can be passed.
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: domainName });
    const target = RecordTarget.fromAlias(new ApiGatewayDomain(domain));
    new ARecord(this, 'Ipv4', { zone, target });
    new AaaaRecord(this, 'Ipv6', { zone, target });
  }
}
