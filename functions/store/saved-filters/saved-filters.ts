import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { roleAllows } from '../../../shared/auth/roles.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { ABSENT, and, equals, stale } from '../../../shared/db/conditions.ts';
import { retryOnContention } from '../../../shared/db/contention.ts';
import { writeItem } from '../../../shared/db/item-writes.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { matches, type Revisions } from '../../../shared/http/etag.ts';
import { nextRecord } from '../../domain/fields/record.ts';
import { MAX_OWN_FILTERS, MAX_PINS, MAX_COMMON_FILTERS, MAX_TEAM_FILTERS } from '../../domain/records/saved-filter.ts';
import { accessStep } from '../audit/access-events.ts';
import { changeCredentials, NO_CREDENTIAL } from '../credentials/change-credentials.ts';
import { filtersOfUser, ownFilterKeys } from '../credentials/own-filters.ts';
import { removeUser } from '../credentials/users.ts';
import type { WriteContext } from '../entities/write-context.ts';
import { additionStep } from '../table/additions.ts';
import { FILTER_PREFIX, pinKey, savedFiltersOf } from '../table/keys.ts';
import { readCollection } from '../table/read.ts';
import {
  endOf,
  EVERYBODY,
  filterSchema,
  keyOf,
  type Person,
  readFilters,
  type StoredFilter,
  type VisibleFilters,
} from './stored-filter.ts';

/** A filter as its person sees it. */
const shownTo =
  ({ id: personId }: Person, pins: ReadonlySet<string>) =>
  ({ owner, owners: _owners, ...filter }: StoredFilter) => ({
    ...filter,
    own: owner === personId,
    pinned: pins.has(filter.saved_filter_id),
  });

type ShownFilter = ReturnType<ReturnType<typeof shownTo>>;

/** The shared filters and those of the person, by name. */
export async function listedFilters(table: Table, person: Person): Promise<ShownFilter[]> {
  const { filters, pins } = await readFilters(table, person);
  return filters
    .map(shownTo(person, pins))
    .sort((left, right) => left.name.localeCompare(right.name, 'en') || (left.shared ? -1 : 1));
}

const denied = (message: string) => new ApiError('permissionDenied', `Access denied: ${message}`);

/** @throws ApiError `permissionDenied` unless the person may store or remove this filter. */
function checkRights({ shared, owner }: StoredFilter, { id, role }: Person): void {
  if (!shared || role === 'Admin') return;
  if (owner !== id) throw denied('only its maker and an Admin change a shared filter.');
  if (!roleAllows(role, 'Editor')) throw denied('a shared filter requires the role Editor.');
}

const exhausted = (max: number, which: string) =>
  new ApiError('resourceExhausted', `The maximum of ${max} ${which} is reached. Remove one first.`);

/**
 * @param present the shared filters, or the private ones of the person.
 * @throws ApiError `resourceExhausted` at the limit, and for a caller with owners at the share of its team.
 */
function checkNumber(present: readonly StoredFilter[], shared: boolean, { limit }: WriteContext): void {
  if (!shared) {
    if (present.length >= MAX_OWN_FILTERS) throw exhausted(MAX_OWN_FILTERS, 'filters of your own');
    return;
  }
  if (present.length >= MAX_COMMON_FILTERS) throw exhausted(MAX_COMMON_FILTERS, 'shared filters');
  const isOfTeam = ({ owners }: StoredFilter) => owners?.every((owner) => limit?.owners.includes(owner)) === true;
  if (limit !== undefined && present.filter(isOfTeam).length >= MAX_TEAM_FILTERS)
    throw exhausted(MAX_TEAM_FILTERS, 'shared filters of your team');
}

const putStep = (filter: StoredFilter, person: Person): TransactItem => ({
  put: { ...filter, ...keyOf(filter), ...(filter.shared ? {} : endOf(person)) },
  condition: ABSENT,
  onConditionFailed: () =>
    new ApiError('alreadyExists', `The list ${filter.list} has a saved filter with name "${filter.name}" already.`),
});

