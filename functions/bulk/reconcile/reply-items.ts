import type * as z from 'zod/mini';
import { fitting } from '../../../shared/core/reply-size.ts';
import type { reconcileReply } from '../../domain/bulk/reconcile-reply.ts';
import type { Step } from './plan/step.ts';

export type Reply = z.input<typeof reconcileReply>;
export type Item = Reply['items'][number];

export function toItemReply({ action, kind, named, id, old }: Step) {
  return {
    action,
    kind,
    ...named,
    ...(old === undefined ? {} : { id, revision: old.object.revision }),
  };
}

/** As many items as fit into one reply. */
export function fitReply(items: readonly Item[]): Pick<Reply, 'items' | 'items_left_out'> {
  const shown = fitting(items);
  if (shown === items.length) return { items: [...items] };
  return { items: items.slice(0, shown), items_left_out: items.length - shown };
}
