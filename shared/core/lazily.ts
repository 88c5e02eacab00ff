/** The value that `make` returns, made at the first call: for what takes long to create and is rarely used. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
