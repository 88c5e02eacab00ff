import { join } from 'node:path';
import { customResource } from '../custom-resource.ts';
import { openBucket } from './bucket.ts';
import { publishSite } from './publish-site.ts';

/** The files of the site are deployed together with this function, in a folder beside it. */
export const handler = customResource(publishSite(join(import.meta.dirname, 'site'), openBucket));
