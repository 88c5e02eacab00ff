import type { Draft } from './draft.ts';

/** What stood in a form when the session ended under it; in memory only, and given back once, to the same user. */
const kept = new Map<string, Draft>();

const keyOf = (user: string, place: string) => JSON.stringify([user, place]);

export const keptDrafts = {
  keep: (user: string, place: string, draft: Draft) => kept.set(keyOf(user, place), draft),
  take: (user: string, place: string): Draft | undefined => {
    const draft = kept.get(keyOf(user, place));
    kept.delete(keyOf(user, place));
    return draft;
  },
  clear: () => kept.clear(),
};
