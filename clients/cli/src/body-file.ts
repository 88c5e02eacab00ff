import { readFile } from 'node:fs/promises';
import { CommandError } from './exit-codes.ts';
import type { World } from './world.ts';

/** The text of a file; `-` is the standard input. */
export async function readText(path: string, world: World): Promise<string> {
  try {
    return path === '-' ? await world.readInput() : await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** The message of an error of YAML. That of the parser about several documents names a function of the parser. */
export const yamlMessage = ({ code, message }: { code: string; message: string }): string =>
  code === 'MULTIPLE_DOCS' ? 'Another document begins here. Write it into a file of its own.' : message;

/** The value of a file in YAML, of which JSON is a part. @throws CommandError with the line of the error. */
export async function readYaml(path: string, world: World): Promise<unknown> {
  const { parse, YAMLParseError } = await import('yaml');
  try {
    return parse(await readText(path, world));
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new CommandError(`${path}:${error.linePos?.[0].line ?? 1}: ${yamlMessage(error)}`);
  }
}
