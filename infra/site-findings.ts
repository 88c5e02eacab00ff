import { Validations } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { Bucket } from 'aws-cdk-lib/aws-s3';

interface Parts {
  readonly bucket: Bucket;
  readonly distribution: Distribution;
  readonly certificateArn: string | undefined;
}

/** Acknowledges the findings of cdk-nag and the CDK about the site that are intended. */
export function acknowledgeFindings({ bucket, distribution, certificateArn }: Parts): void {
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'It holds published static files only, is read through CloudFront alone and written by deployments alone; a log would cost a second bucket.',
  });
  Validations.of(distribution).acknowledge(
    {
      id: 'AwsSolutions-CFR1',
      reason: 'Whoever has a key may use it from wherever they are; there is nothing here that is licensed by country.',
    },
    {
      id: 'AwsSolutions-CFR2',
      reason:
        "AWS WAF, when switched on (waf=true), stands at the API's stage, where it also meets requests around CloudFront.",
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'Every request of the API is in the access log of its stage; the rest are public static files.',
    },
    {
      id: 'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason:
        'There is a default root object, every folder is turned into a file, and no query string reaches the bucket.',
    },
  );
  if (certificateArn === undefined)
    Validations.of(distribution).acknowledge({
      id: 'AwsSolutions-CFR4',
      reason:
        'Under the name that CloudFront gives, CloudFront decides which TLS versions it takes. With domainName and certificateArn it is TLS 1.2 at least.',
    });
}
