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
  /** React can begin to draw a page more than once: the content stays until the page is shown. */
  get: (user: string): FormDraft | undefined => kept.get(keyOf(user, location.hash)),
  clear: () => kept.clear(),
};

/** Ends what was kept for a form that is now shown, and keeps its content if the session ends while it is open. */
export function useKeptDraft(draft: Draft, start: Draft): void {
  const { name } = useCaller();
  const last = useRef({ draft, start });
  last.current = { draft, start };
  useEffect(() => {
    const key = keyOf(name, location.hash);
    kept.delete(key);
    return () => {
      const state = session.state();
      if (state.kind === 'out' && state.notice?.type === 'ended') kept.set(key, last.current);
    };
  }, [name]);
}
