/** Each block of commands in the documents names the test that runs it, or why none does. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { blocksIn } from './support/fenced-blocks.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');

const names = (await readdir(new URL('docs/', root))).filter((name) => name.endsWith('.md'));
const documents = ['README.md', 'CONTRIBUTING.md', ...names.map((name) => `docs/${name}`)];

const all = (
  await Promise.all(
    documents.map(async (document) =>
      blocksIn(await read(document)).map(({ line, language, code, comment = '' }) => ({
        ...{ document, language, code, comment },
        at: `${document}:${line}`,
      })),
    ),
  )
).flat();
const blocks = all.filter(({ language }) => language === 'sh');

const isMarked = ({ comment }: { comment: string }) => /^(way|run:|not run:) /.test(comment);

test('each block of commands has a mark', () => {
  expect(blocks.filter((block) => !isMarked(block)).map(({ at }) => at)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(100);
});

test('commands are in blocks of the language sh', () => {
  const program =
    /^(?:\$ )?(?:npm|npx|node|curl|aws|git|go|cd|kubectl|docker|systemctl|inventory|pmm-a\w+|terraform) /m;
  const hidden = all.filter(({ language, code }) => language === '' && program.test(code));
  expect(hidden.map(({ at }) => at)).toEqual([]);
});

test('a mark names a test or helper that reads the document', async () => {
  const wrong = await Promise.all(
    blocks.map(async ({ document, at, comment }) => {
      const path = /^run: (\S+)$/.exec(comment)?.[1];
      if (path === undefined) return comment.startsWith('run:') ? [`${at}: ${comment}`] : [];
      if (!existsSync(new URL(path, root))) return [`${at}: ${path} does not exist`];
      return (await read(path)).includes(basename(document)) ? [] : [`${at}: ${path} does not read ${document}`];
    }),
  );
  expect(wrong.flat()).toEqual([]);
  expect(blocks.some(({ comment }) => comment.startsWith('run: '))).toBe(true);
});

test('a way is followed by a test', async () => {
  const files = await readdir(new URL('tests/ways/', root));
  const tests = await Promise.all(
    files.filter((name) => name.endsWith('.test.ts')).map((name) => read(`tests/ways/${name}`)),
  );
  const ways = new Set(blocks.flatMap(({ comment }) => /^way (\S+): /.exec(comment)?.[1] ?? []));
  expect(ways.size).toBeGreaterThan(1);
  expect([...ways].filter((way) => !tests.some((text) => text.includes(`'${way}'`)))).toEqual([]);
});

test('a block that no test runs has a reason', () => {
  const reasons = blocks.flatMap(({ comment }) => /^not run: ?(.*)$/.exec(comment)?.[1] ?? []);
  expect(reasons.filter((reason) => reason.split(' ').length < 4)).toEqual([]);
  const named = reasons.flatMap((reason) => reason.match(/\b\w[\w/.-]*\/[\w.-]+\.ts\b/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
