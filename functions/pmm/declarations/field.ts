import type { EnumerationName } from './enums.ts';

/** The kinds of ids: generation 2 writes each with a prefix. */
export type IdType = 'node_id' | 'service_id' | 'agent_id';

export type WireType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'duration'
  | 'strings'
  | 'labels'
  | 'map'
  | 'resolutions'
  | 'rta_options'
  | IdType
  | EnumerationName;

/** A field of a message of PMM, and the field of our object that it is. */
export interface Field {
  type: WireType;
  /** Its name in a request that adds the object; undefined: that request has no such field. */
  add?: string;
  /** Its name in a request that changes the object. */
  change?: string;
  /** Its name in replies. */
  reply?: string;
  /**
   * The field of our object. Undefined: a reply contains the value zero, because it is a credential or something that
   * only a PMM server knows.
   */
  native?: string;
  /** Our field is a list, and PMM knows its first entry. */
  isFirst?: true;
  /** Our field is the opposite. */
  isInverse?: true;
  /** A reply states whether our number is negative. */
  isNegative?: true;
  /** White space around the text is removed, as PMM does. */
  isTrimmed?: true;
  /** An add must contain it. */
  isRequired?: true;
  /** PMM wants a UUID in an add, and says so also if the field is absent. */
  isUuid?: true;
  /** Is accepted and discarded: no credential is stored, logged or returned. */
  isCredential?: true;
}

/** A field that has one name everywhere, which is ours too. */
export const field = (name: string, type: WireType, more: Partial<Field> = {}): Field => ({
  type,
  add: name,
  change: name,
  reply: name,
  native: name,
  ...more,
});

/** A field that only replies contain. */
export const inReply = (name: string, type: WireType, native?: string): Field => ({
  type,
  reply: name,
  ...(native === undefined ? {} : { native }),
});

/** A field that requests may contain and that has no effect. */
export const discarded = (name: string, type: WireType, more: Partial<Field> = {}): Field => ({
  type,
  add: name,
  change: name,
  ...more,
});

export const credential = (name: string, type: WireType = 'string'): Field =>
  discarded(name, type, { isCredential: true });

/** The field in an add only. */
export const notInChange = ({ change: _, ...rest }: Field): Field => rest;

export const required = (of: Field): Field => ({ ...of, isRequired: true });
