import { type Condition, equals } from '../../../shared/db/conditions.ts';
import type { Entity } from './entity.ts';

/**
 * Holds while the stored object is the one that was read. Its revision alone does not tell: an object that is removed and
 * imported again can have the same id and revision, but another owner. The id of its last change is never used twice.
 * Items from before that id have their revision only.
 */
export const isAsRead = ({ object: { last_change: last, revision } }: Entity): Condition =>
  last === undefined ? equals('revision', revision) : equals('last_change', last);
