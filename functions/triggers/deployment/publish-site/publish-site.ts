import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as z from 'zod/mini';
import type { Step } from '../custom-resource.ts';
import type { SiteBucket, SiteFile } from './bucket.ts';
import { contentTypeOf } from '../../../../shared/http/file-types.ts';

const propertiesSchema = z.object({ BucketName: z.string() });

/**
 * Browsers revalidate every file, so that a page never mixes files of two versions. CloudFront revalidates once a
 * minute, so a deployment is visible within a minute, and needs no permission to invalidate the cache.
 */
const CACHE_CONTROL = 'public, max-age=0, s-maxage=60, must-revalidate';

async function filesIn(folder: string): Promise<SiteFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      key: relative(folder, path).split(sep).join('/'),
      body: await readFile(path),
      contentType: contentTypeOf(path),
      cacheControl: CACHE_CONTROL,
    })),
  );
}

const isPage = ({ key }: SiteFile) => key.endsWith('.html');

/**
 * Makes the bucket contain the files of the site and no others. Uploads the files that pages need first, then the
 * pages, and only then removes obsolete files.
 *
 * @param folder with the files as they are served.
 */
export function publishSite(folder: string, bucketOf: (name: string) => SiteBucket): Step {
  return {
    provide: async (properties) => {
      const bucket = bucketOf(z.parse(propertiesSchema, properties).BucketName);
      const files = await filesIn(folder);
      for (const part of [files.filter((file) => !isPage(file)), files.filter(isPage)])
        await Promise.all(part.map((file) => bucket.put(file)));
      const served = new Set(files.map(({ key }) => key));
      await bucket.remove((await bucket.keys()).filter((key) => !served.has(key)));
    },
    remove: async (properties) => {
      const bucket = bucketOf(z.parse(propertiesSchema, properties).BucketName);
      await bucket.remove(await bucket.keys());
    },
  };
}
