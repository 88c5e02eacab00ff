/**
 * For endpoints and the authorizer, by measurement (docs/decisions/0010-memory.md). Lambda provides CPU in proportion
 * to memory: half of the memory makes a request take twice as long at the same cost. A page of a list needs more than
 * 200 MB.
 */
export const MEMORY_MB = 512;

/** Of the probe, whose time waits for replies: little processor time suffices. */
export const PROBE_MEMORY_MB = 256;
