import { fieldNames } from '../../../shared/core/field-names.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { Log } from '../../../shared/core/log.ts';
import { listedJson } from '../entities/entity.ts';
import type { Scope, Visible } from '../entities/key-scope.ts';
import { shownJson } from '../entities/shown-json.ts';
import { followFromHeartbeats, toReplyWith, withoutReport } from '../heartbeats/shown-state.ts';
import type { ListTotal, Page, PageOptions } from '../table/page.ts';
import type { ObjectKind } from '../table/keys.ts';
import { statesAt } from './by-states.ts';
import { explain } from './explain.ts';
import { type Plan, planOf } from './plan.ts';
import type { Question, Selection } from './question.ts';
import { countPlan, readPlanOf } from './read-plan.ts';

const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['page_token', 'page_size']);

/** Whether the query asks for fields that follow from heartbeats. If it names fields, these decide. */
function showsStates(kind: ObjectKind, { state, status, status_for, version, include, fields }: Selection): boolean {
  if ([state, status, status_for].some((text) => text !== undefined)) return true;
  if (version !== undefined && followFromHeartbeats(kind, ['version'])) return true;
  return fields === undefined ? include === 'state' : followFromHeartbeats(kind, fieldNames(fields));
}

function jsonWithoutState(entity: Visible, fields: ReadonlySet<string> | undefined): string {
  // Nodes and services have no field that a report may have replaced: the stored text is the reply.
  if (fields === undefined && entity.kind !== 'agent') return listedJson(entity);
  return shownJson(withoutReport(entity), fields);
}

/** The caller of a list, the time for the states, and the log. */
export interface ListReader {
  scope: Scope;
  now: Date;
  log?: Log;
  /** The total of a list that is known without a count. Filters: those that are set. */
  keptTotal?: (kind: ObjectKind, filters: Readonly<Record<string, string>>) => Promise<ListTotal | undefined>;
}

/** Logs how a list is read: text that is made only for a log of level debug. */
export function logPlan<Kind extends ObjectKind>({ log }: Pick<ListReader, 'log'>, plan: Plan<Kind>): void {
  log?.({
    level: 'debug',
    message: 'plan',
    get plan() {
      return explain(plan);
    },
  });
}

/** The total of a list: the known one, or that of a count. */
async function totalOf<Kind extends ObjectKind>(
  table: Table,
  plan: Plan<Kind>,
  { fields: _fields, include: _include, ...selection }: Selection,
  { scope, keptTotal }: ListReader,
): Promise<ListTotal | undefined> {
  const set = Object.entries(selection).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !PAGE_PARAMETERS.has(name) ? [[name, value]] : [],
  );
  const kept = scope === undefined ? await keptTotal?.(plan.kind, Object.fromEntries(set)) : undefined;
  if (kept !== undefined) return kept;
  const total = await countPlan(table, plan);
  return total === undefined ? undefined : { total };
}

/**
 * The objects of a kind that match the query and that the caller may see, each as JSON. Their states, if the query asks for
 * them, need one more round of eventually consistent batch reads.
 *
 * @throws ApiError `notFound` when the one related object does not exist.
 */
export async function listObjects<Kind extends ObjectKind>(
  table: Table,
  kind: Kind,
  question: Question<Kind>,
  page: PageOptions,
  reader: ListReader,
): Promise<Page<string>> {
  const { selection } = question;
  const { scope, now } = reader;
  const fields = selection.fields === undefined ? undefined : new Set([`${kind}_id`, ...fieldNames(selection.fields)]);
  const shown = { ...question, isForReply: true, scope };
  const withStates = showsStates(kind, selection);
  const plan = await planOf(table, kind, shown, page.after, { states: statesAt(now), showsStates: withStates });
  logPlan(reader, plan);
  const [{ objects, next, heartbeats }, total] = await Promise.all([
    readPlanOf(table, plan, shown, page),
    selection.total === true ? totalOf(table, plan, selection, reader) : undefined,
  ]);
  const toJson = (entity: Visible) =>
    withStates ? shownJson(toReplyWith(entity, heartbeats, now), fields) : jsonWithoutState(entity, fields);
  return { objects: objects.map(toJson), next, total };
}
