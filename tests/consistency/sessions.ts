import { logInMethods } from '../../functions/domain/access/session.ts';
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../shared/db/table.ts';

const methods: ReadonlySet<string> = new Set(logInMethods);

/*
 * What sessions must be. Like the rest of the check, it spells out the keys once more.
 */

type Fields = Record<string, any>;

const isMark = ({ sk }: Item) => String(sk).endsWith('#');

/**
 * An open session is its three items, which may part when it has ended: by its time, or because the password of its user
 * is newer. Only then may another one have its place.
 */
export function sessionViolations(items: readonly Item[], now: number): string[] {
  const violations: string[] = [];
  const say = (violation: string) => violations.push(violation);
  const ofKind = (sort: string): Fields[] => items.filter(({ sk, kind }) => sk === sort && kind === 'session');
  const accounts: Fields[] = items.filter(({ sk }) => sk === 'ACCOUNT');
  const users: Fields[] = items.filter(({ pk }) => pk === 'USERS');
  const [sessions, ids] = [ofKind('SESSION'), ofKind('SESSION_ID')];
  const inPartition: Fields[] = items.filter(({ pk }) => pk === 'SESSIONS');
  const places = inPartition.filter((item) => !isMark(item));
  const versions = new Map<string, string>([
    ...accounts.map(({ name, updated_at: time }): [string, string] => [name, time]),
    ...users.map(({ user_id: id, version }): [string, string] => [id, version]),
  ]);
  // The sessions of a removed user have ended.
  const isUser = (user: string) => versions.has(user);
  const ownerOf = ({ name, user_id: id }: Fields): string => id ?? name;
  const isOpen = ({ expires_at: end, account_version: version }: Fields, user: string) =>
    end * 1000 > now && isUser(user) && version >= (versions.get(user) ?? '');

  const marks = [
    ...accounts.filter(({ password_hash: hash }) => hash !== undefined),
    ...users.map(({ user_id: name, version: updated_at }) => ({ name, updated_at })),
  ].map(({ name, updated_at: time }: Fields) => {
    const sk = `${String(name).replaceAll('%', '%25').replaceAll('#', '%23')}#`;
    return { pk: 'SESSIONS', sk, user_name: name, account_version: time };
  });
  for (const mark of marks)
    if (!inPartition.some((item) => isDeepStrictEqual(item, mark)))
      say(`No mark of the password of ${mark.user_name}.`);
  // The mark of a removed user has an end.
  if (inPartition.filter((item) => isMark(item) && item['ttl'] === undefined).length > marks.length)
    say('A mark of a password that is not there.');

  const sessionIds = new Set<string>();
  for (const session of sessions.filter((session) => isOpen(session, ownerOf(session)))) {
    const { pk, key_id, kind, name, role, expires_at, account_version, ttl, source_ip, user_id, method } = session;
    const owner = ownerOf(session);
    const key_hash = String(pk).slice('SESSION#'.length);
    if (isIP(source_ip) === 0) say(`The session ${key_id} comes from ${source_ip}.`);
    if (method !== undefined && !methods.has(method)) say(`The session ${key_id} was opened by ${method}.`);
    if (ttl !== expires_at) say(`The session ${key_id} ends at ${expires_at} and is swept at ${ttl}.`);
    if (marks.some(({ user_name: user, account_version: current }) => user === owner && current < account_version))
      say(`The session ${key_id} is newer than the password of ${name}.`);
    const id = ids.find((item) => item['pk'] === `SESSION_ID#${key_id}`);
    const slot = id?.['slot'];
    sessionIds.add(`${slot}`).add(`${id?.['pk']}`);
    const ofUser = user_id === undefined ? {} : { user_id };
    const base = { key_hash, key_id, kind, name, role, expires_at, slot, ttl, ...ofUser };
    if (!isDeepStrictEqual(id, { pk: `SESSION_ID#${key_id}`, sk: 'SESSION_ID', ...base }))
      say(`The id ${key_id} is off.`);
    if (session['slot'] !== slot) say(`The session ${key_id} names the place ${session['slot']}.`);
    if (!/#[0-9]{2}$/.test(`${slot}`)) say(`${slot} is no place for a session.`);
    const place = { user_name: owner, session_id: key_id, key_hash, expires_at, account_version, ttl };
    if (!places.some((item) => isDeepStrictEqual(item, { pk: 'SESSIONS', sk: slot, ...place })))
      say(`The session ${key_id} does not have its place ${slot}.`);
  }
  for (const place of places)
    if (!sessionIds.has(place['sk']) && isOpen(place, place['user_name']))
      say(`${place['sk']} is taken by no session.`);
  for (const id of ids)
    if (
      id['expires_at'] * 1000 > now &&
      !sessions.some(({ key_id: sessionKeyId }) => `SESSION_ID#${sessionKeyId}` === id['pk'])
    )
      say(`${id['pk']} leads to no session.`);
  return violations;
}
