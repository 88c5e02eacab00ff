import { type ComponentType, lazy, Suspense, useEffect, useMemo, useState } from 'react';
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
}

/** A page, whose script is loaded first, and again after the server could not be reached. */
export function LoadedPage({ load, path }: Props) {
  const [attempt, setAttempt] = useState(0);
  const [isLost, setLost] = useState(false);
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
    <FaultBoundary key={`${path} ${attempt}`} unreachable={() => setLost(true)}>
      <Suspense fallback={<PageLoading />}>
        <Page />
      </Suspense>
    </FaultBoundary>
  );
}
