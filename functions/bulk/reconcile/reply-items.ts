import type * as z from 'zod/mini';
import { MAX_REPLY_BYTES } from '../../domain/bulk/limits.ts';
import type { reconcileReply } from '../../domain/bulk/reconcile-reply.ts';
import type { Step } from './plan/step.ts';

export type Reply = z.input<typeof reconcileReply>;
export type Item = Reply['items'][number];

/** A step as an item of a reply. */
export function toItemReply({ action, kind, named, id, old }: Step) {
  return {
    action,
    kind,
    ...named,
    ...(old === undefined ? {} : { id, revision: old.object.revision }),
  };
}

/** The size of a value in a Lambda reply, where the body is a string and is escaped once more. */
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** As many items as fit into one reply. */
export function fitReply(items: readonly Item[]): Pick<Reply, 'items' | 'items_left_out'> {
  let bytes = 0;
  const tooMany = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > MAX_REPLY_BYTES;
  });
  if (tooMany === -1) return { items: [...items] };
  return { items: items.slice(0, tooMany), items_left_out: items.length - tooMany };
}
