import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join, posix } from 'node:path';
import { render } from './markdown.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Documents for developers of this project: readers of the console do not need them. */
const internal: ReadonlySet<string> = new Set(['architecture', 'library', 'performance', 'security']);

/** Files that documents link to, which the site has as they are. */
const attachments = ['monitoring/alerts.yml', 'monitoring/grafana-dashboard.json'] as const;

interface DocumentEntry {
  /** The task of the reader. */
  task: string;
  /** `keys` of `docs/keys.md`. */
  name: string;
}

/** The table of documents in the README: it is the index. */
function entriesOf(readme: string): DocumentEntry[] {
  const [, table = ''] = readme.split('\n## Documents\n');
  return [...table.matchAll(/^\| (.+) \| \[docs\/([a-z-]+)\.md\]/gm)]
    .map(([, task = '', name = '']) => ({ task, name }))
    .filter(({ name }) => !internal.has(name));
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Document';

/** @param current the name of the document that the page shows; undefined for the index. */
function pageOf(title: string, content: string, entries: readonly SiteDocument[], current?: string): string {
  const links = entries
    .map(({ name, title: text }) => {
      const mark = name === current ? ' aria-current="page"' : '';
      return `<li><a href="${name}.html"${mark}>${text}</a></li>`;
    })
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Monitoring inventory</title>
<link rel="icon" href="../favicon.svg">
<link rel="stylesheet" href="documents.css">
</head>
<body>
<header><a href="../">Monitoring inventory</a> <a href="./">Documents</a> <a href="../swagger/">API browser</a></header>
<div class="columns">
<nav aria-label="Documents"><ul>
${links}
</ul></nav>
<main>
${content}
</main>
</div>
</body>
</html>
`;
}

interface SiteDocument extends DocumentEntry {
  title: string;
  markdown: string;
}

/** Where a link of a document leads on the site; undefined for a file that the site does not have. */
function addressIn(names: ReadonlySet<string>) {
  return (link: string): string | undefined => {
    if (/^(https?:|#)/.test(link)) return link;
    const [path = '', fragment] = link.split('#');
    const file = posix.normalize(path);
    const suffix = fragment === undefined ? '' : `#${fragment}`;
    const name = /^([a-z-]+)\.md$/.exec(file)?.[1];
    if (name !== undefined && names.has(name)) return `${name}.html${suffix}`;
    if (file === '../README.md') return './';
    return attachments.some((attachment) => attachment === file) ? file : undefined;
  };
}

export interface SiteFile {
  /** Relative to the folder of the documents. */
  path: string;
  content: string;
}

/** The documents as the console serves them: a page for each, and the index; and what they were made from. */
export async function siteDocuments(): Promise<{ files: SiteFile[]; sources: string[] }> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const entries = entriesOf(await read('README.md'));
  const documents: SiteDocument[] = await Promise.all(
    entries.map(async (entry) => {
      const markdown = await read(`docs/${entry.name}.md`);
      return { ...entry, title: titleOf(markdown), markdown };
    }),
  );
  const addressOf = addressIn(new Set(documents.map(({ name }) => name)));
  const index = documents.map(({ task, name, title }) => `- [${title}](${name}.md): ${task}`).join('\n');
  const pages = documents.map(({ name, title, markdown }) => ({
    path: `${name}.html`,
    content: pageOf(title, render(markdown, addressOf).html, documents, name),
  }));
  const style = 'console/documents/documents.css';
  return {
    files: [
      {
        path: 'index.html',
        content: pageOf('Documents', render(`# Documents\n\n${index}`, addressOf).html, documents),
      },
      ...pages,
      { path: 'documents.css', content: await read(style) },
      ...(await Promise.all(attachments.map(async (path) => ({ path, content: await read(`docs/${path}`) })))),
    ],
    sources: [
      'README.md',
      style,
      ...documents.map(({ name }) => `docs/${name}.md`),
      ...attachments.map((path) => `docs/${path}`),
    ],
  };
}
