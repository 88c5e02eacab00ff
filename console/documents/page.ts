import { escaped } from './escaped.ts';
import type { Group } from './groups.ts';
import type { Section } from './markdown.ts';

export interface PageContent {
  title: string;
  /** The file of the page; undefined for the index. */
  page?: string;
  html: string;
  sections: readonly Section[];
}

/** The parts of the site, each with its pages. Open on wide windows; a disclosure on narrow ones. */
function menu(groups: readonly Group[], current: string | undefined): string {
  const lists = groups.map(({ title, entries }, index) => {
    const items = entries.map(({ page, title: text }) => {
      const mark = page === current ? ' aria-current="page"' : '';
      return `<li><a href="${page}"${mark}>${escaped(text)}</a></li>`;
    });
    return `<h2 id="group-${index}">${escaped(title)}</h2>\n<ul aria-labelledby="group-${index}">\n${items.join('\n')}\n</ul>`;
  });
  return `<nav class="menu" aria-label="Documents"><details><summary>All documents</summary>
${lists.join('\n')}
</details></nav>`;
}

/** The contents of a page, if it has more than one part. */
function contents(sections: readonly Section[]): string {
  const parts = sections.filter(({ depth }) => depth === 2 || depth === 3);
  if (parts.length < 2) return '';
  const items = parts.map(
    ({ depth, text, fragment }) =>
      `<li class="depth-${depth}"><a href="#${escaped(fragment)}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary>
<ul>
${items.join('\n')}
</ul>
</details></nav>`;
}

/** A page of the site. */
export const htmlOf = (
  { title, page, html, sections }: PageContent,
  groups: readonly Group[],
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} - Monitoring inventory</title>
<link rel="icon" href="../favicon.svg">
<link rel="stylesheet" href="documents.css">
<script src="theme.js"></script>
<script type="module" src="documents.js"></script>
</head>
<body>
<a class="skip-link" href="#content">Skip to the document</a>
<header>
<a class="home" href="./"><img src="../favicon.svg" alt="" width="32" height="32"> Monitoring inventory</a>
<search id="search"></search>
<nav aria-label="Site"><a href="../">Console</a> <a href="../swagger/">API browser</a></nav>
</header>
<div class="columns">
${menu(groups, page)}
<main id="content" tabindex="-1">
${contents(sections)}
<article>
${html}
</article>
</main>
</div>
</body>
</html>
`;
