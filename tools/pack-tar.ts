import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Packs the content of a folder into a `.tar.gz`, with GNU tar. The bytes depend on the names, the modes, the contents and the time alone.
 *
 * @param time of every file.
 */
export async function packTar(content: string, target: string, time: Date): Promise<void> {
  const tar = ['--sort=name', `--mtime=@${time.getTime() / 1000}`, '--owner=0', '--group=0', '--numeric-owner'];
  // gzip reads from a pipe, so that it writes no name and no time. ansible-galaxy finds names without `./` only.
  const script = 'set -o pipefail; target=$1; shift; tar "$@" -cf - -- * | gzip -9n > "$target"';
  await promisify(execFile)('bash', ['-c', script, 'pack', target, ...tar, '--format=ustar'], { cwd: content });
}
