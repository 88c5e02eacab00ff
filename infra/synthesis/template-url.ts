import { RegionInfo } from 'aws-cdk-lib/region-info';

/**
 * The URL by which CloudFormation reads a template. With the region, because buckets in regions that an account must enable
 * have no other address; with the bucket in the path, because a certificate covers no bucket whose name has dots.
 */
export function templateUrl({ bucket, key, region }: { bucket: string; key: string; region: string }): string {
  const { domainSuffix = 'amazonaws.com' } = RegionInfo.get(region);
  return `https://s3.${region}.${domainSuffix}/${bucket}/${key}`;
}
