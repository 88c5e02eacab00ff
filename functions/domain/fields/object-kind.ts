import { openEnum } from './open-enum.ts';

/** The kinds of objects. No object refers to one of a later kind. */
export const objectKinds = ['node', 'service', 'agent'] as const;

export type ObjectKind = (typeof objectKinds)[number];

/** The kind of an object in a reply. */
export const objectKind = openEnum(objectKinds, 'Kind of the object.');
