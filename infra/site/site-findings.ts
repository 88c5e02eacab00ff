import { Validations } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Settings } from '../settings/settings-table.ts';

interface Parts {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  readonly settings: Pick<Settings, 'certificateArn' | 'accessLogBucket'>;
}

/** Acknowledges the findings of cdk-nag and the CDK about the site that are intended. */
export function acknowledgeFindings({ bucket, distribution, settings }: Parts): void {
  if (settings.accessLogBucket === undefined) {
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It contains published static files only, is read only through CloudFront and written only by deployments. The setting accessLogBucket adds a log.',
    });
    Validations.of(distribution).acknowledge({
      id: 'AwsSolutions-CFR3',
      reason:
        'The access log of the stage contains every request of the API. The other files are public and static. The setting accessLogBucket adds a log.',
    });
  }
  Validations.of(distribution).acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Callers with a key may use the service from any country. No content is licensed by country.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'AWS WAF (waf=true) protects the stage of the API, which also covers requests that bypass CloudFront.',
    },
    {
      id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason: 'A default root object exists, every folder is mapped to a file, and no query string reaches the bucket.',
    },
  );
  if (settings.certificateArn === undefined)
    Validations.of(distribution).acknowledge({
      id: 'AwsSolutions-CFR4',
      reason:
        'For *.cloudfront.net, CloudFront accepts TLS 1.0 and no setting changes it. With domainName and certificateArn the minimum is TLS 1.2.',
    });
}
