import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useRef } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import type { ReconcilePlan, ReconcileRequest } from './plan-item.ts';
import type { ReconcileForm } from './reconcile-form.ts';
import { plural } from '../ui/words.ts';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Moment } from '../ui/moment.tsx';
import { PlanCounts } from './plan-counts.tsx';
import { PlanTable } from './plan-table.tsx';

export interface PlanWithRequest {
  /** The content of the form that was planned. The current content may differ. */
  form: ReconcileForm;
  request: ReconcileRequest;
  plan: ReconcilePlan;
  /** Whether the plan was applied and contains the outcomes. */
  isApplied: boolean;
}

/** The plan in one sentence. */
export function summaryOf({ plan: { add, change, remove, unchanged, blocked }, isApplied }: PlanWithRequest): string {
  if (isApplied) return 'The plan was applied.';
  if (add + change + remove === 0) return `No changes are required, ${plural(unchanged, 'object')} unchanged.`;
  return `To add ${add}, to change ${change}, to remove ${remove}, unchanged ${unchanged}, blocked ${blocked}.`;
}

function Verdict({ planned, isOutdated }: { planned: PlanWithRequest; isOutdated: boolean }) {
  const { plan, isApplied } = planned;
  const { progress, refusal, add, change, remove, blocked } = plan;
  if (refusal !== undefined)
    return (
      <Alert type="error" header="This plan will not be applied">
        {refusal}
      </Alert>
    );
  if (isApplied)
    return progress.failed === 0 ? (
      <Alert type="success" header="The plan was applied">
        {plural(progress.done, 'object')} added, changed or removed.
        {blocked > 0 && ` ${plural(blocked, 'object')} blocked. The reasons are below.`}
      </Alert>
    ) : (
      <Alert type="warning" header="The plan was applied, with failures">
        {progress.done} of {plural(progress.total, 'object')} done, {progress.failed} failed. The reasons are below.
      </Alert>
    );
  if (add + change + remove === 0)
    return <StatusIndicator type="success">No changes are required: all objects match.</StatusIndicator>;
  if (plan.plan_id === undefined)
    return (
      <Alert type="warning" header="No change is possible">
        All items are blocked. The reasons are below.
      </Alert>
    );
  if (isOutdated) return <Alert type="info">The request has changed since this plan was made. Make a new plan.</Alert>;
  return null;
}

interface ResultProps {
  planned: PlanWithRequest;
  isOutdated: boolean;
  failure: ApiFailure | undefined;
  planAgain: () => void;
  apply: () => void;
}

/** A plan or its result, with the button that applies it. */
export function PlanResult({ planned, isOutdated, failure, planAgain, apply }: ResultProps) {
  const { plan, request, isApplied } = planned;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), [plan]);
  const canApply = plan.plan_id !== undefined && !isApplied;
  const isStale = failure?.status === 412 || failure?.status === 404;

  return (
    <div ref={ref} className="result" tabIndex={-1} role="group" aria-label={isApplied ? 'Result' : 'Plan'}>
      <SpaceBetween size="l">
        <Container
          header={
            <Header
              variant="h2"
              description={
                canApply && plan.expires_at !== undefined ? (
                  <>
                    No changes were made yet. The plan can be applied until <Moment time={plan.expires_at} exact />.
                  </>
                ) : undefined
              }
              actions={
                canApply && (
                  <Button variant="primary" disabled={isOutdated || isStale} onClick={apply}>
                    Apply this plan
                  </Button>
                )
              }
            >
              {isApplied ? 'Result' : 'Plan'}
            </Header>
          }
        >
          <SpaceBetween size="m">
            {failure !== undefined &&
              (isStale ? (
                <Alert
                  type="warning"
                  header={failure.status === 412 ? 'The inventory has changed' : 'The plan has expired'}
                  action={<Button onClick={planAgain}>Make a new plan</Button>}
                >
                  {failure.message}
                </Alert>
              ) : (
                <FailureAlert
                  failure={failure}
                  what={
                    failure.status === 400
                      ? 'The plan was not applied'
                      : 'It is unknown whether the plan was applied. Applying it again is safe'
                  }
                  retry={failure.status === 400 ? planAgain : apply}
                />
              ))}
            <Verdict planned={planned} isOutdated={isOutdated} />
            <PlanCounts plan={plan} />
          </SpaceBetween>
        </Container>
        {plan.items.length > 0 && <PlanTable key={plan.plan_id ?? 'none'} plan={plan} desired={request.desired} />}
      </SpaceBetween>
    </div>
  );
}
