import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import { endpoint as reconcile } from '../../functions/api/reconciliations/apply/endpoint.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { call, parsedBy, requestOf as callOf, violationsOf } from '../api/client.tsx';
import { CurlSection } from '../ui/show-curl.tsx';
import { equal, textIn } from '../model/draft.ts';
import { keptDrafts, useKeptDraft } from '../model/kept-drafts.tsx';
import { incompleteRequestOf, NotJson, type ReconcileForm, requestOf } from './reconcile-form.ts';
import { go, href, useRoute } from '../ui/route.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { LeaveDialog } from '../ui/leave-dialog.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { PlanResult, type PlanWithRequest, summaryOf } from './plan-result.tsx';
import { ReconcileFields } from './reconcile-fields.tsx';
import { ReconcileJob } from './reconcile-job.tsx';
import { leaving, useUnsaved } from '../ui/leaving.tsx';
import { useAction, useSubmit } from '../ui/use-submit.tsx';

const empty: ReconcileForm = { namePrefix: '', selector: '', maxRemovals: '', desired: '' };

function violationsIn(form: ReconcileForm): readonly Violation[] {
  try {
    return violationsOf(reconcile.body, requestOf(form));
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return [{ field: 'desired', reason: 'invalid_format', message: error.message }];
  }
}

function keptForm(user: string): ReconcileForm {
  const kept = keptDrafts.get(user)?.draft ?? {};
  const text = (field: keyof ReconcileForm) => textIn(kept[field]);
  return {
    namePrefix: text('namePrefix'),
    selector: text('selector'),
    maxRemovals: text('maxRemovals'),
    desired: text('desired'),
  };
}

const firstSteps = (
  <Box color="text-body-secondary">
    Enter a scope and all objects that it must contain. The plan shows the differences, object by object. No changes are
    made until you apply it. Objects outside the scope never change.
  </Box>
);

interface FormProps {
  isPrimary: boolean;
  busy: boolean;
  submit: () => void;
  children: ReactNode;
}

function PlanForm({ isPrimary, busy, submit, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Container
        header={<Header variant="h2">Scope and desired objects</Header>}
        footer={
          <Box float="right">
            <Button variant={isPrimary ? 'primary' : 'normal'} loading={busy}>
              Plan
            </Button>
          </Box>
        }
      >
        <SpaceBetween size="l">{children}</SpaceBetween>
      </Container>
    </form>
  );
}

/** The form, its plan, and the application of the plan. A visit of the progress page keeps the form. */
function usePlanning() {
  const { name } = useCaller();
  const [form, setForm] = useState(() => keptForm(name));
  const [planned, setPlanned] = useState<PlanWithRequest>();
  const [applied, setApplied] = useState(empty);
  const [isAsking, setIsAsking] = useState(false);
  useKeptDraft(form, empty);
  useUnsaved(!equal(form, applied));

  const plan = useSubmit({
    check: () => violationsIn(form),
    send: async () => {
      apply.forget();
      try {
        const request = parsedBy(reconcile.body, requestOf(form));
        setPlanned({ form, request, plan: await call(reconcile, { body: request }), isApplied: false });
      } catch (error) {
        setPlanned(undefined);
        throw error;
      }
    },
  });
  const apply = useAction(async () => {
    const id = planned?.plan.plan_id;
    if (planned === undefined || id === undefined) return;
    try {
      const reply = await call(reconcile, { body: { mode: 'apply', plan_id: id } });
      setApplied(planned.form);
      leaving.release();
      if (reply.state === 'done') setPlanned({ ...planned, plan: reply, isApplied: true });
      else {
        setPlanned(undefined);
        go(href(['reconcile'], { plan_id: id }));
      }
    } finally {
      setIsAsking(false);
    }
  });

  const change = (next: ReconcileForm) => {
    setForm(next);
    plan.forget();
  };
  return { form, change, plan, apply, planned, isAsking, setIsAsking };
}

function Planning({ form, change, plan, apply, planned, isAsking, setIsAsking }: ReturnType<typeof usePlanning>) {
  return (
    <SpaceBetween size="l">
      <PlanForm isPrimary={planned === undefined} {...plan}>
        <ReconcileFields form={form} violations={plan.violations} onChange={change} />
        <CurlSection request={callOf(reconcile, { body: incompleteRequestOf(form) })} />
      </PlanForm>
      {plan.failure !== undefined && (
        <FailureAlert failure={plan.failure} what="No plan was made" retry={plan.submit} />
      )}
      {planned === undefined ? (
        plan.refusal === undefined && firstSteps
      ) : (
        <PlanResult
          planned={planned}
          isOutdated={planned.form !== form}
          failure={apply.failure}
          planAgain={plan.submit}
          apply={() => setIsAsking(true)}
        />
      )}
      <LiveRegion hidden>{planned === undefined ? '' : summaryOf(planned)}</LiveRegion>
      {isAsking && planned !== undefined && (
        <ApplyDialog
          plan={planned.plan}
          busy={apply.busy}
          apply={apply.submit}
          close={() => {
            if (!apply.busy) setIsAsking(false);
          }}
        />
      )}
    </SpaceBetween>
  );
}

/**
 * Inventory > Reconcile: plans the changes that give a scope its desired state, and applies them after a confirmation.
 */
function Reconcile() {
  usePageTitle('Reconcile');
  const { plan_id: planId } = useRoute().query;
  const planning = usePlanning();
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description="Compare a scope with its desired state, and apply the differences.">
        Reconcile
      </Header>
      {planId === undefined ? <Planning {...planning} /> : <ReconcileJob key={planId} planId={planId} />}
      <LeaveDialog />
    </SpaceBetween>
  );
}

export const ReconcilePage = pageWithRole('Reconcile', reconcile, Reconcile);
