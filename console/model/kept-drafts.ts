import type { Draft } from './draft.ts';

interface FormDraft {
  draft: Draft;
  /** What the form showed before the user changed it. */
  start: Draft;
}

/** The contents of forms whose session ended; in memory only, and returned once, to the same user. */
const kept = new Map<string, FormDraft>();

const keyOf = (user: string, place: string) => JSON.stringify([user, place]);

export const keptDrafts = {
  keep: (user: string, place: string, form: FormDraft) => kept.set(keyOf(user, place), form),
  take: (user: string, place: string): FormDraft | undefined => {
    const form = kept.get(keyOf(user, place));
    kept.delete(keyOf(user, place));
    return form;
  },
  clear: () => kept.clear(),
};
