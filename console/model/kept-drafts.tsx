import { useEffect, useRef } from 'react';
import { session } from '../api/session.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import type { Draft } from './draft.ts';

interface FormDraft {
  draft: Draft;
  /** The content of the form before the user changed it. */
  start: Draft;
}

/**
 * The contents of forms whose session ended: in memory only, and returned once, to the same user at the same address.
 */
const kept = new Map<string, FormDraft>();

const keyOf = (user: string, hash: string) => JSON.stringify([user, hash]);

export const keptDrafts = {
  take: (user: string): FormDraft | undefined => {
    const key = keyOf(user, location.hash);
    const form = kept.get(key);
    kept.delete(key);
    return form;
  },
  clear: () => kept.clear(),
};

/** Keeps the content of a form if the session ends while the form is open. */
export function useKeptDraft(draft: Draft, start: Draft): void {
  const { name } = useCaller();
  const last = useRef({ draft, start });
  last.current = { draft, start };
  useEffect(() => {
    const key = keyOf(name, location.hash);
    return () => {
      const state = session.state();
      if (state.kind === 'out' && state.notice?.type === 'ended') kept.set(key, last.current);
    };
  }, [name]);
}
