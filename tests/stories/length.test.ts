/** A story needs little code of the caller. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programs } from './story.ts';

const MAX_LINES = 40;

const files = await readdir(programs);

test('each program has a story, and each story a program', async () => {
  const stories = await readdir(join(programs, '..'));
  const texts = stories.filter((name) => name.endsWith('.test.ts') && name !== 'length.test.ts');
  const used = await Promise.all(
    texts.map(async (name) => {
      const text = await readFile(join(programs, '..', name), 'utf8');
      return files.filter((file) => text.includes(`'${file}'`));
    }),
  );
  for (const [index, name] of texts.entries()) expect([name, used[index]]).not.toEqual([name, []]);
  expect([...new Set(used.flat())].sort()).toEqual([...files].sort());
});

test.each(files)(`%s has at most ${MAX_LINES} lines`, async (file) => {
  const lines = (await readFile(join(programs, file), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(MAX_LINES);
});
