import type * as z from 'zod/mini';
import type { removalSchema } from '../../functions/domain/records/removal.ts';

export type Removal = z.output<typeof removalSchema>;
export type RemovedObject = Removal['objects'][number];

const kinds = ['node', 'service', 'agent'] as const;

/** Objects before those that run on them. */
export function inOrder(objects: readonly RemovedObject[]): RemovedObject[] {
  return objects.toSorted((left, other) => kinds.indexOf(left.kind) - kinds.indexOf(other.kind));
}

/** Agents have no names: the start of the id distinguishes several of one type. */
export const nameOfRemoved = ({ kind, id, name }: RemovedObject): string =>
  kind === 'agent' ? `${name} ${id.slice(0, 8)}` : name;

export const latestFirst = (left: Removal, other: Removal) => other.removed_at.localeCompare(left.removed_at);

export interface RequestRemovals {
  request_id: string;
  /** The last one first. */
  removals: readonly [Removal, ...Removal[]];
  objects: readonly RemovedObject[];
}

/** @param removals the last one first. */
export function byRequest(removals: readonly Removal[]): RequestRemovals[] {
  return [...Map.groupBy(removals, ({ request_id: id }) => id)].flatMap(([id, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            request_id: id,
            removals: [first, ...others] as const,
            objects: inOrder([first, ...others].flatMap(({ objects }) => objects)),
          },
        ],
  );
}
