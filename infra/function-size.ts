/**
 * For endpoints and the authorizer, by measurement (docs/decisions/0010-memory.md). Lambda gives processor time by memory, so
 * that half of it makes a request twice as long and no cheaper, and a page of a list needs more than 200 MB.
 */
export const MEMORY_MB = 512;
