import { renderMermaidSVG } from 'beautiful-mermaid';

/**
 * Draws a Mermaid diagram. Its colours are the variables of documents.css, because the Content-Security-Policy of the site
 * allows no style in a page.
 *
 * @param number distinguishes the diagrams of a page: ids are unique in a page.
 */
export function diagramOf(mermaid: string, number: number): string {
  const drawn = renderMermaidSVG(mermaid, { padding: 8, nodeSpacing: 20, layerSpacing: 36 });
  const [start = ''] = /<svg[^>]*>/.exec(drawn) ?? [];
  const [, viewBox, width, height] = /viewBox="([^"]+)" width="([^"]+)" height="([^"]+)"/.exec(start) ?? [];
  return drawn
    .replace(start, `<svg class="diagram" viewBox="${viewBox}" width="${width}" height="${height}">`)
    .replace(/<style>[\s\S]*?<\/style>\n?/, '')
    .replace(/(\bid="|url\(#)(?=arrowhead)/g, `$1diagram-${number}-`);
}
