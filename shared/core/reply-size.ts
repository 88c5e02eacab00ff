/**
 * The most bytes that the parts of a reply may have together. The result of a Lambda function may have 6 MB
 * (shared/http/carry.ts); the rest is for what the reply contains besides.
 */
export const MAX_REPLY_BYTES = 5_000_000;

/** The size of JSON in the result of a function, where the body is a string and is escaped once more. */
export const jsonBytesInReply = (json: string) => Buffer.byteLength(JSON.stringify(json));

/** The same for a part of a reply. */
const bytesInReply = (part: unknown) => jsonBytesInReply(JSON.stringify(part));

/** How many of the parts, from the first one, fit into one reply; at least one. */
export function fitting(parts: readonly unknown[]): number {
  let bytes = 0;
  const tooMany = parts.findIndex((part, index) => {
    bytes += bytesInReply(part);
    return bytes > MAX_REPLY_BYTES && index > 0;
  });
  return tooMany === -1 ? parts.length : tooMany;
}
