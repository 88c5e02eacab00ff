import type * as z from 'zod/mini';
import { applyChange, replaced } from '../domain/fields/merge-patch.ts';
import { checkNewValues } from '../domain/fields/stored-values.ts';
import { nodeAddition, type nodeChange, nodeOrStored } from '../domain/node/schema.ts';
import { recordFields } from '../domain/fields/common-fields.ts';
import type { CreationContext } from './creation-context.ts';
import { newRecord } from '../domain/fields/record.ts';
import type { Node } from '../store/entities/entity.ts';
import type { Upsertion } from '../store/inventory/upsert.ts';

const kept = ['node_id', ...recordFields];

export function newNode({ newId, now }: CreationContext, body: z.output<typeof nodeAddition>) {
  return { node_id: newId(), ...body, ...newRecord(now) };
}

export function changedNode(old: Node, body: z.output<typeof nodeChange>) {
  return applyChange(nodeOrStored, old, body, kept);
}

/** The new state of a declared node: the declaration replaces all fields except the identity and the record. */
export function declaredNode(old: Node, body: z.output<typeof nodeAddition>) {
  return replaced(old, body, kept);
}

/** How a declared node is added or changed. */
export function nodeUpsertion(
  creationContext: CreationContext,
  declared: z.output<typeof nodeAddition>,
): Upsertion<'node'> {
  return {
    add: () => {
      checkNewValues(nodeAddition, declared);
      return newNode(creationContext, declared);
    },
    next: (old) => {
      checkNewValues(nodeAddition, declared, old);
      return declaredNode(old, declared);
    },
  };
}
