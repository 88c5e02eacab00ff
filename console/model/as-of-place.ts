import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { href } from '../ui/address.ts';

/** The time of a page, as in its address. */
export interface PastQuery {
  /** Undefined: now. */
  time?: string | undefined;
  /** Of a removed object: the change that removed it. */
  removal?: string | undefined;
}

/** The address of an object as of a time. */
export const asOfPlace = (kind: ObjectKind, id: string, query: PastQuery = {}) =>
  href([`${kind}s`, id, 'as-of'], { ...query });
