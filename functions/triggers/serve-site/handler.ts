import { fileURLToPath } from 'node:url';
import { serveSite } from './serve-site.ts';

export const handler = serveSite(fileURLToPath(new URL('site', import.meta.url)));
