import { createHash } from 'node:crypto';
import { siteHeaders } from '../../../shared/http/site-headers.ts';

const STYLE = `:root { color-scheme: light dark; font-family: system-ui, sans-serif }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.5; background: Canvas }
li { margin: 0.5rem 0 }`;

const styleSource = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Nothing is loaded, and no script runs. */
const headers = {
  ...siteHeaders,
  'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
} as const;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface PageLink {
  text: string;
  address: string;
  /** Follows the link. */
  note?: string;
}

export interface PageContent {
  status: number;
  heading: string;
  sentences?: readonly string[];
  links?: readonly PageLink[];
}

const itemOf = ({ text, address, note }: PageLink) =>
  `<li><a href="${escaped(address)}">${escaped(text)}</a>${note === undefined ? '' : ` (${escaped(note)})`}</li>`;

/** A page without scripts, as the reply to a request. */
export function pageReply({ status, heading, sentences = [], links = [] }: PageContent) {
  const list = links.length === 0 ? '' : `<ul>${links.map(itemOf).join('')}</ul>`;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
${sentences.map((sentence) => `<p>${escaped(sentence)}</p>`).join('\n')}
${list}
</main>
</body>
</html>
`;
  return { statusCode: status, headers: { ...headers }, body };
}
