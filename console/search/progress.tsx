import { numberText } from '../ui/words.ts';

/** The share of the inventory that has been read. */
export function readingText({ read, total }: { read: number; total: number | undefined }): string {
  const of = total === undefined ? '' : ` of ${numberText(Math.max(read, total))}`;
  return `Reading the inventory: ${numberText(read)}${of} objects`;
}
