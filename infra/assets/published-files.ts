/** The folder of published files in a bucket. Their names are hashes of their contents. */
export const PUBLISHED_ASSETS = 'monitoring-inventory/assets/';

/** The place of a published template in a bucket. S3 reads `+` in a URL as a blank, so a dot stands before the commit. */
export const publishedTemplate = (version: string): string =>
  `monitoring-inventory/${version.replace('+', '.')}/template.json`;

/** The parameter of a template that is published without a bucket: the bucket into which its users have put the files. */
export const BUCKET_PARAMETER = 'AssetsBucket';

/** Its value, in place of the name of a bucket. */
export const BUCKET_OF_PARAMETER = `$\{${BUCKET_PARAMETER}}`;
