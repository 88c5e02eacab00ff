import type { ObjectLine } from '../../domain/bulk/inventory-line.ts';
import type { Entity } from '../../store/entities/entity.ts';

/** A line, and its object as stored when the import began; undefined when it did not exist. */
export interface LineWithObject {
  line: ObjectLine;
  seen: Entity | undefined;
}
