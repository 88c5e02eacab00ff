import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { versionOf } from './build-version.ts';

const root = new URL('../../', import.meta.url);

const packageSchema = z.object({ version: z.string() });

export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  readonly time: string;
}

/** The commit of this checkout; `unknown` without git. */
async function commitOf(): Promise<Pick<BuildInfo, 'commit' | 'time'>> {
  try {
    const { stdout } = await promisify(execFile)('git', ['log', '-1', '--format=%H %cI'], { cwd: root });
    const [commit = '', time = ''] = stdout.trim().split(' ');
    return { commit, time: new Date(time).toISOString() };
  } catch {
    return { commit: 'unknown', time: new Date().toISOString() };
  }
}

/** The present build, as `GET /v1/version` states it: its version, and the present commit with its time. */
export async function buildInfo(): Promise<BuildInfo> {
  const [text, { commit, time }] = await Promise.all([readFile(new URL('package.json', root), 'utf8'), commitOf()]);
  const { version } = z.parse(packageSchema, JSON.parse(text));
  return { version: versionOf(version, commit), commit, time };
}
