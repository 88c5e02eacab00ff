/** Each block of commands in the documents names the test that runs it, or why none does. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { blocksIn } from './support/fenced-blocks.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');

const names = (await readdir(new URL('docs/', root))).filter((name) => name.endsWith('.md'));
const documents = ['README.md', 'CONTRIBUTING.md', ...names.map((name) => `docs/${name}`)];

/** Blocks without a mark, by document. Numbers only shrink: mark a new block. */
const withoutMark: Readonly<Record<string, number>> = {
  'docs/connect-agents.md': 4,
  'docs/deploy.md': 7,
  'docs/discovery.md': 1,
  'docs/hosts.md': 3,
  'docs/keys.md': 6,
  'docs/life-cycle.md': 1,
  'docs/maintenance.md': 12,
  'docs/model.md': 1,
  'docs/one-machine.md': 3,
  'docs/people.md': 3,
  'docs/pmm.md': 2,
  'docs/repairs.md': 1,
  'docs/reports.md': 2,
  'docs/role-bindings.md': 2,
  'docs/selectors.md': 2,
  'docs/states.md': 2,
  'docs/summary.md': 3,
};

const blocks = (
  await Promise.all(
    documents.map(async (document) =>
      blocksIn(await read(document))
        .filter(({ language }) => language === 'sh')
        .map(({ line, comment = '' }) => ({ document, at: `${document}:${line}`, comment })),
    ),
  )
).flat();

const isMarked = ({ comment }: { comment: string }) => /^(way|run:|not run:) /.test(comment);

test('a block of commands without a mark is listed, and the list has no other document', () => {
  const counts = new Map<string, number>();
  for (const { document } of blocks.filter((block) => !isMarked(block)))
    counts.set(document, (counts.get(document) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual(withoutMark);
});

test('a mark names a test or its support that reads the document', async () => {
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
});
