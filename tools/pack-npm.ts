import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';

const packedSchema = z.tuple([z.object({ filename: z.string() })]);

/** Packs a folder with a manifest. npm writes the same bytes for the same files. @returns the packed file in `target`. */
export async function packNpm(content: string, target: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: content,
  });
  const [{ filename }] = z.parse(packedSchema, JSON.parse(stdout));
  return join(target, filename);
}
