import type * as z from 'zod/mini';
import { applyChange, replaced } from '../domain/fields/merge-patch.ts';
import { recordFields } from '../domain/fields/common-fields.ts';
import { checkNewValues } from '../domain/fields/stored-values.ts';
import { serviceAddition, type serviceChange, serviceOrStored } from '../domain/service/schema.ts';
import type { CreationContext } from './creation-context.ts';
import { newRecord } from '../domain/fields/record.ts';
import type { Service } from '../store/entities/entity.ts';
import type { Upsertion } from '../store/inventory/upsert.ts';

const kept = ['service_id', ...recordFields];

export function newService({ newId, now }: CreationContext, body: z.output<typeof serviceAddition>) {
  return { service_id: newId(), ...body, ...newRecord(now) };
}

export function changedService(old: Service, body: z.output<typeof serviceChange>) {
  return applyChange(serviceOrStored, old, body, kept);
}

/** The same nodes in another order are no change. */
function inKnownOrder(stored: readonly string[], declared: readonly string[]): readonly string[] {
  const isSame = stored.length === declared.length && declared.every((id) => stored.includes(id));
  return isSame ? stored : declared;
}

/** The new state of a declared service: the declaration replaces all fields except the identity and the record. */
export function declaredService(old: Service, body: z.output<typeof serviceAddition>) {
  return replaced(old, { ...body, node_ids: inKnownOrder(old.node_ids, body.node_ids) }, kept);
}

/** How a declared service is added or changed. */
export function serviceUpsertion(
  creationContext: CreationContext,
  declared: z.output<typeof serviceAddition>,
): Upsertion<'service'> {
  return {
    add: () => {
      checkNewValues(serviceAddition, declared);
      return newService(creationContext, declared);
    },
    next: (old) => {
      checkNewValues(serviceAddition, declared, old);
      return declaredService(old, declared);
    },
  };
}
