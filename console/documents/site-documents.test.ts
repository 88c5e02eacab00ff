import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { fragmentOf } from '../../shared/openapi/markdown.ts';
import { render } from './markdown.ts';
import { siteDocuments } from './site-documents.ts';

const { files, sources } = await siteDocuments();
const textOf = (content: string | Uint8Array) => (typeof content === 'string' ? content : '');
const pages = files.flatMap(({ path, content }) =>
  path.endsWith('.html') ? [{ path, content: textOf(content) }] : [],
);
const fileAt = (path: string) => textOf(files.find((file) => file.path === path)?.content ?? '');

test('every document of the repository has a page, and the index leads to it', async () => {
  const documents = (await readdir(new URL('../../docs/', import.meta.url))).filter((name) => name.endsWith('.md'));
  const expected = documents.filter((name) => name !== 'README.md').map((name) => name.replace('.md', '.html'));
  const names = ['index.html', 'readme.html', 'changelog.html', 'contributing.html', ...expected];
  expect(pages.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
  for (const path of names.filter((name) => name !== 'index.html'))
    expect(fileAt('index.html').split('<article>')[1]).toContain(`href="${path}"`);
  expect(fileAt('keys.html')).toMatch(/<title>.+ - Monitoring inventory<\/title>/);
});

test('each source of the pages exists', () => {
  const root = new URL('../../', import.meta.url);
  expect(sources.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  expect(sources).toContain('docs/keys.md');
});

test('the menu of each page has the six groups, and marks the page', () => {
  for (const { path, content } of pages) {
    const [, menu = ''] = /<nav class="menu"[^>]*>([\s\S]*?)<\/nav>/.exec(content) ?? [];
    expect([...menu.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual([
      'Start',
      'Use',
      'Connect',
      'Run',
      'Operate',
      'Understand',
    ]);
    const current = [...menu.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, href]) => href);
    expect(current).toEqual(path === 'index.html' ? [] : [path]);
  }
});

test('every link and picture leads to a page, a heading or a file that exists, or to another site', () => {
  const outside = ['../', '../swagger/', '../favicon.svg', 'documents.css', 'documents.js', 'theme.js'];
  const broken = pages.flatMap(({ path, content }) =>
    [...content.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => !/^https?:/.test(href) && !outside.includes(href))
      .filter((href) => {
        const [file = '', fragment] = href.split('#');
        const target = file === '' ? path : file === './' ? 'index.html' : posix.normalize(file);
        const linked = files.find((candidate) => candidate.path === target);
        return linked === undefined || (fragment !== undefined && !textOf(linked.content).includes(`id="${fragment}"`));
      })
      .map((href) => `${path}: ${href}`),
  );
  expect(broken).toEqual([]);
  expect(fileAt('documents.css')).not.toBe('');
});

test('the contents of a page lead to its parts in their order', () => {
  const contents = /<nav class="contents"[\s\S]*?<\/nav>/.exec(fileAt('keys.html'))?.[0] ?? '';
  const named = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, fragment]) => fragment);
  const headings = [...fileAt('keys.html').matchAll(/<h[23] id="((?!group-)[^"]+)"/g)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(5);
  expect(named).toEqual(headings);
});

test('no page or drawing has an inline script, style or handler, as the policy allows none', () => {
  const wrong = pages.filter(({ content }) => /<script(?![^>]*\ssrc=)|<style|\sstyle=|<[^>]+\son[a-z]+=/.test(content));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('diagrams are drawings, and their ids differ in a page', () => {
  const drawn = pages.filter(({ content }) => content.includes('<svg class="diagram"')).map(({ path }) => path);
  expect(drawn.toSorted()).toEqual(['architecture.html', 'model.html', 'operators.html', 'states.html']);
  for (const { content } of pages) {
    expect(content).not.toContain('flowchart ');
    const ids = [...content.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const used = [...content.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id);
    expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  }
});

test('raw HTML is text, and code, tables and headings keep their meaning', () => {
  const { html, sections } = render(
    '# A `b` c\n\n<!-- for tests -->\n\n## Same\n\n## Same\n\n<img src=x onerror=alert(1)>\n\n| a | |\n|:-:|---|\n| **1** | 2 |\n\n```sh\na < b\n```\n',
    () => undefined,
  );
  expect(sections.map(({ fragment }) => fragment)).toEqual(['a-b-c', 'same', 'same-1']);
  expect(html).not.toContain('for tests');
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img');
  expect(html).not.toContain('align');
  expect(html).toContain('<td><strong>1</strong></td>');
  // A screen reader would read an empty heading with each cell.
  expect(html).toContain('<tr><th scope="col">a</th><td></td></tr>');
  expect(html).toContain('a &lt; b');
});

test('the text of a section has its code and its cells, for the search', () => {
  const [, section] = render(
    '# A\n\n## B\n\nOne `two`:\n\n```sh\nthree\n```\n\n| four |\n|---|\n| **five** |\n',
    () => undefined,
  ).sections;
  expect(section?.body).toBe('One two : three four five');
});

test('a link to a file outside the site is plain text', () => {
  expect(render('see [the list](../infra/list.txt)', () => undefined).html).toBe('<p>see the list</p>\n');
});

test('a link whose text is the name of a file has the title of the document', () => {
  const { html } = render(
    'see [keys.md](keys.md#users)',
    () => 'keys.html#users',
    () => 'Keys & users',
  );
  expect(html).toBe('<p>see <a href="keys.html#users">Keys &amp; users</a></p>\n');
});

test("fragments equal GitHub's", () => {
  expect(fragmentOf('What a removed key can still do')).toBe('what-a-removed-key-can-still-do');
  expect(fragmentOf("PMM's clients: what works, what differs")).toBe('pmms-clients-what-works-what-differs');
});
