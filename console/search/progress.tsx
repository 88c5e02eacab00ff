const format = new Intl.NumberFormat('en');

/** `20,000` */
export const countText = (count: number): string => format.format(count);

/** The share of the inventory that has been read. */
export function readingText({ read, total }: { read: number; total: number | undefined }): string {
  const of = total === undefined ? '' : ` of ${countText(Math.max(read, total))}`;
  return `Reading the inventory: ${countText(read)}${of} objects`;
}
