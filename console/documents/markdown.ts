import { Marked, type Token, type Tokens } from 'marked';
import { fragmentOf } from '../../shared/openapi/markdown.ts';
import { diagramOf } from './diagram.ts';
import { escaped } from './escaped.ts';

export interface Heading {
  depth: number;
  text: string;
  /** Unique in the page. A heading that is repeated has a number, as on GitHub. */
  fragment: string;
}

/** A heading with the text up to the next one, for the search. */
export interface Section extends Heading {
  body: string;
}

export interface DocumentHtml {
  html: string;
  sections: readonly Section[];
}

const escapedOrNone = (text: string | undefined) => (text === undefined ? undefined : escaped(text));

/** The text of a token without its marks; empty for a token whose parts have it. */
function leafText(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return '';
  if (token.type === 'text' || token.type === 'codespan' || (token.type === 'code' && token['lang'] !== 'mermaid'))
    return String(token['text']);
  return '';
}

/** A longer name in a table makes its column wide, unless it can break. */
const LONG_CODE = 20;
const JOINTS = /(?<=[/@:,=&?_])(?=\w)|(?<=[a-z])(?=[A-Z])/;

/** Between two joints, such as in a digest. */
const LONGEST_PIECE = /.{1,24}/gs;

/** Code in a sentence or a cell, which can break at the joints of a long name. */
function inlineCode(text: string): string {
  const pieces =
    text.length > LONG_CODE ? text.split(JOINTS).flatMap((piece) => piece.match(LONGEST_PIECE) ?? []) : [text];
  return `<code>${pieces.map(escaped).join('<wbr>')}</code>`;
}

const plainText = (heading: string) => heading.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** The sections of a document, in its order. */
function sectionsOf(marked: Marked, tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  const fragments: string[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plainText(String(token['text']));
      const slug = fragmentOf(text);
      const count = fragments.filter(
        (fragment) => fragment === slug || new RegExp(`^${slug}-[0-9]+$`).test(fragment),
      ).length;
      const fragment = count === 0 ? slug : `${slug}-${count}`;
      fragments.push(fragment);
      sections.push({ depth: Number(token['depth']), text, fragment, body: '' });
      continue;
    }
    const words: string[] = [];
    void marked.walkTokens([token], (part) => void words.push(leafText(part)));
    const section = sections.at(-1);
    if (section !== undefined) section.body = `${section.body} ${words.join(' ')}`.replace(/\s+/g, ' ').trim();
  }
  return sections;
}

/**
 * Renders a document. Everything works under the Content-Security-Policy of the site: no inline style or script, and raw
 * HTML of the document is shown as text.
 *
 * @param addressOf where a link leads; undefined for a file that the site does not have. Its text then stands alone.
 * @param titleOf the title of the document to which a link leads; undefined for another file.
 */
export function render(
  markdown: string,
  addressOf: (link: string) => string | undefined,
  titleOf: (link: string) => string | undefined = () => undefined,
): DocumentHtml {
  let headings = 0;
  let diagrams = 0;
  const marked: Marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const fragment = sections[headings++]?.fragment ?? '';
        return `<h${depth} id="${escaped(fragment)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const address = addressOf(href);
        // A file name is no text of a link for people who see no files.
        const isFile = address !== undefined && tokens.length === 1 && tokens[0]?.raw === href.replace(/#.*/, '');
        const text = (isFile ? escapedOrNone(titleOf(href)) : undefined) ?? this.parser.parseInline(tokens);
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        const address = addressOf(href);
        return address === undefined ? escaped(text) : `<img src="${escaped(address)}" alt="${escaped(text)}">`;
      },
      codespan: ({ text }: Tokens.Codespan) => inlineCode(text),
      // Wide code, tables and diagrams scroll by themselves, and the keyboard reaches what scrolls.
      code({ text, lang = '' }: Tokens.Code) {
        if (lang === 'mermaid') {
          const drawing = diagramOf(text, ++diagrams);
          return `<figure tabindex="0" role="region" aria-label="Diagram ${diagrams}">${drawing}</figure>\n`;
        }
        return `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') => {
          const scope = tag === 'th' ? ' scope="col"' : '';
          const cell = ({ tokens }: Tokens.TableCell) =>
            // A heading without a text names nothing.
            tokens.length === 0 ? '<td></td>' : `<${tag}${scope}>${this.parser.parseInline(tokens)}</${tag}>`;
          return `<tr>${cells.map(cell).join('')}</tr>`;
        };
        const body = rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        // A comment is for people and tools that read the source.
        return /^<!--.*-->\s*$/s.test(text) ? '' : escaped(text);
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const sections = sectionsOf(marked, tokens);
  return { html: marked.parser(tokens), sections };
}
