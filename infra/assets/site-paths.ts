import { siteRoots } from './site-roots.ts';

interface ViewerRequest {
  request: { uri: string };
}

interface Redirect {
  statusCode: number;
  statusDescription: string;
  headers: { location: { value: string } };
}

/**
 * The file for a URL of the site, as on the local server: a folder means its index.html, and a folder without a final
 * slash is redirected. CloudFront runs the source of this function: it must not use anything outside itself, and only
 * the JavaScript of
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export function sitePath(event: ViewerRequest, folders: readonly string[]): ViewerRequest['request'] | Redirect {
  const request = event.request;
  const uri = request.uri;
  if (folders.includes(uri))
    return { statusCode: 301, statusDescription: 'Moved Permanently', headers: { location: { value: uri + '/' } } };
  if (uri.endsWith('/')) request.uri = uri + 'index.html';
  return request;
}

/** The folders with a page: the prefixes of the parts of the site, without the final slash. */
const folders = [...new Set(siteRoots.map(({ prefix }) => prefix.slice(0, -1)))].filter((folder) => folder !== '');

/** The source for requests. Node replaces types by blanks, so the text of the function is JavaScript. */
export const sitePathSource = `${sitePath.toString()}
function handleRequest(event) {
  return sitePath(event, ${JSON.stringify(folders)});
}
`;
