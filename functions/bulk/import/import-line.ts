import type { ObjectLine } from '../../domain/bulk/inventory-line.ts';
import type { Entity } from '../../store/entities/entity.ts';

/** A line, and its object as it was when the import began; undefined when it was not there. */
export interface Planned {
  line: ObjectLine;
  seen: Entity | undefined;
}
