import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { blocksIn } from '../support/fenced-blocks.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A block of a document that somebody who follows a way uses as it is. The comment before it is its name: `<!-- way first: key -->`. */
export interface Step {
  name: string;
  /** Relative to the root. */
  document: string;
  /** The line of the document on which the code begins, from 1. */
  line: number;
  /** Of the block. */
  language: string;
  code: string;
}

const COMMENT = /^way (\S+): (\S+)$/;

/** The steps of a way in all documents, by name. @throws Error if two have one name. */
export async function stepsOf(way: string): Promise<Map<string, Step>> {
  const names = await readdir(join(root, 'docs'));
  const documents = ['README.md', ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  const steps = new Map<string, Step>();
  for (const document of documents)
    for (const { comment = '', line, language, code } of blocksIn(await readFile(join(root, document), 'utf8'))) {
      const [, of, name = ''] = COMMENT.exec(comment) ?? [];
      if (of !== way) continue;
      if (steps.has(name)) throw new Error(`${document}:${line}: the way ${way} has two steps ${name}.`);
      steps.set(name, { name, document, line, language, code });
    }
  return steps;
}

/**
 * The commands as a script of bash that ends at the first command that fails, and prints where the document has it. Lines
 * have the numbers that they have in the document, also in the messages of bash.
 */
export const scriptOf = ({ document, line, code }: Step): string =>
  `set -Eeuo pipefail; trap 'echo "${document}:$LINENO: this command failed: $BASH_COMMAND" >&2' ERR${'\n'.repeat(line - 1)}${code}`;

/** How many commands somebody copies for a step: a command over several lines is one, and so is a file. */
export function commandsIn({ code, language }: Step): number {
  if (language !== 'sh' || code.startsWith('#!')) return 1;
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((text) => /^[^\s#})]/.test(text)).length;
}
