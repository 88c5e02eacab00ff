import MiniSearch from 'minisearch';
import * as z from 'zod/mini';

const sectionSchema = z.object({
  /** Its address, relative to the folder of the documents. */
  id: z.string(),
  /** The title of the document. */
  page: z.string(),
  /** The heading; empty for the beginning of the document. */
  title: z.string(),
  body: z.string(),
});

/** The content of `search.json`: parts of documents. */
export const searchSchema = z.array(sectionSchema);

export type SearchSection = z.infer<typeof sectionSchema>;

export interface SearchHit extends SearchSection {
  /** The part of the body with the first word that was found. */
  excerpt: string;
}

/** More than anybody reads. */
const MAX_HITS = 12;

const EXCERPT_BEFORE = 60;
const EXCERPT_CHARACTERS = 180;

/** The body around the first of the words, between words. */
export function excerptOf(body: string, words: readonly string[]): string {
  const lower = body.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, body.length) - EXCERPT_BEFORE);
  const from = places.length === 0 || start === 0 ? 0 : body.indexOf(' ', start) + 1;
  const cut = body.slice(from, from + EXCERPT_CHARACTERS);
  const text = from + cut.length < body.length ? `${cut.replace(/\s+\S*$/, '')} ...` : cut;
  return from === 0 ? text : `... ${text}`;
}

/**
 * The search over the sections of all documents: every word has to be found, as it is, as a beginning, or with a
 * misspelled letter.
 */
export function searchIn(sections: readonly SearchSection[]): (query: string) => SearchHit[] {
  const index = new MiniSearch<SearchSection>({
    fields: ['page', 'title', 'body'],
    searchOptions: {
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      boost: { title: 4, page: 3 },
    },
  });
  index.addAll(sections);
  const byId = new Map(sections.map((section) => [section.id, section]));
  return (query) =>
    index
      .search(query)
      .slice(0, MAX_HITS)
      .flatMap(({ id, terms }) => {
        const section = byId.get(String(id));
        return section === undefined ? [] : [{ ...section, excerpt: excerptOf(section.body, terms) }];
      });
}
