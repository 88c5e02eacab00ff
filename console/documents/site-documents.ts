import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupsOf, INDEX, pageOf } from './groups.ts';
import { render } from './markdown.ts';
import { htmlOf, type PageContent } from './page.ts';
import type { SearchSection } from './search-sections.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files that documents link to, which the site has as they are. */
const attachments: ReadonlySet<string> = new Set([
  'docs/monitoring/alerts.yml',
  'docs/monitoring/grafana-dashboard.json',
  'docs/execution-policy.json',
  'docs/execution-policy-stack.json',
  'docs/permissions-boundary.json',
]);

const isAttached = (path: string) => attachments.has(path) || path.startsWith('docs/images/');

/**
 * Where a link of a document leads on the site; undefined for a file that the site does not have.
 *
 * @param source the document, relative to the root of the repository
 */
function addressIn(source: string, sources: ReadonlySet<string>, attached: Set<string>) {
  return (link: string): string | undefined => {
    if (/^(https?:|#)/.test(link)) return link;
    const [path = '', fragment] = link.split('#');
    const target = posix.join(posix.dirname(source), path);
    const suffix = fragment === undefined ? '' : `#${fragment}`;
    if (target === INDEX) return `./${suffix}`;
    const page = pageOf(target);
    if (page !== undefined && sources.has(target)) return `${page}${suffix}`;
    if (!isAttached(target)) return undefined;
    attached.add(target);
    return posix.relative('docs', target);
  };
}

export interface SiteFile {
  /** Relative to the folder of the documents. */
  path: string;
  content: string | Uint8Array;
}

export interface SiteDocuments {
  files: SiteFile[];
  /** The files of this repository that they were made from. */
  sources: string[];
}

/** The documents as the console serves them: a page for each, the index, the texts for the search, and the style. */
export async function siteDocuments(): Promise<SiteDocuments> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const index = await read(INDEX);
  const groups = groupsOf(index);
  const entries = groups.flatMap((group) => group.entries);
  const sources = new Set(entries.map(({ source }) => source));
  const attached = new Set<string>();
  const contentOf = async (source: string): Promise<PageContent> => {
    const titleOf = (link: string) => {
      const target = posix.join(posix.dirname(source), link.replace(/#.*/, ''));
      return entries.find((entry) => entry.source === target)?.title;
    };
    const { html, sections } = render(await read(source), addressIn(source, sources, attached), titleOf);
    return { title: sections[0]?.text ?? 'Documents', html, sections };
  };
  const pages = await Promise.all(
    entries.map(async ({ source, page }) => ({ ...(await contentOf(source)), page }) satisfies PageContent),
  );
  const searched: SearchSection[] = pages.flatMap(({ page, title, sections }) =>
    sections.map(({ text, fragment, body }, number) => ({
      id: number === 0 ? page : `${page}#${fragment}`,
      page: title,
      title: number === 0 ? '' : text,
      body,
    })),
  );
  const style = 'console/documents/documents.css';
  return {
    files: [
      { path: 'index.html', content: htmlOf({ ...(await contentOf(INDEX)), sections: [] }, groups) },
      ...pages.map((content) => ({ path: content.page, content: htmlOf(content, groups) })),
      { path: 'search.json', content: JSON.stringify(searched) },
      { path: 'documents.css', content: await read(style) },
      ...(await Promise.all(
        [...attached].map(async (path) => ({
          path: posix.relative('docs', path),
          content: new Uint8Array(await readFile(join(root, path))),
        })),
      )),
    ],
    sources: [INDEX, style, ...sources, ...attached],
  };
}
