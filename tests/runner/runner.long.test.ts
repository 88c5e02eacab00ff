import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';

interface Run {
  code: number;
  output: string;
  /** The lines of TEST_RESULTS. */
  results: { file: string; passed: number; failed: number; failures: string[] }[];
}

let folder: string;
beforeEach(async () => {
  folder = await newDataDir();
});
afterEach(() => removeDataDir(folder));

/** Runs some of `cases/` as Jest runs a test file. */
async function run(cases: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  const resultsFile = join(folder, 'results');
  const args = [
    'node_modules/jest/bin/jest.js',
    '-w',
    '2',
    '--testMatch',
    `**/tests/runner/cases/{${cases.join(',')},none}.ts`,
  ];
  const env = { ...process.env, TEST_RESULTS: resultsFile, RACE_FILE: join(folder, 'race'), ...environment };
  const [code, output] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve([Number(error?.code ?? 0), stdout + stderr]),
    );
  });
  const text = await readFile(resultsFile, 'utf8');
  await rm(resultsFile);
  return {
    code,
    output,
    results: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

const byFile = ({ results }: Run, name: string) => results.filter(({ file }) => file.endsWith(`/${name}.ts`));

test('a file that waits forever and one that loops forever are ended, their tests are named, and others run', async () => {
  const ended = await run(['hangs', 'spins', 'passes'], { TEST_HANG_SECONDS: '1' });
  expect(ended.code).toBe(1);
  expect(byFile(ended, 'passes')).toMatchObject([{ passed: 1, failed: 0 }]);
  for (const name of ['hangs', 'spins']) expect(byFile(ended, name)).toMatchObject([{ passed: 0, failed: 1 }]);
  expect(ended.output).toContain('used no processor time for 1 s (while running: a reply that does not come)');
  expect(ended.output).toContain('took more than ten times its usual 1 s (while running: a loop without an end)');
});

test('a file that fails once and passes alone becomes an entry for the list of unstable tests', async () => {
  const { code, output, results } = await run(['unstable', 'passes']);
  expect(code).toBe(0);
  expect(output).toContain('| `tests/runner/cases/unstable.ts` | a race |');
  expect(results).toHaveLength(2);
});

test('a file that fails twice fails the run, with its first and last failure', async () => {
  const failed = await run(['fails', 'passes']);
  expect(failed.code).toBe(1);
  expect(byFile(failed, 'fails')).toMatchObject([{ failed: 1, failures: ['a defect'] }]);
  expect(failed.output.match(/toBe/g)?.length).toBeGreaterThan(1);
});

test('a seed repeats the order of files', async () => {
  const names = ['passes', 'unstable', 'fails'];
  const environment = { TEST_ORDER: '7' };
  const { output } = await run(names, environment);
  expect(output).toContain('TEST_ORDER=7');
});
