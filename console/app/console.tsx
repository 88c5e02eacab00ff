import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiFailure } from '../api/client.tsx';
import { FaultBoundary } from './fault-boundary.tsx';
import { restoreSession } from './log-in.tsx';
import { LoginPage } from './login-page.tsx';
import { removeStoredIndex } from '../search-index/remove-stored-index.tsx';
import { INVITATION } from '../users/invitation-path.ts';
import { useRoute } from '../ui/route.tsx';
import { Notice } from './notice.tsx';
import { finishProviderLogIn, isProviderReturn } from './provider-log-in.tsx';
import { session } from '../api/session.tsx';

/** A script of its own: it names the scripts of all pages, which the log-in page does not need. */
const loadShell = async () => (await import('./load-shell.tsx')).loadShell();

const Shell = lazy(loadShell);

const InvitationPage = lazy(() => import('./invitation-page.tsx'));

function Loading() {
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}

/** Restores the session whose key the tab has stored. */
function Restore() {
  const [failure, setFailure] = useState<string>();
  const restore = () => {
    setFailure(undefined);
    // Loads the next script at once: most keys are still valid.
    loadShell().catch(() => undefined);
    restoreSession().catch((error: unknown) => {
      // A refused key has already opened the log-in page.
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error.message);
    });
  };
  useEffect(restore, []);
  if (failure === undefined) return <Loading />;
  return (
    <main className="login">
      <div className="login-card">
        <Notice type="error">{failure}</Notice>
        <button type="button" className="login-button" onClick={restore}>
          Try again
        </button>
      </div>
    </main>
  );
}

/** Finishes the log-in that an identity provider has redirected here. */
function ProviderReturn({ onEnd }: { onEnd: () => void }) {
  useEffect(() => {
    void finishProviderLogIn().finally(onEnd);
  }, [onEnd]);
  return <Loading />;
}

/** The log-in page or, with a session, the console; never both. The link of an invitation has a page of its own. */
export function Console() {
  const state = useSyncExternalStore(session.subscribe, session.state);
  const { segments, query } = useRoute();
  const [isReturning, setIsReturning] = useState(isProviderReturn);
  const endReturn = useCallback(() => setIsReturning(false), []);
  const isOut = state.kind === 'out';
  // Also removes the index of a tab that was closed without a log-out.
  useEffect(() => {
    if (isOut) removeStoredIndex();
  }, [isOut]);
  if (isReturning) return <ProviderReturn onEnd={endReturn} />;
  if (segments[0] === INVITATION)
    return (
      <Suspense fallback={<Loading />}>
        <InvitationPage query={query} />
      </Suspense>
    );
  switch (state.kind) {
    case 'out':
      return <LoginPage notice={state.notice} />;
    case 'restoring':
      return <Restore />;
    case 'in':
      return (
        <FaultBoundary>
          <Suspense fallback={<Loading />}>
            <Shell caller={state.caller} />
          </Suspense>
        </FaultBoundary>
      );
  }
}
