const encoder = new TextEncoder();

/** The length of a value as JSON in UTF-8. */
export const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length + 1;

/** Splits values, in their order, into lists that are below both limits. A value above the limit is a list of its own. */
export async function* pieces<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
  maxCount: number,
  maxBytes: number,
): AsyncGenerator<Value[], void, void> {
  let piece: Value[] = [];
  let bytes = 0;
  for await (const value of values) {
    const valueBytes = bytesOf(value);
    if (piece.length === maxCount || (piece.length > 0 && bytes + valueBytes > maxBytes)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(value);
    bytes += valueBytes;
  }
  if (piece.length > 0) yield piece;
}
