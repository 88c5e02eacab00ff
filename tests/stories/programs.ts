import { fileURLToPath } from 'node:url';

/** The folder of the programs that callers run. */
export const programs = fileURLToPath(new URL('programs/', import.meta.url));
