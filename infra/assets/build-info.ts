import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const root = new URL('../../', import.meta.url);

const packageSchema = z.object({ version: z.string() });

/** The commit of this checkout; `unknown` without git. */
async function commitOf(): Promise<{ commit: string; time: string }> {
  try {
    const { stdout } = await promisify(execFile)('git', ['log', '-1', '--format=%H %cI'], { cwd: root });
    const [commit = '', time = ''] = stdout.trim().split(' ');
    return { commit, time: new Date(time).toISOString() };
  } catch {
    return { commit: 'unknown', time: new Date().toISOString() };
  }
}

/** The reply of `GET /v1/version`: the version of package.json, and the present commit with its time. */
export async function buildInfo(): Promise<{ version: string; commit: string; time: string }> {
  const [text, commit] = await Promise.all([readFile(new URL('package.json', root), 'utf8'), commitOf()]);
  return { version: z.parse(packageSchema, JSON.parse(text)).version, ...commit };
}
