import * as z from 'zod/mini';

/** One of several disjoint parts that together are everything. */
export interface Shard {
  /** From 0. */
  index: number;
  count: number;
}

/** 64 parts of 6,500 targets are 400,000. */
export const MAX_SHARDS = 64;

/** The shard in a text such as `3/16`; undefined for any other text. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(0|[1-9][0-9]?)\/([1-9][0-9]?)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.count <= MAX_SHARDS && shard.index < shard.count ? shard : undefined;
}

/** A shard in a query string. */
export const shardParameter = z.pipe(
  z.transform((value, { issues }) => {
    const shard = typeof value === 'string' ? parseShard(value) : undefined;
    if (shard !== undefined) return value;
    const message = `Must be the number of a part and the number of parts: 0/1 to ${MAX_SHARDS - 1}/${MAX_SHARDS}, the first below the second.`;
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_format' } });
    return z.NEVER;
  }),
  z.string().check(
    z.maxLength(5),
    z.meta({
      description:
        'Only one of several disjoint parts of the targets: `0/16` is the first of 16 and `15/16` the last. ' +
        `At most ${MAX_SHARDS} parts.`,
    }),
  ),
);
