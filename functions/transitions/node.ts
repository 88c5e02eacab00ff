import type * as z from 'zod/mini';
import { applyChange, replaced } from '../domain/fields/merge-patch.ts';
import { changedNode as changedSchema, type nodeAddition, type nodeChange } from '../domain/node/schema.ts';
import { recordShape } from '../domain/fields/common-fields.ts';
import type { CreationContext } from './creation-context.ts';
import { newRecord } from '../domain/fields/record.ts';
import type { Node } from '../store/entities/entity.ts';
import type { Upsertion } from '../store/inventory/upsert.ts';

const kept = ['node_id', ...Object.keys(recordShape)];

/** The node that an add makes. */
export function newNode({ newId, now }: CreationContext, body: z.output<typeof nodeAddition>) {
  return { node_id: newId(), ...body, ...newRecord(now) };
}

/** What a change makes of a node. */
export function changedNode(old: Node, body: z.output<typeof nodeChange>) {
  return applyChange(changedSchema, old, body, kept);
}

/** What a declaration makes of a node. */
export function declaredNode(old: Node, body: z.output<typeof nodeAddition>) {
  return replaced(old, body, kept);
}

/** How a node comes to be what is declared. */
export function nodeUpsertion(
  creationContext: CreationContext,
  declared: z.output<typeof nodeAddition>,
): Upsertion<'node'> {
  return { add: () => newNode(creationContext, declared), next: (old) => declaredNode(old, declared) };
}
