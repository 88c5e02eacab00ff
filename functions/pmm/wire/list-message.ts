import { isRecord } from '../../../shared/db/item.ts';
import { sharedFairly } from '../../../shared/core/fair-shares.ts';
import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { MAX_RESULT_BYTES } from '../../../shared/http/carry.ts';
import type { Generation } from '../declarations/enums.ts';
import type { Fields } from './input.ts';
import { shown } from './message.ts';

/** An object of at most this size keeps all its values: a usual message has 300 to 1,700, agents of services left out. */
export const LEAST_OBJECT_BYTES = 2000;

/**
 * The label that states how many values an object lacks. Labels of clients cannot begin with two underscores: one that writes back the
 * labels which it has read is refused, so that it removes none.
 */
export const DROPPED = '__dropped_values__';

/** An object is named, reached and related by these. Ids, types, times and states are short. */
const KEPT = new Set(['node_name', 'service_name', 'address', 'socket', 'node_ids']);

const SHORT = 64;

/** The size of an object in a list, which it has two levels deep. */
const bytesInList = (object: Fields): number => jsonBytesInReply(JSON.stringify([[object]], null, 2));

const bytesOf = (...values: unknown[]) => jsonBytesInReply(JSON.stringify(values));

/** An agent as the list of nodes shows it. */
export const agentInShort = ({ agent_id, agent_type, status, is_connected }: Fields): Record<string, unknown> => ({
  ...{ agent_id, agent_type, status, is_connected },
});

const labelsOf = ({ custom_labels: labels }: Fields): Fields => (isRecord(labels) ? labels : {});

/** The value zero of a long text or a list of texts, which an object can lack. */
function zeroOf(name: string, value: unknown): '' | [] | undefined {
  if (KEPT.has(name)) return undefined;
  if (typeof value === 'string' && value.length > SHORT) return '';
  return Array.isArray(value) && typeof value[0] === 'string' ? [] : undefined;
}

/** The values that an object can lack, the largest first. Its owner stays, because it decides on the share. */
function droppable(object: Fields, ownerLabel: string) {
  const values = Object.entries(object).flatMap(([name, value]) => {
    if (name === ownerLabel) return [];
    const zero = zeroOf(name, value);
    return zero === undefined ? [] : [{ name, zero, bytes: bytesOf(value) - bytesOf(zero) }];
  });
  const labels = Object.entries(labelsOf(object)).flatMap(([name, value]) =>
    name === DROPPED || name === ownerLabel ? [] : [{ name, zero: undefined, bytes: bytesOf(name, value) - bytesOf() }],
  );
  return [...values, ...labels].sort((left, other) => other.bytes - left.bytes || (left.name < other.name ? -1 : 1));
}

/**
 * An object, or the message of one, of at most this size in a list, if this suffices: its agents are in short, and its largest labels,
 * texts and lists of texts are absent.
 */
export function withoutLargest(object: Fields, most: number, ownerLabel: string): Record<string, unknown> {
  const { agents } = object;
  const next: Record<string, unknown> = {
    ...object,
    ...(Array.isArray(agents) ? { agents: agents.map(agentInShort) } : {}),
  };
  let bytes = bytesInList(next);
  if (bytes <= most) return next;
  const labels: Record<string, unknown> = { ...labelsOf(object) };
  let dropped = Number(labels[DROPPED] ?? 0);
  bytes += bytesOf(DROPPED, '999');
  for (const { name, zero, bytes: saved } of droppable(object, ownerLabel)) {
    if (bytes <= most) break;
    if (zero === undefined) Reflect.deleteProperty(labels, name);
    else next[name] = zero;
    bytes -= saved;
    dropped += 1;
  }
  return dropped === 0 ? next : { ...next, custom_labels: { ...labels, [DROPPED]: String(dropped) } };
}

/** Where the objects of a list state their owner: in an attribute, or in a custom label. */
export interface OwnerField {
  ownerLabel: string;
  isAttribute: boolean;
}

/** The owner of an object; without one its node, its agent process, or itself. */
function sharerOf(object: Fields, { ownerLabel, isAttribute }: OwnerField): string {
  const { node_id, node_ids, runs_on_node_id, pmm_agent_id, service_id, agent_id } = object;
  const owner = (isAttribute ? object : labelsOf(object))[ownerLabel];
  const ids = [owner, node_id, node_ids, runs_on_node_id, pmm_agent_id, service_id, agent_id].flat();
  return ids.flatMap((id) => (typeof id === 'string' && id !== '' ? id : []))[0] ?? '';
}

/**
 * Objects, or messages of them, of at most `total` bytes together in a list. Those above their fair share are smaller (`withoutLargest`), the others
 * stay as they are.
 *
 * @returns undefined if they do not fit with `LEAST_OBJECT_BYTES` each either.
 */
export function fittingObjects<Object extends Fields>(
  objects: readonly Object[],
  owner: OwnerField,
  total: number,
): (Object | Fields)[] | undefined {
  const parts = objects.map((object: Object | Fields) => {
    const bytes = bytesInList(object);
    const isUsual = bytes <= LEAST_OBJECT_BYTES;
    const least = isUsual
      ? bytes
      : Math.max(LEAST_OBJECT_BYTES, bytesInList(withoutLargest(object, 0, owner.ownerLabel)));
    return { object, sharer: sharerOf(object, owner), bytes, least: Math.min(bytes, least) };
  });
  const fitting = sharedFairly(parts, total, (part, most) => ({
    ...part,
    object: withoutLargest(part.object, most, owner.ownerLabel),
  }));
  return fitting?.map(({ object }) => object);
}

/** The names of the lists in a message, with their brackets. */
const FRAME_BYTES = 4000;

/** The message of a list with objects that fit into a reply; undefined if they do not fit. */
function fittingMessage(
  message: Fields,
  { generation, ...owner }: OwnerField & { generation: Generation },
): Record<string, unknown> | undefined {
  const objects = Object.values(message).flat().filter(isRecord);
  const left = fittingObjects(objects, owner, MAX_RESULT_BYTES - FRAME_BYTES);
  if (left === undefined) return undefined;
  const lists = Object.entries(message).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? left.splice(0, value.length).map((object) => shown(object, generation)) : value,
  ]);
  return Object.fromEntries(lists);
}

/** The message of a list. It has no pages: if it does not fit into a reply, the largest objects become smaller. */
export class ListMessage {
  readonly message: Record<string, unknown>;
  readonly smaller: () => Record<string, unknown> | undefined;

  constructor(message: Record<string, unknown>, form: Parameters<typeof fittingMessage>[1]) {
    this.message = message;
    this.smaller = () => fittingMessage(message, form);
  }
}
