import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../shared/db/table.ts';

/*
 * What the audit must say besides the changes. Like the rest of the check, it spells out once more what it reads.
 */

type Fields = Record<string, any>;

const KINDS = ['api_key', 'enrolment_token', 'session'];
const ACTIONS: Record<string, readonly string[]> = {
  api_key: ['added', 'changed', 'rotated', 'removed'],
  enrolment_token: ['added', 'used', 'removed'],
  session: ['added', 'removed'],
  annotation: ['added'],
  device: ['approved', 'denied'],
  silence: ['added', 'removed'],
  saved_filter: ['added', 'changed', 'removed'],
  service_account: ['added', 'removed'],
  role_binding: ['added', 'changed', 'removed'],
  user: ['added', 'changed', 'invited', 'password_set', 'sessions_ended', 'removed'],
};
const ENDS = ['removed', 'used'];
const REASONS: Record<string, readonly string[]> = {
  'sign_in.refused': [
    ...['wrong_password', 'unknown_user', 'disabled_user', 'invalid_invitation', 'rate_limit'],
    ...['used_identity', 'invalid_device'],
  ],
  'log_out.refused': [
    'invalid_identity',
    'expired_identity',
    'wrong_issuer',
    'wrong_audience',
    'unknown_key',
    'used_identity',
  ],
  'api_key.refused': ['invalid_key', 'expired_key', 'disabled_key'],
  'enrolment.refused': ['invalid_token', 'other_node'],
  'call.refused': ['role', 'scope', 'rate_limit', 'superseded_secret'],
};

const timeOf = ({ sk }: Item) => Number.parseInt(String(sk).slice(0, 9), 36);
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const endOf = (seconds: unknown) => (typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : undefined);

