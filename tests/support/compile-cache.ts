import { fileURLToPath } from 'node:url';

/**
 * Processes that a test starts from the sources keep the code that they have compiled: the second server starts with half
 * the processor time. Not the process of the tests itself, which imports each test file under a name of its own.
 */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));
