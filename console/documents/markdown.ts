import { Marked, type Tokens } from 'marked';
import { fragmentOf } from '../../shared/openapi/markdown.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface DocumentHtml {
  html: string;
  /** The fragments of its headings. */
  fragments: readonly string[];
}

/**
 * Renders a document. Everything works under the Content-Security-Policy of the site: no inline style or script, and raw
 * HTML of the document is shown as text.
 *
 * @param addressOf where a link leads; undefined for a file that the site does not have. Its text then stands alone.
 */
export function render(markdown: string, addressOf: (link: string) => string | undefined): DocumentHtml {
  const fragments: string[] = [];
  /** A heading that is repeated has a number, as on GitHub. */
  const uniqueFragmentOf = (text: string): string => {
    const slug = fragmentOf(text);
    const count = fragments.filter((one) => one === slug || new RegExp(`^${slug}-[0-9]+$`).test(one)).length;
    const fragment = count === 0 ? slug : `${slug}-${count}`;
    fragments.push(fragment);
    return fragment;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
        return `<h${depth} id="${escaped(uniqueFragmentOf(plain))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
      // Wide code and tables scroll by themselves, and the keyboard reaches what scrolls.
      code({ text, lang = '' }: Tokens.Code) {
        const label = lang === 'mermaid' ? 'Diagram, as Mermaid text' : 'Code';
        return `<pre tabindex="0" role="region" aria-label="${label}"><code>${escaped(text)}</code></pre>\n`;
      },
      table({ header, rows }: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') => {
          const scope = tag === 'th' ? ' scope="col"' : '';
          return `<tr>${cells.map(({ tokens }) => `<${tag}${scope}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        };
        const body = rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        // A comment is for people and tools that read the source.
        return /^<!--.*-->\s*$/s.test(text) ? '' : escaped(text);
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, fragments };
}
