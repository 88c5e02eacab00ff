/**
 * The parts of a name or an address between which a line may end besides spaces and hyphens: the labels of a host name, and words
 * that underscores join. `db-1.example.net:3306` is `db-1.`, `example.` and `net:3306`; numbers, as of an IPv4 address, are one part.
 */
export const partsOf = (text: string): string[] => text.split(/(?<=[._])(?=\p{L})/u);
