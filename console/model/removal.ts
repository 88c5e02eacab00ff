import type * as z from 'zod/mini';
import type { removalSchema } from '../../functions/domain/records/removal.ts';

export type Removal = z.output<typeof removalSchema>;
export type RemovedObject = Removal['objects'][number];

const kinds = ['node', 'service', 'agent'] as const;

/** Objects before those that run on them. */
export function inOrder(objects: readonly RemovedObject[]): RemovedObject[] {
  return objects.toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

/** Agents have no names: the start of the id distinguishes several of one type. */
export const nameOfRemoved = ({ kind, id, name }: RemovedObject): string =>
  kind === 'agent' ? `${name} ${id.slice(0, 8)}` : name;
