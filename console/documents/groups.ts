import { posix } from 'node:path';

/** A document of the site. */
export interface DocumentEntry {
  /** The text of its link. */
  title: string;
  /** The task of its reader, as Markdown. */
  task: string;
  /** Its file in the repository. */
  source: string;
  /** Its page on the site. */
  page: string;
}

export interface Group {
  title: string;
  entries: readonly DocumentEntry[];
}

/** The index of all documents, which the site has as its first page. */
export const INDEX = 'docs/README.md';

/** `keys.html` of `docs/keys.md`; undefined for a document in another folder. */
export function pageOf(source: string): string | undefined {
  const { dir, name, ext } = posix.parse(source);
  return (dir === 'docs' || dir === '') && ext === '.md' ? `${name.toLowerCase()}.html` : undefined;
}

/** The groups of documents in the index. A document that the site does not have (a decision) is in none. */
export const groupsOf = (index: string): Group[] =>
  index
    .split('\n## ')
    .slice(1)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      entries: [...section.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)].flatMap(
        ([, title = '', link = '', task = '']) => {
          const source = posix.join(posix.dirname(INDEX), link);
          const page = pageOf(source);
          return page === undefined ? [] : [{ title, task, source, page }];
        },
      ),
    }));
