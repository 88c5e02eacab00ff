import * as z from 'zod/mini';
import { MAX_TARGET_BYTES } from '../../domain/discovery/target-labels.ts';
import { type Entity, idOf } from '../entities/entity.ts';
import { scrapedPort } from '../lists/scrape-target.ts';

/** Bytes of a target besides those of its objects: address, job, scheme, braces. */
const TARGET_BYTES = 330;

/** An id in a list of several objects. */
const ID_BYTES = 37;

const sumSchema = z.object({ bytes: z.number(), objects: z.int() });

const noObjects = () => ({ bytes: 0, objects: 0 });

export const listSizeSchema = z.object({ bytes: z.number(), node: sumSchema, service: sumSchema });

/** The state that a part of a count leaves to the next one. */
export type ListSizeState = z.output<typeof listSizeSchema>;

export const newListSize = (): ListSizeState => ({ bytes: 0, node: noObjects(), service: noObjects() });

/**
 * Estimates the size of the list of all targets, as discovery returns it without a selector and without gzip, from the sizes of all
 * objects: nodes first, then services, then agents. Of nodes and services that another part of the count has read, the mean is
 * known.
 */
export class ListSize {
  readonly #state: ListSizeState;
  readonly #bytes = new Map<string, number>();

  constructor(state: ListSizeState) {
    this.#state = structuredClone(state);
  }

  /** @param bytes that the object adds to a target (`labelBytesOf`). */
  add(entity: Entity, bytes: number, reportedPorts: ReadonlyMap<string, number>): void {
    const { kind, object } = entity;
    if (kind !== 'agent') {
      this.#bytes.set(idOf(entity), bytes);
      this.#state[kind].bytes += bytes;
      this.#state[kind].objects += 1;
    } else if (scrapedPort(object, reportedPorts) !== undefined) {
      const { runs_on_node_id: host, insights } = object;
      const nodes = host === undefined ? insights.node_ids.slice(0, 1) : [host];
      const others = insights.node_ids.filter((id) => id !== host && host !== undefined);
      const all = this.#of('node', nodes) + this.#of('node', others) + this.#of('service', insights.service_ids);
      this.#state.bytes += Math.min(TARGET_BYTES + bytes + all, MAX_TARGET_BYTES);
    }
  }

  get state(): ListSizeState {
    return this.#state;
  }

  /** Of several objects, a target shows what they have in common, and their ids. */
  #of(kind: 'node' | 'service', ids: readonly string[]): number {
    if (ids.length === 0) return 0;
    const { bytes, objects } = this.#state[kind];
    const mean = objects === 0 ? 0 : bytes / objects;
    const least = Math.min(...ids.map((id) => this.#bytes.get(id) ?? mean));
    return ids.length === 1 ? least : least + ids.length * ID_BYTES;
  }
}
