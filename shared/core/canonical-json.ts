/** JSON with sorted field names: a program may send the same fields in another order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner !== 'object' || inner === null || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
}
