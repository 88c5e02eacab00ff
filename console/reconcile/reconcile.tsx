import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useRef, useState } from 'react';
import { endpoint as reconcile } from '../../functions/api/reconciliations/apply/endpoint.ts';
import type { Violation } from '../../shared/http/errors.ts';
import { type ApiFailure, call, parsedBy } from '../api/client.tsx';
import { equal, textIn } from '../model/draft.ts';
import { keptDrafts } from '../model/kept-drafts.ts';
import { forgetObjects } from '../model/object-cache.tsx';
import type { ReconcilePlan, ReconcileRequest } from './plan-item.ts';
import { NotJson, type ReconcileForm, requestOf } from './reconcile-form.ts';
import { plural } from '../ui/words.ts';
import { leaving } from '../ui/leaving.tsx';
import { go, href, useRoute } from '../ui/route.tsx';
import { violationsOf } from '../objects/add-form.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { LeaveDialog } from '../ui/leave-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { PlanCounts } from './plan-counts.tsx';
import { PlanTable } from './plan-table.tsx';
import { ReconcileFields } from './reconcile-fields.tsx';
import { ReconcileJob } from './reconcile-job.tsx';
import { useKeptDraft } from '../model/use-kept-draft.tsx';
import { useUnsaved } from '../ui/use-unsaved.tsx';
import { failureOf } from '../ui/use-load.tsx';
import { forgetPositions } from '../ui/use-pages.tsx';

interface Planned {
  /** The form that it was planned from; what is written now may be another. */
  form: ReconcileForm;
  request: ReconcileRequest;
  plan: ReconcilePlan;
  /** It was applied, and this is what became of it. */
  isApplied: boolean;
}

const empty: ReconcileForm = { namePrefix: '', selector: '', maxRemovals: '', desired: '' };

function violationsIn(form: ReconcileForm): readonly Violation[] {
  try {
    const request = requestOf(form);
    return violationsOf(() => parsedBy(reconcile.body, request));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return [{ field: 'desired', reason: 'invalid_format', message: error.message }];
  }
}

function focusFirstError(): void {
  // After the errors are on the page.
  setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
}

function summaryOf({ plan: { add, change, remove, unchanged, blocked }, isApplied }: Planned): string {
  if (isApplied) return 'The plan was applied.';
  if (add + change + remove === 0) return `No changes are required, ${plural(unchanged, 'object')} unchanged.`;
  return `To add ${add}, to change ${change}, to remove ${remove}, unchanged ${unchanged}, blocked ${blocked}.`;
}

function Verdict({ planned, isOutdated }: { planned: Planned; isOutdated: boolean }) {
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
  planned: Planned;
  isOutdated: boolean;
  failure: ApiFailure | undefined;
  planAgain: () => void;
  apply: () => void;
}

/** What a plan would do, or has done, and the way to do it. */
function Result({ planned, isOutdated, failure, planAgain, apply }: ResultProps) {
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

const firstSteps = (
  <Box color="text-body-secondary">
    Enter a scope and all objects that it must contain. The plan shows the differences, object by object. No changes are
    made until you apply it. Objects outside the scope never change.
  </Box>
);

/** Inventory > Reconcile: makes a part of the inventory what it should be, after a look at what that would do. */
export function Reconcile() {
  usePageTitle('Reconcile');
  const { plan_id: planId } = useRoute().query;
  const { name } = useCaller();
  const [form, setForm] = useState<ReconcileForm>(() => {
    const kept = keptDrafts.take(name, location.hash);
    if (kept === undefined) return empty;
    const text = (field: keyof ReconcileForm) => textIn(kept.draft[field]);
    return {
      namePrefix: text('namePrefix'),
      selector: text('selector'),
      maxRemovals: text('maxRemovals'),
      desired: text('desired'),
    };
  });
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState<'plan' | 'apply'>();
  const [planned, setPlanned] = useState<Planned>();
  const [planFailure, setPlanFailure] = useState<ApiFailure>();
  const [applyFailure, setApplyFailure] = useState<ApiFailure>();
  const [isAsking, setIsAsking] = useState(false);
  const [applied, setApplied] = useState<ReconcileForm>(empty);
  useKeptDraft(form, empty);
  useUnsaved(!equal(form, applied));

  const found = tried ? violationsIn(form) : [];
  const violations = [...found, ...(planFailure?.details ?? [])];

  const plan = async () => {
    setTried(true);
    if (violationsIn(form).length > 0) {
      focusFirstError();
      return;
    }
    setBusy('plan');
    setPlanFailure(undefined);
    setApplyFailure(undefined);
    try {
      const request = parsedBy(reconcile.body, requestOf(form));
      const reply = await call(reconcile, { body: request });
      setPlanned({ form, request, plan: reply, isApplied: false });
    } catch (error) {
      setPlanned(undefined);
      setPlanFailure(failureOf(error));
    }
    setBusy(undefined);
  };

  const apply = async () => {
    const id = planned?.plan.plan_id;
    if (planned === undefined || id === undefined) return;
    setBusy('apply');
    setApplyFailure(undefined);
    try {
      const reply = await call(reconcile, { body: { mode: 'apply', plan_id: id } });
      setApplied(planned.form);
      leaving.release();
      if (reply.state === 'done') setPlanned({ ...planned, plan: reply, isApplied: true });
      else {
        setPlanned(undefined);
        go(href(['reconcile'], { plan_id: id }));
      }
    } catch (error) {
      setApplyFailure(failureOf(error));
    }
    // Also of what has failed some may be done.
    forgetObjects();
    forgetPositions();
    setIsAsking(false);
    setBusy(undefined);
  };

  const isOutdated = planned !== undefined && planned.form !== form;
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description="Compare a scope with its desired state, and apply the differences.">
        Reconcile
      </Header>
      {planId !== undefined ? (
        <ReconcileJob key={planId} planId={planId} />
      ) : (
        <SpaceBetween size="l">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void plan();
            }}
          >
            <Container
              header={<Header variant="h2">Scope and desired objects</Header>}
              footer={
                <Box float="right">
                  <Button variant={planned === undefined ? 'primary' : 'normal'} loading={busy === 'plan'}>
                    Plan
                  </Button>
                </Box>
              }
            >
              <ReconcileFields
                form={form}
                violations={violations}
                onChange={(next) => {
                  setForm(next);
                  setPlanFailure(undefined);
                }}
              />
            </Container>
          </form>
          {planFailure !== undefined && planFailure.details.length === 0 && (
            <FailureAlert failure={planFailure} what="No plan was made" retry={() => void plan()} />
          )}
          {planned === undefined ? (
            planFailure === undefined && firstSteps
          ) : (
            <Result
              planned={planned}
              isOutdated={isOutdated}
              failure={applyFailure}
              planAgain={() => void plan()}
              apply={() => setIsAsking(true)}
            />
          )}
        </SpaceBetween>
      )}
      <LeaveDialog />
      <LiveRegion hidden>{planned === undefined ? '' : summaryOf(planned)}</LiveRegion>
      {isAsking && planned !== undefined && (
        <ApplyDialog
          plan={planned.plan}
          busy={busy === 'apply'}
          apply={() => void apply()}
          close={() => {
            if (busy === undefined) setIsAsking(false);
          }}
        />
      )}
    </SpaceBetween>
  );
}
