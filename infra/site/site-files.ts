import { CfnElement, CustomResource, Duration, FileSystem, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { join } from 'node:path';
import type { FunctionDefaults } from '../functions/function-defaults.ts';
import { DEPLOYMENT_STEP, InventoryFunction } from '../functions/inventory-function.ts';

export interface SiteFilesProps {
  readonly defaults: FunctionDefaults;
  readonly bucket: Bucket;
}

/**
 * Uploads the files of the site into the bucket at deployment. Not the CDK's BucketDeployment: it sets no charset for
 * scripts, may read the whole bootstrap bucket, and needs Python and 22 MB of the AWS CLI.
 */
export class SiteFiles extends Construct {
  constructor(scope: Construct, id: string, { defaults, bucket }: SiteFilesProps) {
    super(scope, id);
    const { function: publish } = new InventoryFunction(this, 'publishSite', {
      defaults,
      description: 'Uploads the files of the site to its bucket',
      rights: [
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
        new PolicyStatement({ actions: ['s3:PutObject', 's3:DeleteObject'], resources: [bucket.arnForObjects('*')] }),
      ],
      ...DEPLOYMENT_STEP.function,
    });
    const { defaultChild } = bucket.node;
    if (defaultChild instanceof CfnElement)
      Validations.of(publish.node.scope ?? this).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(defaultChild)}.Arn>/*]`,
        reason: 'It replaces all files of the site, in a bucket that contains nothing else.',
      });
    const published = new CustomResource(this, 'Published', {
      resourceType: 'Custom::SiteFiles',
      serviceToken: publish.functionArn,
      serviceTimeout: Duration.seconds(DEPLOYMENT_STEP.answersWithinSeconds),
      properties: {
        BucketName: bucket.bucketName,
        // The fingerprint of the files: another site is another version.
        Version: FileSystem.fingerprint(join(defaults.bundles, 'publishSite')),
      },
    });
    // On removal, the bucket is emptied while the function still has access to it, and before it is deleted.
    if (bucket.policy !== undefined) published.node.addDependency(bucket.policy);
  }
}
