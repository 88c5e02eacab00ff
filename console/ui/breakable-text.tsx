/** Room for an IPv6 address with a port. Longer words break anywhere, as a column cannot be wide enough for them. */
const MAX_WHOLE = 48;

/** A name or an address in a column: lines end at a space or after a hyphen, as far as there can be room for that. */
export function Words({ text }: { text: string }) {
  const isWhole = text.split(/[\s-]+/).every((word) => word.length <= MAX_WHOLE);
  return <span className={isWhole ? 'whole-words' : 'any-word'}>{text}</span>;
}
