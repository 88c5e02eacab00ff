import { objectKinds } from '../../functions/domain/fields/object-kind.ts';
import { auditEvents } from '../../functions/domain/records/audit-events.ts';
import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';
import { ApiFailure, call, parsedBy } from '../api/client.tsx';
import { agents, type InventoryObject, type Kind, nodes, services, shortId } from '../model/kinds.tsx';
import { remember } from '../model/object-cache.tsx';
import { objectsByIds } from '../model/read-all.tsx';
import type { AuditEntry } from './audit-entry.ts';
import { type NamedChange, type NetChange, netChanges } from './net-changes.ts';

/** Maximum number of entries that a comparison reads. */
export const MAX_ENTRIES = 20_000;

const PAGE_SIZE = 1000;

/** Maximum number of changed objects whose present names are read. */
const MAX_NAMED = 2000;

export interface Comparison {
  /** By name. */
  changes: readonly NamedChange[];
  /** Set if there are more entries than the maximum: earlier entries than this time were not read. */
  readFrom: string | undefined;
  /** The callers of the changes, by name. */
  callers: readonly { id: string; name: string }[];
}

/** The changes that a comparison reads. */
export interface ComparisonQuery {
  from: string;
  to: string;
  /** Undefined or empty: all kinds. */
  kind?: string | undefined;
  /** Only the changes of this caller. */
  actorId?: string | undefined;
}

/** The events of a kind of objects; none: of all kinds. */
const eventsOf = (kind: string | undefined) =>
  objectKinds.some((one) => one === kind) ? auditEvents.filter((event) => event.startsWith(`${kind}.`)) : [undefined];

/** The newest entries between two times, with one event. */
async function readEvents(
  { from, to, actorId }: ComparisonQuery,
  event: string | undefined,
  signal: AbortSignal,
): Promise<{ entries: AuditEntry[]; readFrom: string | undefined }> {
  const entries: AuditEntry[] = [];
  let token: string | undefined;
  do {
    const size = String(Math.min(PAGE_SIZE, MAX_ENTRIES - entries.length));
    const filters = {
      ...(event === undefined ? {} : { event }),
      ...(actorId === undefined || actorId === '' ? {} : { actor_id: actorId }),
    };
    const query = parsedBy(listAudit.query, { ...filters, since: from, until: to, page_size: size, page_token: token });
    const page = await call(listAudit, { query }, { signal });
    entries.push(...page.entries);
    token = page.next_page_token;
  } while (token !== undefined && entries.length < MAX_ENTRIES);
  return { entries, readFrom: token === undefined ? undefined : entries.at(-1)?.time };
}

/** The newest entries between two times: only those of the wanted kind and caller. */
async function readEntries(question: ComparisonQuery, signal: AbortSignal) {
  const parts = await Promise.all(eventsOf(question.kind).map((event) => readEvents(question, event, signal)));
  const readFrom = parts
    .flatMap((part) => part.readFrom ?? [])
    .sort()
    .at(-1);
  const entries = parts.flatMap((part) => part.entries);
  // Before this time, some events were not read.
  return { entries: readFrom === undefined ? entries : entries.filter(({ time }) => time >= readFrom), readFrom };
}

/** The present names of objects by their ids: an entry of a change contains the name only if it changed. */
async function presentNames<T extends InventoryObject>(
  kind: Kind<T>,
  changes: readonly NetChange[],
  signal: AbortSignal,
): Promise<(readonly [string, string])[]> {
  const ids = changes.filter((change) => change.kind === kind.noun && change.name === undefined).map(({ id }) => id);
  const objects = await objectsByIds(kind, ids.slice(0, MAX_NAMED), signal);
  remember(kind, objects);
  return objects.map((object) => [kind.idOf(object), kind.nameOf(object)] as const);
}

/** Agents have no names: the start of the id distinguishes several of one type. */
const nameIn = ({ kind, id, name }: NetChange): string | undefined =>
  kind === 'agent' && name !== undefined ? `${name} ${shortId(id)}` : name;

/** All differences of objects between two times. @throws ApiFailure, also if `from` is not before `to`. */
export async function loadComparison(question: ComparisonQuery, signal: AbortSignal): Promise<Comparison> {
  const { from, to } = question;
  if (!(Date.parse(from) < Date.parse(to)))
    throw new ApiFailure(400, { message: 'The second time must be after the first one.' });
  const { entries, readFrom } = await readEntries(question, signal);
  const changes = netChanges(entries);
  const names = new Map([
    ...(await presentNames(nodes, changes, signal)),
    ...(await presentNames(services, changes, signal)),
    ...(await presentNames(agents, changes, signal)),
  ]);
  const named = changes.map((change): NamedChange => {
    const name = nameIn(change) ?? names.get(change.id) ?? `${change.kind} ${shortId(change.id)}`;
    return { ...change, name };
  });
  const actors = entries.flatMap(({ actor }) => actor ?? []);
  const callers = [...new Map(actors.map(({ id, name }) => [id, { id, name }])).values()];
  return {
    changes: named.sort((left, other) => byNumbers(left.name, other.name)),
    readFrom,
    callers: callers.sort((one, other) => byNumbers(one.name, other.name)),
  };
}
