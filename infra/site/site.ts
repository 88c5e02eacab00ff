import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucket,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { pagesCode } from './browser-headers.ts';
import { otherApiPaths } from '../../functions/facades.ts';
import { interfaceOf } from '../settings/interface-of.ts';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { ORIGIN_HEADER } from '../../shared/http/source-address.ts';
import { globalName } from '../settings/names.ts';
import { type OriginSecret, viewerAddressCode } from '../gateway/origin-secret.ts';
import { SiteFiles } from './site-files.ts';
import type { Settings } from '../settings/settings-table.ts';
import { acknowledgeFindings } from './site-findings.ts';

/** Errors that CloudFront would cache for 10 s despite the API's no-store. With TTL 0 and no error page it does not. */
const UNCACHED_ERRORS = [404, 414, 500, 501, 502, 503, 504];

export interface SiteProps {
  readonly settings: Settings;
  readonly defaults: FunctionDefaults;
  readonly api: RestApiBase;
  readonly originSecret: OriginSecret;
}

/** CloudFront for the API and a private bucket, so that both have the same origin for browsers. */
export class Site extends Construct {
  /** `https://...` without a final slash. */
  readonly url: string;

  constructor(scope: Construct, id: string, { settings, defaults, api, originSecret }: SiteProps) {
    super(scope, id);
    const { domainName, certificateArn, hostedZoneId, accessLogBucket, pmmCompatibility } = settings;
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Its files are part of the deployment, and are removed with it.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const toApi: BehaviorOptions = {
      origin: new RestApiOrigin(api, { customHeaders: { [ORIGIN_HEADER]: originSecret.reference } }),
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: this.addFunction('Viewer', 'Writes the address of the viewer', viewerAddressCode),
        },
      ],
      // A redirect would come after the credentials were sent without encryption.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // Without it CloudFront drops Authorization; Host must be the API's own.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // HTTPS only, for a year. The other headers of the policy do not replace those of the API.
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
    };
    const accessLogs =
      accessLogBucket === undefined ? undefined : Bucket.fromBucketName(this, 'AccessLogs', accessLogBucket);
    const { defaultChild } = bucket.node;
    // Not with the CDK's property, which would require to change the policy of that bucket.
    if (accessLogBucket !== undefined && defaultChild instanceof CfnBucket)
      defaultChild.loggingConfiguration = { destinationBucketName: accessLogBucket, logFilePrefix: 'site/' };
    const pages = this.addFunction('Paths', 'Maps URLs to files, and adds the headers of pages', pagesCode);
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Monitoring inventory: API, API browser, console',
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(domainName === undefined || certificateArn === undefined
        ? {}
        : {
            domainNames: [domainName],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
            minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
          }),
      defaultBehavior: {
        // With permission to list, S3 replies 404 instead of 403 for a missing file. Listing through CloudFront is
        // impossible: every URL is a file, and no query string is passed to the bucket.
        origin: S3BucketOrigin.withOriginAccessControl(interfaceOf<IBucket>(bucket), {
          originAccessControl: new S3OriginAccessControl(this, 'Access', {
            originAccessControlName: globalName(this, 'site'),
          }),
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        // For errors, which get no header from the function below.
        responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
        functionAssociations: [FunctionEventType.VIEWER_REQUEST, FunctionEventType.VIEWER_RESPONSE].map(
          (eventType) => ({ eventType, function: pages }),
        ),
      },
      defaultRootObject: 'index.html',
      additionalBehaviors: Object.fromEntries(
        ['/v1/*', ...(pmmCompatibility ? otherApiPaths : [])].map((pattern) => [pattern, toApi]),
      ),
      ...(accessLogs === undefined ? {} : { logBucket: accessLogs, logFilePrefix: 'cloudfront/' }),
      errorResponses: UNCACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.url = `https://${domainName ?? distribution.distributionDomainName}`;
    new SiteFiles(this, 'Files', { defaults, bucket });
    acknowledgeFindings({ bucket, distribution, settings });
    if (domainName !== undefined && hostedZoneId !== undefined) {
      // CDK uses the zone's name only to name the records, so the domain name itself can be passed.
      const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: domainName });
      const target = RecordTarget.fromAlias(new CloudFrontTarget(distribution));
      new ARecord(this, 'Ipv4', { zone, target });
      new AaaaRecord(this, 'Ipv6', { zone, target });
    }
  }

  private addFunction(id: string, comment: string, code: string): Function {
    return new Function(this, id, {
      functionName: globalName(this, id),
      comment,
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
  }
}
