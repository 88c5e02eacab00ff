import type * as z from 'zod/mini';
import { applyChange } from '../catalogue/change.ts';
import { recordShape } from '../catalogue/object-fields.ts';
import { serviceAddition, type serviceChange } from '../catalogue/service.ts';
import type { Making } from './making.ts';
import { newRecord } from '../table/record.ts';
import type { Service } from '../table/stored.ts';

const kept = ['service_id', ...Object.keys(recordShape)];

/** The service that an add makes. */
export function newService({ newId, now }: Making, body: z.output<typeof serviceAddition>) {
  return { service_id: newId(), ...body, ...newRecord(now) };
}

/** What a change makes of a service. */
export function changedService(old: Service, body: z.output<typeof serviceChange>) {
  return applyChange(serviceAddition, old, body, kept);
}
