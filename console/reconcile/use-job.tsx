import { useEffect, useState } from 'react';
import { endpoint as getReconciliation } from '../../functions/api/reconciliations/get/endpoint.ts';
import { type ApiFailure, call, type ReplyOf } from '../api/client.tsx';
import { failureOf } from '../ui/use-load.tsx';

export type Job = ReplyOf<typeof getReconciliation>;

const INTERVAL_MS = 2000;

const isMoving = ({ state }: Job) => state === 'applying';

/** How far a reconciliation is, asked for again and again until it goes no further by itself. */
export function useJob(planId: string): { job: Job | undefined; failure: ApiFailure | undefined; retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [job, setJob] = useState<Job>();
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const found = await call(getReconciliation, { params: { plan_id: planId } }, { signal });
        if (signal.aborted) return;
        setJob(found);
        if (isMoving(found)) timer = setTimeout(() => void look(), INTERVAL_MS);
      } catch (error) {
        if (!signal.aborted) setFailure(failureOf(error));
      }
    };
    setFailure(undefined);
    void look();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [planId, attempt]);
  return { job, failure, retry: () => setAttempt((last) => last + 1) };
}
