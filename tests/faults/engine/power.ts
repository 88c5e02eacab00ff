import { writeFile } from 'node:fs/promises';
import type { Random } from '../../consistency/random.ts';

/** A call of the system about a file, between two lines of the trace. */
interface FileEvent {
  path: string;
  start: number;
  end: number;
  kind: 'write' | 'truncate' | 'sync' | 'removal';
  data?: Buffer;
  /** The offset of a write, or the size after a truncation. */
  at?: number;
}

export interface Trace {
  events: readonly FileEvent[];
  acknowledged: readonly { id: string; end: number }[];
  acknowledgements: number;
}

const bytesIn = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

/** Reads the output of `strace -f -xx` about a database and its log. A call that another thread interrupts begins and ends in different lines. */
export function readTrace(text: string, file: string): Trace {
  const open = new Map<number, string>();
  const unfinished = new Map<string, [string, number]>();
  const events: FileEvent[] = [];
  const acknowledged: { id: string; end: number }[] = [];
  for (const [line, whole] of text.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(whole) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(pid, [rest.slice(0, -'<unfinished ...>'.length).trimEnd(), line]);
      continue;
    }
    const [, resumed] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const [before, start] = resumed === undefined ? ['', line] : (unfinished.get(pid) ?? ['', line]);
    const call = resumed === undefined ? rest : before + resumed;
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(call) ?? [];
    if (Number(result) < 0) continue;
    const texts = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => bytesIn(hex));
    const descriptor = Number(args.split(',')[0]);
    const path = open.get(descriptor);
    const add = (kind: FileEvent['kind'], of: string | undefined, more: Partial<FileEvent> = {}) => {
      if (of?.startsWith(file) === true && !of.endsWith('-shm'))
        events.push({ path: of, start, end: line, kind, ...more });
    };
    if (name === 'openat') open.set(Number(result), texts[0]!.toString());
    else if (name === 'close') open.delete(descriptor);
    else if (name === 'pwrite64')
      add('write', path, { data: texts[0]!, at: Number(args.slice(args.lastIndexOf(',') + 1)) });
    else if (name === 'ftruncate') add('truncate', path, { at: Number(args.split(',')[1]) });
    else if (name === 'fsync' || name === 'fdatasync') add('sync', path);
    else if (name === 'unlink') add('removal', texts[0]!.toString());
    else if (name === 'write' && descriptor === 1) {
      const id = texts[0]!.toString().trim();
      if (/^\d+-\d+$/.test(id)) acknowledged.push({ id, end: line });
    }
  }
  return { events, acknowledged, acknowledgements: acknowledged.length };
}

/**
 * Writes the files as a loss of power may leave them: everything before a completed sync, and of later writes each with
 * the probability `keep`.
 *
 * @param options.at the moment, as a part of all acknowledgements.
 * @returns the writes that were acknowledged before.
 */
export async function losePower(
  { events, acknowledged }: Trace,
  { at, keep, random, from, to }: { at: number; keep: number; random: Random; from: string; to: string },
): Promise<string[]> {
  const moment = acknowledged[Math.floor(at * acknowledged.length)]!.end;
  for (const path of new Set(events.map((event) => event.path))) {
    const ownEvents = events.filter((event) => event.path === path && event.start <= moment);
    if (ownEvents.length === 0 || ownEvents.at(-1)!.kind === 'removal') continue;
    const synced = Math.max(
      0,
      ...ownEvents.filter(({ kind, end }) => kind === 'sync' && end <= moment).map(({ start }) => start),
    );
    let content = Buffer.alloc(0);
    for (const { kind, end, data, at: place = 0 } of ownEvents) {
      if (end > synced && !random.chance(keep)) continue;
      if (kind === 'removal') content = Buffer.alloc(0);
      if (kind === 'truncate')
        content = Buffer.concat([content.subarray(0, place), Buffer.alloc(Math.max(0, place - content.length))]);
      if (kind !== 'write' || data === undefined) continue;
      if (place + data.length > content.length)
        content = Buffer.concat([content, Buffer.alloc(place + data.length - content.length)]);
      data.copy(content, place);
    }
    await writeFile(path.replace(from, to), content);
  }
  return acknowledged.filter(({ end }) => end <= moment).map(({ id }) => id);
}
