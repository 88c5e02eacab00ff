/** The folder of published files in a bucket. Their names are hashes of their contents. */
export const PUBLISHED_ASSETS = 'monitoring-inventory/assets/';

/** The place of a published template in a bucket. S3 reads `+` in a URL as a blank, so a dot stands before the commit. */
export const publishedTemplate = (version: string): string =>
  `monitoring-inventory/${version.replace('+', '.')}/template.json`;
