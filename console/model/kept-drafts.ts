import type { Draft } from './draft.ts';

interface Kept {
  draft: Draft;
  /** What the form showed before the user changed it. */
  start: Draft;
}

/** The contents of forms whose session ended; in memory only, and returned once, to the same user. */
const kept = new Map<string, Kept>();

const keyOf = (user: string, place: string) => JSON.stringify([user, place]);

export const keptDrafts = {
  keep: (user: string, place: string, form: Kept) => kept.set(keyOf(user, place), form),
  take: (user: string, place: string): Kept | undefined => {
    const form = kept.get(keyOf(user, place));
    kept.delete(keyOf(user, place));
    return form;
  },
  clear: () => kept.clear(),
};
