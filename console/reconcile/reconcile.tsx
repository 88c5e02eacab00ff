import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { endpoint as reconcile } from '../../functions/api/reconciliations/apply/endpoint.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { type ApiFailure, call, parsedBy, requestOf as callOf } from '../api/client.tsx';
import { CurlSection } from '../ui/show-curl.tsx';
import { equal, textIn } from '../model/draft.ts';
import { keptDrafts } from '../model/kept-drafts.ts';
import { incompleteRequestOf, NotJson, type ReconcileForm, requestOf } from './reconcile-form.ts';
import { go, href, useRoute } from '../ui/route.tsx';
import { violationsOf } from '../objects/form/add-form.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { LeaveDialog } from '../ui/leave-dialog.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { PlanResult, type PlanWithRequest, summaryOf } from './plan-result.tsx';
import { ReconcileFields } from './reconcile-fields.tsx';
import { ReconcileJob } from './reconcile-job.tsx';
import { useKeptDraft } from '../model/use-kept-draft.tsx';
import { leaving, useUnsaved } from '../ui/leaving.tsx';
import { failureOf } from '../ui/use-load.tsx';

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
  const [planned, setPlanned] = useState<PlanWithRequest>();
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
              <SpaceBetween size="l">
                <ReconcileFields
                  form={form}
                  violations={violations}
                  onChange={(next) => {
                    setForm(next);
                    setPlanFailure(undefined);
                  }}
                />
                <CurlSection request={callOf(reconcile, { body: incompleteRequestOf(form) })} />
              </SpaceBetween>
            </Container>
          </form>
          {planFailure !== undefined && planFailure.details.length === 0 && (
            <FailureAlert failure={planFailure} what="No plan was made" retry={() => void plan()} />
          )}
          {planned === undefined ? (
            planFailure === undefined && firstSteps
          ) : (
            <PlanResult
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
