import type { ObjectLine } from '../../catalogue/inventory-line.ts';
import type { Stored } from '../../table/stored.ts';

/** A line, and its object as it was when the import began; undefined when it was not there. */
export interface Planned {
  line: ObjectLine;
  seen: Stored | undefined;
}