/** The condition that nobody has changed the filter since it was read. */
const unchanged = ({ revision, saved_filter_id: id }: StoredFilter) =>
  ({ condition: and(equals('saved_filter_id', id), equals('revision', revision)), onConditionFailed: stale }) as const;

const eventOf = (event: 'added' | 'changed' | 'removed', filter: StoredFilter, cause: WriteContext) => {
  const { saved_filter_id: id, name, list, parameters, shared } = filter;
  const after = event === 'removed' ? {} : { after: { list, parameters, shared } };
  return accessStep({ event: `saved_filter.${event}`, subject: { id, name }, ...after }, cause);
};

const teamOf = ({ shared }: Pick<StoredFilter, 'shared'>, { limit }: WriteContext) =>
  shared && limit !== undefined ? { owners: [...limit.owners] } : {};

/**
 * Adds a filter of the person. One query, one transaction.
 *
 * @throws ApiError `permissionDenied`, `alreadyExists`, `resourceExhausted`; as `changeCredentials`.
 */
export async function addFilter(
  table: Table,
  fields: Omit<StoredFilter, 'owner' | 'owners'>,
  person: Person,
  cause: WriteContext,
): Promise<ShownFilter> {
  const filter = { ...fields, owner: person.id, ...teamOf(fields, cause) };
  checkRights(filter, person);
  const { pk } = keyOf(filter);
  await retryOnContention(table, async () => {
    const addition = await additionStep(table, pk, cause.now);
    const present = await readCollection(table, pk, FILTER_PREFIX);
    checkNumber(z.parse(z.array(filterSchema), present), filter.shared, cause);
    await changeCredentials(
      table,
      [putStep(filter, person), addition, eventOf('added', filter, cause)],
      cause,
      NO_CREDENTIAL,
    );
  });
  return shownTo(person, new Set())(filter);
}

interface FilterTarget {
  id: string;
  ifMatch: Revisions | undefined;
}

/** @throws ApiError `notFound`, `revisionMismatch`. */
function filterIn({ filters }: VisibleFilters, { id, ifMatch }: FilterTarget): StoredFilter {
  const filterId = filters.find(({ saved_filter_id: filterId }) => filterId === id);
  if (filterId === undefined) throw new ApiError('notFound', `Saved filter with ID "${id}" not found.`);
  if (ifMatch === undefined || matches(ifMatch, filterId.revision)) return filterId;
  throw new ApiError('revisionMismatch', `Saved filter is at revision ${filterId.revision}.`);
}

/** The steps that replace a filter. The name, and whether it is shared, are parts of its key. */
function changeSteps(
  present: StoredFilter,
  changed: StoredFilter,
  { filters }: VisibleFilters,
  person: Person,
  cause: WriteContext,
): TransactItem[] {
  for (const filter of [present, changed]) checkRights(filter, person);
  if (!changed.shared && changed.owner !== person.id) throw denied('only its maker can stop sharing a filter.');
  if (changed.shared !== present.shared)
    checkNumber(
      filters.filter(({ shared }) => shared === changed.shared),
      changed.shared,
      cause,
    );
  const isSameKey = isDeepStrictEqual(keyOf(present), keyOf(changed));
  if (isSameKey) return [{ ...putStep(changed, person), ...unchanged(present) }];
  return [{ delete: keyOf(present), ...unchanged(present) }, putStep(changed, person)];
}

/** The steps that pin a filter, or take its pin. Pins of filters that no longer exist are removed. */
function pinSteps({ filters, pins }: VisibleFilters, id: string, pinned: boolean, person: Person): TransactItem[] {
  if (pinned === pins.has(id)) return [];
  const valid = filters
    .filter(({ saved_filter_id: filterId }) => pins.has(filterId))
    .map(({ saved_filter_id: filterId }) => filterId);
  if (pinned && valid.length >= MAX_PINS)
    throw new ApiError(
      'resourceExhausted',
      `The maximum of ${MAX_PINS} pinned filters is reached. Remove a pin first.`,
    );
  const dangling = [...pins].filter((filterId) => !valid.includes(filterId)).slice(0, MAX_PINS);
  return [
    pinned ? { put: { ...pinKey(person.id, id), ...endOf(person) } } : { delete: pinKey(person.id, id) },
    ...dangling.map((filterId) => ({ delete: pinKey(person.id, filterId) })),
  ];
}

