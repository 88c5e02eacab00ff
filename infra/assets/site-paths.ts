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
 * Which file a URL of the site stands for, as the local server has it: a folder is its index.html, and a folder without the
 * slash at its end is sent there. Runs at CloudFront, which takes the source of this very function: it must not use anything
 * outside itself, and only the JavaScript of
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

/** Folders with a page: where parts of the site are mounted, without the slash at the end. */
const folders = [...new Set(siteRoots.map(({ prefix }) => prefix.slice(0, -1)))].filter((folder) => folder !== '');

/** The source for CloudFront. Node has only blanked the types out, so that the function's text is JavaScript. */
export const sitePathCode = `${sitePath.toString()}
function handler(event) {
  return sitePath(event, ${JSON.stringify(folders)});
}
`;
