/** Links between the documents, as GitHub follows them. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { render } from '../console/documents/markdown.ts';

const root = new URL('../', import.meta.url);

const inDocs = (await readdir(new URL('docs/', root), { recursive: true })).map((name) => `docs/${name}`);
const clients = (await readdir(new URL('clients/', root))).map((name) => `clients/${name}/README.md`);
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inDocs, ...clients].filter(
  (path) => path.endsWith('.md') && existsSync(new URL(path, root)),
);

const read = await Promise.all(
  documents.map(async (path) => {
    const links: string[] = [];
    const { sections } = render(await readFile(new URL(path, root), 'utf8'), (link) => {
      links.push(link);
      return undefined;
    });
    return { path, links, fragments: new Set(sections.map(({ fragment }) => fragment)) };
  }),
);

test('every link leads to a file, and to one of its headings', () => {
  const broken = read.flatMap(({ path, links }) =>
    links
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [file = '', fragment] = link.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(file));
        if (!existsSync(new URL(target, root))) return true;
        const document = read.find((candidate) => candidate.path === target);
        return fragment !== undefined && document !== undefined && !document.fragments.has(fragment);
      })
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
  expect(read.flatMap(({ links }) => links).length).toBeGreaterThan(300);
});

/** The documents that a page leads to, by one click. */
const ledTo = (from: string): string[] =>
  (read.find(({ path }) => path === from)?.links ?? [])
    .filter((link) => !/^(https?|mailto):|^#/.test(link))
    .map((link) => posix.join(posix.dirname(from), link.split('#')[0] ?? ''));

test('two clicks lead from the README to every page', () => {
  const reached = new Set(ledTo('README.md').flatMap((page) => [page, ...ledTo(page)]));
  // The list of decisions leads to each of them.
  const pages = documents.filter((path) => /^docs\/[^/]+\.md$/.test(path) || path === 'docs/decisions/README.md');
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});