function checkShape(item: Fields, say: (violation: string) => void): void {
  const name = `${item['pk']} ${item['sk']}`;
  if (item['ttl'] !== Math.ceil(timeOf(item) / 1000) + 30 * 86_400) say(`${name} is kept until ${item['ttl']}.`);
  if (!isText(item['request_id'])) say(`${name} has no request.`);
  // The prefix that lists show, minv_ and four characters, is no secret.
  if (/minv_(?![0-9A-Za-z]{4}")|[0-9a-f]{64}/.test(JSON.stringify(item)))
    say(`${name} holds a key, a digest, or more of one than its prefix.`);
}

function checkEvent(item: Fields, say: (violation: string) => void): void {
  const name = `event ${item['sk']}`;
  if (!/^[0-9a-z]{15}$/.test(item['sk'])) say(`${name} has an odd key.`);
  const [kind, action] = String(item['event']).split('.') as [string, string];
  if (ACTIONS[kind]?.includes(action) !== true) say(`${name} is of nothing: ${item['event']}.`);
  for (const field of ['actor_kind', 'actor_id', 'actor_name', 'subject_id', 'subject_name'])
    if (!isText(item[field])) say(`${name} has no ${field}.`);
  // What the service does itself comes from nowhere.
  if (item['source_ip'] === undefined ? item['actor_kind'] !== 'system' : isIP(item['source_ip']) === 0)
    say(`${name} comes from ${item['source_ip']}.`);
}

function checkRefusals(item: Fields, say: (violation: string) => void): void {
  const name = `refusals ${item['sk']}`;
  const { event, reason, count, first_at: first, last_at: last } = item;
  if (!/^[0-9a-z]{9}[0-9a-f]{16}$/.test(item['sk'])) say(`${name} have an odd key.`);
  if (item['sk'].endsWith('ff') !== (item['source_ip'] === undefined)) say(`${name} are in the wrong place.`);
  if (REASONS[event]?.includes(reason) !== true) say(`${name} are of nothing: ${event} for ${reason}.`);
  if (!Number.isInteger(count) || count < 1) say(`${name} are ${count}.`);
  const minute = timeOf(item);
  // Written by several processes, in no order.
  if (minute % 60_000 !== 0 || [first, last].some((time) => time < minute || time >= minute + 60_000))
    say(`${name} are from ${first} to ${last}.`);
  if (event === 'call.refused' && !['actor_kind', 'actor_id', 'actor_name'].every((field) => isText(item[field])))
    // Only of those that were too many to be told apart.
    if (item['actor_id'] !== undefined || item['source_ip'] !== undefined) say(`${name} are nobody's.`);
}

/** Every key, token and session came by an event, and is there unless one says that it went; and the other way round. */
export function auditViolations(items: readonly Item[], now: number): string[] {
  const violations: string[] = [];
  const say = (violation: string) => violations.push(violation);
  const audit: Fields[] = items.filter(({ pk }) => String(pk).startsWith('AUDIT#'));
  const events = audit.filter(({ pk }) => pk === 'AUDIT#ACCESS' || pk === 'AUDIT#ANNOTATED');
  for (const item of audit) {
    checkShape(item, say);
    if (events.includes(item)) checkEvent(item, say);
    else if (item['pk'] === 'AUDIT#REFUSED') checkRefusals(item, say);
    else say(`${item['pk']} belongs to nothing.`);
  }
  for (const kind of KINDS) {
    const there = thereOf(kind, items);
    const eventsById = Map.groupBy(
      events.filter(({ event }) => String(event).startsWith(`${kind}.`)),
      ({ subject_id: id }) => id as string,
    );
    for (const [id, item] of there) if (!eventsById.has(id)) say(`${kind} ${id} (${item['name']}) came by nothing.`);
    for (const [id, ofOne] of eventsById) checkLife(`${kind} ${id}`, ofOne, { item: there.get(id), now }, say);
  }
  checkServiceAccounts(items, events, say);
  return violations;
}

/** A name always has the same id, so an account may be added again after its removal. */
function checkServiceAccounts(items: readonly Item[], events: readonly Fields[], say: (violation: string) => void) {
  const there: Fields[] = items.filter(({ sk }) => String(sk).startsWith('SERVICE_ACCOUNT#'));
  const accountEvents = events.filter(({ event }) => String(event).startsWith('service_account.'));
  for (const id of new Set([
    ...there.map((account) => String(account['id'])),
    ...accountEvents.map((event) => event['subject_id']),
  ])) {
    const name = `service_account ${id}`;
    const event = accountEvents.filter((ownEvents) => ownEvents['subject_id'] === id);
    const added = event.filter(({ event }) => event === 'service_account.added');
    const account = there.find((candidate) => String(candidate['id']) === id);
    if (2 * added.length - event.length !== (account === undefined ? 0 : 1))
      say(`${name} was added ${added.length} times, by ${event.length} events.`);
    if (
      new Set([...event.map((event) => event['subject_name']), ...(account === undefined ? [] : [account['name']])])
        .size > 1
    )
      say(`${name} has several names.`);
    if (account !== undefined && !added.some(({ after }) => isDeepStrictEqual(after, { role: account['role'] })))
      say(`${name} was not added with the role ${account['role']}.`);
  }
}

/** By id, what there is of a kind. */
function thereOf(kind: string, items: readonly Item[]): Map<string, Fields> {
  const credentials: Fields[] = items.filter(({ sk, kind: of, superseded }) =>
    kind === 'enrolment_token'
      ? sk === 'ENROLMENT'
      : (sk === 'KEY' || sk === 'SESSION') && of === kind && superseded === undefined,
  );
  return new Map(credentials.map((item) => [String(item[kind === 'enrolment_token' ? 'token_id' : 'key_id']), item]));
}

/** What was done to one of them, in no order: clocks of two functions may differ. */
function checkLife(
  name: string,
  events: readonly Fields[],
  { item, now }: { item: Fields | undefined; now: number },
  say: (violation: string) => void,
): void {
  const of = (...actions: string[]) => events.filter(({ event }) => actions.includes(String(event).split('.')[1]!));
  const [added, ...more] = of('added');
  const ends = of(...ENDS);
  if (added === undefined || more.length > 0)
    say(`${name} was added ${more.length + (added === undefined ? 0 : 1)} times.`);
  if (ends.length > 1) say(`${name} went ${ends.length} times.`);
  if (new Set(events.map(({ subject_name: called }) => called)).size > 1) say(`${name} has several names.`);
  const after: Fields = added?.['after'] ?? {};
  const isOver = Date.parse(after['expires_at']) <= now;
  if (item === undefined) {
    // Sessions and tokens are swept away after their end.
    if (ends.length === 0 && !isOver) say(`${name} is gone, and nobody removed it.`);
    return;
  }
  if (ends.length > 0) say(`${name} is there after it went.`);
  if (item['name'] !== added?.['subject_name']) say(`${name} is called ${item['name']}.`);
  if (item['node_id'] !== after['node_id']) say(`${name} is bound to ${item['node_id']}.`);
  // Older versions know neither Gateways nor Editors with owners: both are stored under a weaker role with a mark.
  const marked = item['limited_editor'] === true ? 'Editor' : item['role'];
  const role = item['gateway'] === true ? 'Gateway' : marked;
  if (role !== after['role']) say(`${name} was not added with the role ${role}.`);
  const states = [added, ...of('changed', 'rotated')].map((event) => event?.['after'] ?? {});
  const isOneOf = (field: string, value: unknown) => states.some((state) => isDeepStrictEqual(state[field], value));
  // For older versions a disabled key has expired; its end is stored beside.
  const isDisabled = item['disabled'] === true;
  const end = isDisabled ? item['enabled_expires_at'] : item['expires_at'];
  if (!isOneOf('expires_at', endOf(end))) say(`${name} ends at ${end}, by no event.`);
  if ((isDisabled || isOneOf('disabled', true)) && !isOneOf('disabled', isDisabled))
    say(`${name} is disabled ${isDisabled}, by no event.`);
  const limit = item['rate_limit_per_minute'];
  if (!isOneOf('rate_limit_per_minute', limit) && !(limit === undefined && isOneOf('rate_limit_per_minute', null)))
    say(`${name} is limited to ${limit}, by no event.`);
  const rotations = of('rotated').map((event) => new Date(timeOf(event)).toISOString());
  if (item['rotated_at'] === undefined ? rotations.length > 0 : !rotations.includes(item['rotated_at']))
    say(`${name} was last rotated at ${item['rotated_at']}, by no event.`);
}
