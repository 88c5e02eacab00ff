/*
 * Runs the tests of the store, of the endpoints and end to end once more, against Amazon's DynamoDB Local instead of the
 * embedded engine. What holds with two engines that were written independently does not rest on the quirks of one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineSuites } from './engine-suites.ts';
import { fetchDynamoDBLocal, startDynamoDBLocal, Unavailable } from './engine.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Group {
  /** Paths of tests, and options of jest. */
  args: readonly string[];
  /** Whether the tests run in full, also where TEST_EXTENT asks for the short form. */
  inFull?: boolean;
}

/**
 * Each group starts with an empty engine: servers have a table of one name, all others make up theirs. Groups of a
 * sequence run one after the other. The two sequences run at the same time: where one waits, the other uses the processors.
 */
const sequences: readonly (readonly Group[])[] = [
  [{ args: await engineSuites('functions/') }],
  [
    // The other guarantees are about requests that are refused before the table, whatever its engine is.
    { args: ['tests/guarantees.test.ts', '--testNamePattern', '^credentials'] },
    // But for what proves that the rounds notice defects, which holds with any engine. One after the other: each has many clients.
    { args: ['tests/consistency/', '--testPathIgnorePatterns', 'sabotage', '-w', '1'] },
    { args: ['tests/end-to-end/cluster.long.test.ts'], inFull: true },
    { args: ['tests/end-to-end/authentication.long.test.ts'] },
    // In its short form, which has one server: all servers of an engine share a table.
    { args: ['tests/end-to-end/wire.long.test.ts'] },
  ],
];

interface Count {
  passed: number;
  failed: number;
}

/**
 * What jest prints is written when it ends.
 *
 * @param group all of it fails when jest ends without having counted them.
 */
async function jest(group: Group, endpoint: string, more: readonly string[]): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamodb-local-'));
  const file = join(folder, 'results.json');
  const child = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      ...['--cacheDirectory', join(folder, 'cache'), '--json', '--outputFile', file],
      ...[...more, ...group.args],
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      // A test that starts an embedded engine all the same is to fail, not to pass without having been here. Servers of their own
      // process do without this option: their engine is at TEST_ENGINE.
      env: {
        ...process.env,
        DYNAMODB_ENDPOINT: endpoint,
        TEST_ENGINE: endpoint,
        NODE_OPTIONS: '--no-experimental-sqlite',
        ...(group.inFull === true ? { TEST_EXTENT: 'full' } : {}),
      },
    },
  );
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const [code] = (await once(child, 'close')) as [number | null];
  process.stderr.write(printed);
  try {
    const results = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
    const failed = (results['numFailedTests'] ?? 0) + (results['numRuntimeErrorTestSuites'] ?? 0);
    return { passed: results['numPassedTests'] ?? 0, failed: code === 0 ? failed : Math.max(failed, 1) };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(more: readonly string[]): Promise<Count> {
  const total: Count = { passed: 0, failed: 0 };
  await fetchDynamoDBLocal();
  await Promise.all(
    sequences.map(async (groups) => {
      for (const group of groups) {
        const engine = await startDynamoDBLocal();
        const { passed, failed } = await jest(group, engine.endpoint, more);
        await engine.stop();
        total.passed += passed;
        total.failed += failed;
      }
    }),
  );
  return total;
}

try {
  const { passed, failed } = await run(process.argv.slice(2));
  // As jest counts, for all groups together.
  const failures = failed === 0 ? '' : `${failed} failed, `;
  process.stdout.write(`\nTests:       ${failures}${passed} passed, ${passed + failed} total (DynamoDB Local)\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
