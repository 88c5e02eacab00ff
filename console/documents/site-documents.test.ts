import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fragmentOf } from '../../shared/openapi/markdown.ts';
import { render } from './markdown.ts';
import { siteDocuments } from './site-documents.ts';

const { files, sources } = await siteDocuments();
const pages = files.filter(({ path }) => path.endsWith('.html'));
const pageAt = (path: string) => files.find((file) => file.path === path)?.content ?? '';

test('each document of the README that readers of the console need has a page, and the index leads to it', async () => {
  expect(pages.length).toBeGreaterThan(15);
  const index = pageAt('index.html');
  for (const { path } of pages.filter((page) => page.path !== 'index.html')) expect(index).toContain(`href="${path}"`);
  expect(pageAt('keys.html')).toMatch(/<title>.+ - Monitoring inventory<\/title>/);
  const existing = await Promise.all(
    sources.map((path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')),
  );
  expect(existing.every((text) => text.length > 0)).toBe(true);
});

test('every link leads to a page, a heading or a file that exists, or to another site', () => {
  const broken = pages.flatMap(({ path, content }) =>
    [...content.matchAll(/href="([^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => !/^https?:/.test(href) && !['../', '../swagger/', '../favicon.svg'].includes(href))
      .filter((href) => {
        const [file = '', fragment] = href.split('#');
        const target = file === '' ? path : file === './' ? 'index.html' : posix.normalize(file);
        const found = files.find((one) => one.path === target);
        return found === undefined || (fragment !== undefined && !found.content.includes(`id="${fragment}"`));
      })
      .map((href) => `${path}: ${href}`),
  );
  expect(broken).toEqual([]);
});

test('no page has a script, a style or a handler of its own, as the policy allows none', () => {
  const wrong = pages.filter(({ content }) => /<script|<style|\sstyle=|<[^>]+\son[a-z]+=/.test(content));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('raw HTML is text; code, tables and headings are what they are', () => {
  const { html, fragments } = render(
    '# A `b` c\n\n<!-- for tests -->\n\n## Same\n\n## Same\n\n<img src=x onerror=alert(1)>\n\n| a |\n|:-:|\n| **1** |\n\n```sh\na < b\n```\n',
    () => undefined,
  );
  expect(fragments).toEqual(['a-b-c', 'same', 'same-1']);
  expect(html).not.toContain('for tests');
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img');
  expect(html).not.toContain('align');
  expect(html).toContain('<td><strong>1</strong></td>');
  expect(html).toContain('a &lt; b');
});

test('a link to a file that the site does not have is its text alone', () => {
  expect(render('see [the list](../infra/list.txt)', () => undefined).html).toBe('<p>see the list</p>\n');
});

test('fragments are those of GitHub', () => {
  expect(fragmentOf('What a removed key can still do')).toBe('what-a-removed-key-can-still-do');
  expect(fragmentOf("PMM's clients: what works, what differs")).toBe('pmms-clients-what-works-what-differs');
});
