/** What the server keeps about an object that has just been added. */
export function newRecord(now: Date) {
  const time = now.toISOString();
  return { created_at: time, updated_at: time, revision: 1 };
}

/** The later of two times, as it is written. */
const later = (left: string, right: string) => (Date.parse(left) < Date.parse(right) ? right : left);

/**
 * What the server keeps about an object that has changed. The time of the change is never before that of the one before it,
 * whatever the clocks of two functions say: exports can then be imported.
 */
export function nextRecord({ revision, updated_at: last }: { revision: number; updated_at: string }, now: Date) {
  return { revision: revision + 1, updated_at: later(last, now.toISOString()) };
}
