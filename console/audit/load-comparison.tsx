import { endpoint as listAudit } from '../../functions/api/audit/list/endpoint.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';
import { ApiFailure, call, parsedBy } from '../api/client.tsx';
import { agents, type InventoryObject, type Kind, nodes, services, shortId } from '../model/kinds.tsx';
import { remember } from '../model/object-cache.tsx';
import { objectsByIds } from '../model/read-all.tsx';
import type { AuditEntry } from './audit-entry.ts';
import { type NamedChange, type NetChange, netChanges } from './net-changes.ts';

/** Maximum number of entries that a comparison reads. */
export const MAX_ENTRIES = 2000;

const PAGE_SIZE = 500;

export interface Comparison {
  /** By name. */
  changes: readonly NamedChange[];
  /** Set if there are more entries than the maximum: earlier entries than this time were not read. */
  readFrom: string | undefined;
}

/** The newest entries between two times. */
async function readEntries(from: string, to: string, signal: AbortSignal) {
  const entries: AuditEntry[] = [];
  let token: string | undefined;
  do {
    const size = String(Math.min(PAGE_SIZE, MAX_ENTRIES - entries.length));
    const query = parsedBy(listAudit.query, { since: from, until: to, page_size: size, page_token: token });
    const page = await call(listAudit, { query }, { signal });
    entries.push(...page.entries);
    token = page.next_page_token;
  } while (token !== undefined && entries.length < MAX_ENTRIES);
  return { entries, readFrom: token === undefined ? undefined : entries.at(-1)?.time };
}

/** The present names of objects by their ids: an entry of a change contains the name only if it changed. */
async function presentNames<T extends InventoryObject>(
  kind: Kind<T>,
  changes: readonly NetChange[],
  signal: AbortSignal,
): Promise<(readonly [string, string])[]> {
  const ids = changes.filter((change) => change.kind === kind.noun && change.name === undefined).map(({ id }) => id);
  const objects = await objectsByIds(kind, ids, signal);
  remember(kind, objects);
  return objects.map((object) => [kind.idOf(object), kind.nameOf(object)] as const);
}

/** Agents have no names: the start of the id distinguishes several of one type. */
const nameIn = ({ kind, id, name }: NetChange): string | undefined =>
  kind === 'agent' && name !== undefined ? `${name} ${shortId(id)}` : name;

/** All differences of objects between two times. @throws ApiFailure, also if `from` is not before `to`. */
export async function loadComparison(from: string, to: string, signal: AbortSignal): Promise<Comparison> {
  if (!(Date.parse(from) < Date.parse(to)))
    throw new ApiFailure(400, { message: 'The second time must be after the first one.' });
  const { entries, readFrom } = await readEntries(from, to, signal);
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
  return { changes: named.sort((left, other) => byNumbers(left.name, other.name)), readFrom };
}
