/** What `Buffer.byteLength` is in Node: the build puts this in its place (see build.ts). */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
