/** What the server keeps about an object that has just been added. */
export function newRecord(now: Date) {
  const time = now.toISOString();
  return { created_at: time, updated_at: time, revision: 1 };
}
