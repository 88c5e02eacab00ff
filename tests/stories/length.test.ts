/** A story needs little code of the caller. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programs } from './programs.ts';

const MAX_LINES = 40;

/** No caller's code: the requests of other operators' sidecar. */
const REPLAYED = 'pmm-sidecar.ts';

const files = await readdir(programs);
const names = await readdir(join(programs, '..'));
const stories = await Promise.all(
  names
    .filter((name) => name.endsWith('.test.ts') && name !== 'length.test.ts')
    .map(async (name) => {
      const text = await readFile(join(programs, '..', name), 'utf8');
      return [name, files.filter((file) => text.includes(`'${file}'`))] as const;
    }),
);

test('each program has a story', () => {
  expect(new Set(stories.flatMap(([, used]) => used))).toEqual(new Set(files));
});

test.each(stories)(`%s needs at most ${MAX_LINES} lines of a caller`, async (_, used) => {
  const ownFiles = used.filter((file) => file !== REPLAYED);
  const texts = await Promise.all(ownFiles.map((file) => readFile(join(programs, file), 'utf8')));
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});
