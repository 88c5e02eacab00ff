import { useEffect, useRef } from 'react';
import type { Draft } from './draft.ts';
import { keptDrafts } from './kept-drafts.ts';
import { session } from '../api/session.tsx';
import { useCaller } from '../ui/caller-context.tsx';

/** Keeps what was typed when the session ends under the form. */
export function useKeptDraft(draft: Draft, start: Draft): void {
  const { name } = useCaller();
  const last = useRef({ draft, start });
  last.current = { draft, start };
  useEffect(() => {
    const place = location.hash;
    return () => {
      const state = session.state();
      if (state.kind === 'out' && state.notice?.type === 'ended') keptDrafts.keep(name, place, last.current);
    };
  }, [name]);
}
