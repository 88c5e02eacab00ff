import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { forgetInventory } from '../api/queries.tsx';
import { Fragment, useEffect, useRef } from 'react';
import { nameOfItem } from './plan-item.ts';
import { plural } from '../ui/words.ts';
import { href } from '../ui/route.tsx';
import { FirstItems, KindAndName } from '../ui/first-items.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { Action } from './plan-table.tsx';
import { type Job, useJob } from './use-job.tsx';

function Progress({ job: { state, progress } }: { job: Job }) {
  const { total, done, failed } = progress;
  const finished = done + failed;
  const counts = `${done} of ${plural(total, 'object')} done${failed === 0 ? '' : `, ${failed} failed`}`;
  return (
    <ProgressBar
      value={total === 0 ? 100 : Math.floor((100 * finished) / total)}
      label={state === 'applying' ? 'Applying the plan' : 'Progress'}
      description={
        state === 'applying' ? 'The service continues in the background, also if you leave this page.' : undefined
      }
      additionalInfo={counts}
    />
  );
}

function Told({ job }: { job: Job }) {
  const { state, reason, progress } = job;
  if (state === 'applying') return null;
  if (state === 'planned')
    return (
      <Alert type="info" header="Planned, not applied">
        The changes are shown only where the plan was made. Make a new plan to see the current differences.
      </Alert>
    );
  if (state === 'stopped')
    return (
      <Alert type="error" header="Stopped before completion">
        {reason} Make a new plan to see the remaining changes.
      </Alert>
    );
  if (state === 'cancelled')
    return (
      <Alert type="warning" header="Cancelled">
        {job.cancelled_by === undefined ? '' : `Cancelled by ${job.cancelled_by.name}. `}Make a new plan to see the
        remaining changes.
      </Alert>
    );
  return progress.failed === 0 ? (
    <StatusIndicator type="success">Done</StatusIndicator>
  ) : (
    <StatusIndicator type="warning">Done, with failures</StatusIndicator>
  );
}

function Failures({ job: { failures, progress } }: { job: Job }) {
  if (failures.length === 0) return null;
  return (
    <div>
      <Box variant="h3">Failures</Box>
      <FirstItems
        max={Infinity}
        total={progress.failed}
        items={failures.map(({ item, message }, index) => (
          <Fragment key={index}>
            <Action item={item} /> <KindAndName kind={item.kind} name={nameOfItem(item)} />:{' '}
            <bdi className="any-word">{message}</bdi>
          </Fragment>
        ))}
      />
    </div>
  );
}

/** The progress of a plan that is being applied. Its address contains the plan. */
export function ReconcileJob({ planId }: { planId: string }) {
  const { job, failure, retry } = useJob(planId);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), [planId]);
  const count = job?.progress.done;
  useEffect(forgetInventory, [count]);

  return (
    <div ref={ref} className="result" tabIndex={-1} aria-label="Progress" role="group">
      <Container
        header={
          <Header
            variant="h2"
            description={job === undefined ? undefined : <>Planned {<Moment time={job.created_at} exact />}.</>}
            actions={<Button href={href(['reconcile'])}>Make another plan</Button>}
          >
            Progress
          </Header>
        }
      >
        <SpaceBetween size="m">
          {failure !== undefined && (
            <FailureAlert
              failure={failure}
              what={failure.status === 404 ? 'This plan does not exist' : 'The progress could not be loaded'}
              {...(failure.status === 404 ? {} : { retry })}
            />
          )}
          {job === undefined ? (
            failure === undefined && <PageLoading />
          ) : (
            <>
              {job.state !== 'planned' && <Progress job={job} />}
              <Told job={job} />
              <Failures job={job} />
            </>
          )}
        </SpaceBetween>
      </Container>
    </div>
  );
}
