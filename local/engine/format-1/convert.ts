import { copyFile, link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ClockSource, monotonicMs, pause } from '../../../shared/core/monotonic-clock.ts';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { SESSIONS_PARTITION } from '../../../functions/store/table/keys.ts';
import { isRecord, type Item } from '../../../shared/db/item.ts';
import { StartFailure } from '../../process/failure.ts';
import { Database, syncFolder } from '../sqlite/database.ts';
import type { KeyNames } from '../sqlite/key-range.ts';
import type { NewItem, Rows } from '../sqlite/rows.ts';
import { Tables } from '../sqlite/tables.ts';
import { decode } from '../sqlite/values.ts';
import { isListed, isOfLogIn } from './listed-secrets.ts';
import { genuine, readSealKey, SEAL } from './seals.ts';

/** In the data folder until format 1. */
export const SEAL_KEY_FILE = 'seal.key';

/** The database of the folder before the conversion, beside the one after it. */
export const OLD_DATABASE_SUFFIX = '.format-1';

/** After a kill, the process of the engine lived for some milliseconds. */
const CLOSE_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

/** A transaction for each item would take minutes. */
const ITEMS_AT_ONCE = 1000;

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const indexSchema = z.array(z.object({ IndexName: z.string(), KeySchema: keySchema }));

function keyNamesIn(schema: z.infer<typeof keySchema>): KeyNames {
  const name = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '';
  return { partition: name('HASH'), sort: name('RANGE') };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Bytes are texts in the JSON of DynamoDB. */
const reviveBytes = (name: string, value: unknown) =>
  name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;

function itemIn(json: unknown): Item {
  const item: unknown = JSON.parse(String(json), reviveBytes);
  if (!isRecord(item)) throw new TypeError('a row without an item');
  return unmarshall(z.parse(z.record(z.string(), z.any()), item));
}

/**
 * Whether dynoxide wrote the file, the engine of format 1. Versions that know no format add their tables to a converted file
 * before they refuse it, as it has no inventory for them.
 */
function isOfFormat1(old: DatabaseSync): boolean {
  const has = (name: string) => old.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined;
  return has('_tables') && !has('tables');
}

/** @throws StartFailure while the engine of an older version still has the file open. */
async function lock(old: DatabaseSync, file: string, timed: ClockSource): Promise<void> {
  const deadline = monotonicMs(timed) + CLOSE_TIMEOUT_MS;
  for (;;)
    try {
      // Also ends the write-ahead log: its content is in the file afterwards.
      old.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT');
      return;
    } catch (error) {
      if (!isRecord(error) || error['errcode'] !== SQLITE_BUSY) throw error;
      if (monotonicMs(timed) > deadline)
        throw new StartFailure(`Another process has opened ${file}. Stop it, or set DATA_DIR to another folder.`);
      await pause(timed, POLL_MS);
    }
}

/** The items that were left out: those that grant access, and that the service did not write, as their seals show. */
export interface LeftOut {
  /** Sessions and keys of programs: this version has them elsewhere, so they end. */
  sessions: number;
  others: number;
}

/** A version that did not seal the list of sessions wrote it: nothing is wrong. */
const isOfSessions = (item: Item) => item['pk'] === SESSIONS_PARTITION && !(SEAL in item);

function copyItems(old: DatabaseSync, rows: Rows, fresh: Database, sealKeyFile: string): LeftOut {
  const key = readSealKey(sealKeyFile);
  let others = 0;
  let read: NewItem[] = [];
  const writeRead = () => {
    fresh.transaction(() => {
      for (const item of read) rows.put(item);
    });
    read = [];
  };
  for (const { item_json: json } of old.prepare(`SELECT item_json FROM ${quoted(rows.schema.name)}`).iterate()) {
    const stored = itemIn(json);
    const item = genuine(stored, key);
    if (item !== undefined) read.push(rows.newItem(item));
    else if (!isOfSessions(stored)) others += 1;
    if (read.length === ITEMS_AT_ONCE) writeRead();
  }
  writeRead();
  const unlisted = key === undefined ? [] : removeUnlisted(rows, fresh);
  const sessions = unlisted.filter(isOfLogIn);
  return { sessions: sessions.length, others: others + unlisted.length - sessions.length };
}

function removeUnlisted(rows: Rows, fresh: Database): readonly Item[] {
  const unlisted: Item[] = [];
  const find = (wanted: { pk: string; sk: string }) => rows.get([wanted.pk, wanted.sk])?.item;
  rows.scan(undefined, undefined, (text) => {
    const item = decode(text);
    if (!isListed(item, find)) unlisted.push(item);
    return true;
  });
  fresh.transaction(() => {
    for (const { pk, sk } of unlisted) rows.delete([String(pk), String(sk)]);
  });
  return unlisted;
}

async function copyAll(old: DatabaseSync, file: string, sealKeyFile: string): Promise<LeftOut> {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
  await writeFile(file, '', { mode: 0o600 });
  const fresh = new Database(file);
  try {
    const tables = new Tables(fresh);
    const all: LeftOut = { sessions: 0, others: 0 };
    for (const { table_name: name, key_schema: keys, gsi_definitions: indexes } of old
      .prepare('SELECT table_name, key_schema, gsi_definitions FROM _tables')
      .all()) {
      const byName = z
        .parse(indexSchema, JSON.parse(String(indexes ?? '[]')))
        .map(({ IndexName, KeySchema }) => [IndexName, keyNamesIn(KeySchema)] as const);
      const key = keyNamesIn(z.parse(keySchema, JSON.parse(String(keys))));
      const rows = tables.create({ name: String(name), key, indexes: Object.fromEntries(byName) });
      const { sessions, others } = copyItems(old, rows, fresh, sealKeyFile);
      all.sessions += sessions;
      all.others += others;
    }
    return all;
  } finally {
    await fresh.close();
  }
}

/**
 * Converts the database of a data folder of format 1, if it is one, and keeps the old one beside it. At each moment, also
 * after a kill or a loss of power, the folder has the old database or the whole new one; an interrupted conversion begins
 * again with the next start.
 *
 * @param claim records the format of the folder, so that an older version refuses the new database.
 * @returns the items that were left out; undefined: nothing to convert.
 */
export async function convertFormat1(
  file: string,
  claim: () => Promise<void>,
  timed: ClockSource = {},
): Promise<LeftOut | undefined> {
  const old = new DatabaseSync(file);
  const fresh = `${file}.new`;
  const folder = dirname(file);
  let leftOut: LeftOut;
  try {
    if (!isOfFormat1(old)) return undefined;
    await lock(old, file, timed);
    leftOut = await copyAll(old, fresh, join(folder, SEAL_KEY_FILE));
  } finally {
    old.close();
  }
  // The order holds also after a loss of power: no log of the old database beside the new one.
  await claim();
  syncFolder(folder);
  const kept = `${file}${OLD_DATABASE_SUFFIX}`;
  await rm(kept, { force: true });
  // A disk without links gets a copy.
  await link(file, kept).catch(() => copyFile(file, kept));
  await rename(fresh, file);
  syncFolder(folder);
  return leftOut;
}
