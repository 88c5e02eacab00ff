import { readFile } from 'node:fs/promises';
import { bodyOfOptions } from '../command/body-flags.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import type { KindName } from '../objects/objects.ts';
import { type Fields, isFields } from '../core/values.ts';
import type { World } from '../core/world.ts';

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

export const fileOption: OptionSpec = {
  flags: '-f, --file <file>',
  description: 'YAML or JSON file with fields; options precede it; - is the standard input',
};

async function fieldsOfFile(file: string, world: World): Promise<Fields> {
  const stored = await readYaml(file, world);
  if (!isFields(stored)) throw new CommandError(`${file} contains no object.`);
  return stored;
}

/** The fields that a command has for an object: those of its file, and of its options, which precede them. */
export async function bodyOfCall(
  kind: KindName,
  { options, world }: Pick<CommandCall, 'options' | 'world'>,
  isChange = false,
): Promise<Fields> {
  const file = options.text('file');
  const stored = file === undefined ? {} : await fieldsOfFile(file, world);
  const given = bodyOfOptions(kind, options, isChange);
  const labels = {
    ...(isFields(stored['custom_labels']) ? stored['custom_labels'] : {}),
    ...(isFields(given['custom_labels']) ? given['custom_labels'] : {}),
  };
  return { ...stored, ...given, ...(Object.keys(labels).length === 0 ? {} : { custom_labels: labels }) };
}
