import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A test that failed, and passed when its file ran once more alone. */
export interface UnstableTest {
  /** From the root. */
  readonly file: string;
  readonly test: string;
}

/** More than these, and a failure says nothing any more. */
const MAX_ENTRIES = 10;

const LIST = fileURLToPath(new URL('../unstable.md', import.meta.url));

const row = /^\| `([^`]+)` \| (.+?) \| .* \| .* \|$/;

/** The entries of the list, a row each. */
export function parseUnstable(text: string): UnstableTest[] {
  return text.split('\n').flatMap((line) => {
    const [, file, test] = row.exec(line) ?? [];
    return file === undefined || test === undefined ? [] : [{ file, test }];
  });
}

/** Text as a cell of a table. */
const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();

/** A row of the list, without the suspected cause, which a person adds. */
export const unstableRow = ({ file, test }: UnstableTest, logLine: string): string =>
  `| \`${file}\` | ${cell(test)} | ${cell(logLine).slice(0, 200)} |  |`;

export const listedUnstable = (): UnstableTest[] => parseUnstable(readFileSync(LIST, 'utf8'));

/**
 * Decides whether a file that passed when it was repeated has passed.
 *
 * @param tests those that failed at first.
 * @param listed the entries of the list, and what this run added to it.
 * @returns the reason why it has not.
 */
export function whyNotAccepted(tests: readonly UnstableTest[], listed: readonly UnstableTest[]): string | undefined {
  const again = tests.find(({ file, test }) =>
    listed.some((entry) => entry.file === file && entry.test === cell(test)),
  );
  if (again !== undefined) return `"${again.test}" is in tests/unstable.md, and was unstable again. Mend its cause.`;
  if (listed.length + tests.length > MAX_ENTRIES)
    return `tests/unstable.md would have more than ${MAX_ENTRIES} entries. Mend the cause of some.`;
  return undefined;
}
