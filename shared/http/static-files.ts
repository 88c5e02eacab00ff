import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { contentTypeOf } from './file-types.ts';
import { siteHeaders } from './site-headers.ts';

/** Files of `folder` are served under `prefix`, which starts and ends with a slash. */
export interface StaticRoot {
  readonly prefix: string;
  readonly folder: string;
  /** Resolves when the files exist, for a folder that is built after the start of the server. */
  readonly ready?: () => Promise<void>;
}

export interface StaticReply {
  readonly status: 200 | 301 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A file name with a hash of the contents, as console/build.ts writes it: the contents under this name never change. */
const hashedName = /-[0-9a-f]{8}\.[a-z0-9]+$/;

const absentFileCodes = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG']);

/**
 * The reply to GET for one path of the static site. The first root that contains the file applies, so files of an own
 * folder can override those of a package. A path with a final slash means its index.html; without the slash it is
 * redirected there (301). Never returns a file outside the folders (by `..`, encoded slashes or symbolic links) or a
 * dot file.
 *
 * @param roots where to look, in order
 * @param path the path of the request as sent: percent-encoded, without the query
 * @throws only errors of the file system for an existing file (EIO, for example)
 */
export async function staticFile(roots: readonly StaticRoot[], path: string): Promise<StaticReply> {
  const file = await find(roots, path);
  if (file) {
    const body = await readFile(file);
    const hash = createHash('sha256').update(body).digest('base64url');
    return reply(200, body, {
      ...(hashedName.test(file) ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : {}),
      'Content-Type': contentTypeOf(file),
      ETag: `"${hash.slice(0, 27)}"`,
    });
  }
  if (!path.endsWith('/') && (await find(roots, `${path}/`))) {
    return reply(301, '', { Location: `${path}/` });
  }
  return reply(404, 'Not found\n', { 'Content-Type': 'text/plain; charset=utf-8' });
}

function reply(status: StaticReply['status'], body: Buffer | string, headers: Record<string, string>): StaticReply {
  // no-cache: browsers may store it, but must revalidate it by its ETag, so that a page never mixes files of two
  // versions.
  return { status, headers: { ...siteHeaders, 'Cache-Control': 'no-cache', ...headers }, body: Buffer.from(body) };
}

async function find(roots: readonly StaticRoot[], path: string): Promise<string | undefined> {
  for (const { prefix, folder, ready } of roots) {
    const names = path.startsWith(prefix) ? fileNames(path.slice(prefix.length)) : undefined;
    if (names) await ready?.();
    const file = names && (await fileWithin(folder, names));
    if (file) return file;
  }
  return undefined;
}

/** The folder and file names of a path, decoded once; undefined when one of them is no plain name. */
function fileNames(path: string): string[] | undefined {
  const names = path.replace(/(^|\/)$/, '$1index.html').split('/');
  try {
    const decoded = names.map((name) => decodeURIComponent(name));
    return decoded.every(isPlainName) ? decoded : undefined;
  } catch {
    return undefined; // invalid percent-encoding
  }
}

function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\u0000-\u001f\u007f]/.test(name);
}

async function fileWithin(folder: string, names: readonly string[]): Promise<string | undefined> {
  try {
    const home = await realpath(folder);
    const file = await realpath(join(home, ...names));
    return file.startsWith(home + sep) && (await stat(file)).isFile() ? file : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && absentFileCodes.has(String(error.code))) return undefined;
    throw error;
  }
}
