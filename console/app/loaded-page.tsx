import { type ComponentType, lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { connection } from '../api/connection.ts';
import { PageLoading } from '../ui/page-loading.tsx';
import { FaultBoundary } from './fault-boundary.tsx';

type Load = () => Promise<{ default: ComponentType }>;

/** The pages whose scripts are loaded or on their way. */
const pages = new Map<Load, ReturnType<typeof lazy>>();

function pageOf(load: Load) {
  const page = pages.get(load) ?? lazy(load);
  pages.set(load, page);
  return page;
}

interface Props {
  /** Loads the script of the page: one function for each page. */
  load: Load;
  /** Another address is another page. */
  path: string;
  /** Loads the whole console again. */
  reload?: () => void;
}

/**
 * A page, whose script is loaded first, and again after the server could not be reached. Chromium keeps the failure of a
 * script for the life of a document (https://github.com/whatwg/html/issues/6768): a second failure reloads the console.
 */
export function LoadedPage({ load, path, reload = () => location.reload() }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [isLost, setLost] = useState(false);
  // The frame is drawn first: with the page in the same task, the browser would answer nothing for too long.
  const isFrameDrawn = useDeferredValue(true, false);
  const Page = useMemo(() => pageOf(load), [load, attempt]);
  useEffect(() => {
    if (!isLost) return undefined;
    return connection.subscribe(() => {
      if (connection.lostAt() !== undefined) return;
      pages.delete(load);
      setLost(false);
      setAttempt((count) => count + 1);
    });
  }, [isLost, load]);
  return (
    <FaultBoundary
      key={`${path} ${attempt}`}
      unreachable={() => setLost(true)}
      reachable={() => {
        if (attempt > 0) reload();
      }}
    >
      {isFrameDrawn && (
        <Suspense fallback={<PageLoading />}>
          <Page />
        </Suspense>
      )}
    </FaultBoundary>
  );
}
