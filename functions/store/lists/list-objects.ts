import { fieldNames } from '../../../shared/core/field-names.ts';
import type { Table } from '../../../shared/db/table.ts';
import { type Entity, listedJson } from '../entities/entity.ts';
import { isVisible, type Scope, type Visible } from '../entities/key-scope.ts';
import { shownJson } from '../entities/shown-json.ts';
import { followFromHeartbeats, toReplyWith, versionOf, withoutReport } from '../heartbeats/shown-state.ts';
import { type Heartbeats, readHeartbeats } from '../heartbeats/heartbeat.ts';
import { heartbeatFilter, matchesHeartbeat } from '../heartbeats/heartbeat-filter.ts';
import type { Page, PageOptions } from '../table/page.ts';
import type { ObjectKind } from '../table/keys.ts';
import { type Question, type Selection, selectObjects } from './query-planner.ts';

/** Whether the query asks for fields that follow from heartbeats. If it names fields, these decide. */
function showsStates(kind: ObjectKind, { state, status, version, include, fields }: Selection): boolean {
  if (state !== undefined || status !== undefined) return true;
  if (version !== undefined && followFromHeartbeats(kind, ['version'])) return true;
  return fields === undefined ? include === 'state' : followFromHeartbeats(kind, fieldNames(fields));
}

function jsonWithoutState(entity: Visible, fields: ReadonlySet<string> | undefined): string {
  // Nodes and services have no field that a report may have replaced: the stored text is the reply.
  if (fields === undefined && entity.kind !== 'agent') return listedJson(entity);
  return shownJson(withoutReport(entity), fields);
}

/** The caller of a list, and the time for the states. */
export interface ListReader {
  scope: Scope;
  now: Date;
}

/**
 * The objects of a kind that match the query and that the caller may see, each as JSON. Their states, if the query asks for them, need one more
 * round of eventually consistent batch reads.
 *
 * @throws ApiError `notFound` when the one related object does not exist.
 */
export async function listObjects<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: Question<Kind>,
  page: PageOptions,
  { scope, now }: ListReader,
): Promise<Page<string>> {
  const { selection } = question;
  const filter = heartbeatFilter(selection, now);
  const fields = selection.fields === undefined ? undefined : new Set([`${kind}_id`, ...fieldNames(selection.fields)]);
  const shown = { ...question, isForReply: true, scope };
  const { objects: found, next, ...selected } = await selectObjects(table, kind, shown, page, filter);
  const objects = found.filter((one) => isVisible(scope, one));
  const hasVersion = (one: Entity, heartbeats: Heartbeats) =>
    selection.version === undefined || (versionOf(one, heartbeats, now) ?? '') === selection.version;
  if (!showsStates(kind, selection)) {
    const matching = objects.filter((one) => hasVersion(one, new Map()));
    return { objects: matching.map((one) => jsonWithoutState(one, fields)), next };
  }
  const heartbeats = selected.heartbeats ?? (await readHeartbeats(table, objects, false));
  const matching = objects.filter(
    (one) => (filter === undefined || matchesHeartbeat(filter, one, heartbeats)) && hasVersion(one, heartbeats),
  );
  return { objects: matching.map((one) => shownJson(toReplyWith(one, heartbeats, now), fields)), next };
}