/** The collections to which a change may add. */
function collectionsOf({ shared, pinned }: FilterChange, person: Person): string[] {
  const owners = [
    ...(shared === undefined ? [] : [shared ? EVERYBODY : person.id]),
    ...(pinned === true ? [person.id] : []),
  ];
  return [...new Set(owners.map((owner) => savedFiltersOf(owner)))];
}

/** The fields to change, and whether the person has pinned the filter. */
type FilterChange = { [Field in 'name' | 'parameters' | 'shared']?: StoredFilter[Field] | undefined } & {
  pinned?: boolean | undefined;
};

/**
 * Changes a filter, or pins it for the person. Two queries at once, one transaction; no write when nothing changes.
 *
 * @throws ApiError `notFound`, `revisionMismatch`, `permissionDenied`, `alreadyExists`, `resourceExhausted`; as
 *   `changeCredentials`.
 */
export async function changeFilter(
  table: Table,
  target: FilterTarget,
  { pinned, ...fields }: FilterChange,
  person: Person,
  cause: WriteContext,
): Promise<ShownFilter> {
  return retryOnContention(table, async () => {
    const collections = collectionsOf({ pinned, ...fields }, person);
    const additions = await Promise.all(collections.map((collection) => additionStep(table, collection, cause.now)));
    const visible = await readFilters(table, person);
    const present = filterIn(visible, target);
    const { name = present.name, parameters = present.parameters, shared = present.shared } = fields;
    const ownerFields = shared === present.shared ? {} : { owners: undefined, ...teamOf({ shared }, cause) };
    const next = { ...present, name, parameters, shared, ...ownerFields };
    const hasChanged = !isDeepStrictEqual(next, present);
    const changed = hasChanged ? { ...next, ...nextRecord(present, cause.now) } : present;
    const isPinned = pinned ?? visible.pins.has(target.id);
    const steps = [
      ...(hasChanged
        ? [...changeSteps(present, changed, visible, person, cause), eventOf('changed', changed, cause)]
        : []),
      ...pinSteps(visible, target.id, isPinned, person),
    ];
    if (steps.length > 0) await changeCredentials(table, [...steps, ...additions], cause, NO_CREDENTIAL);
    return shownTo(person, new Set(isPinned ? [target.id] : []))(changed);
  });
}

/** Removes a filter. @throws ApiError `notFound`, `revisionMismatch`, `permissionDenied`; as `changeCredentials`. */
export async function removeFilter(
  table: Table,
  target: FilterTarget,
  person: Person,
  cause: WriteContext,
): Promise<void> {
  await retryOnContention(table, async () => {
    const visible = await readFilters(table, person);
    const present = filterIn(visible, target);
    checkRights(present, person);
    const steps = [
      { delete: keyOf(present), ...unchanged(present) },
      ...pinSteps(visible, target.id, false, person),
      eventOf('removed', present, cause),
    ];
    await changeCredentials(table, steps, cause, NO_CREDENTIAL);
  });
}

/** With the user in one transaction. A person has at most 50 filters and 10 pins. */
const MAX_REMOVED_AT_ONCE = 80;

/**
 * Removes a user with the private filters and the pins of the user: another user may get the name. Usually two queries, one read
 * and one transaction.
 *
 * @throws ApiError as `removeUser`.
 */
export async function removeUserAndFilters(table: Table, userId: string, cause: WriteContext): Promise<void> {
  const deletions = async () => {
    const keys = await ownFilterKeys(table, filtersOfUser(userId));
    return keys.slice(0, MAX_REMOVED_AT_ONCE).map((key) => ({ delete: key }));
  };
  await removeUser(table, userId, cause, await deletions());
  // Others that were added in the meantime: a session of a removed user adds none.
  for (let rest = await deletions(); rest.length > 0; rest = await deletions())
    await Promise.all(rest.map((deletion) => writeItem(table, deletion)));
}
