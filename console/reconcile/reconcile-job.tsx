import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useRef } from 'react';
import { nameOfItem } from './plan-item.ts';
import { forgetObjects } from '../model/object-cache.tsx';
import { plural } from '../ui/words.ts';
import { href } from '../ui/route.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Moment } from '../ui/moment.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { Action } from './plan-table.tsx';
import { type Job, useJob } from './use-job.tsx';
import { forgetPositions } from '../ui/use-pages.tsx';

function Progress({ job: { state, progress } }: { job: Job }) {
  const { total, done, failed } = progress;
  const settled = done + failed;
  const counts = `${done} of ${plural(total, 'object')} done${failed === 0 ? '' : `, ${failed} failed`}`;
  return (
    <ProgressBar
      value={total === 0 ? 100 : Math.floor((100 * settled) / total)}
      label={state === 'applying' ? 'Applying the plan' : 'Progress'}
      description={state === 'applying' ? 'It goes on by itself, also when you leave this page.' : undefined}
      additionalInfo={counts}
    />
  );
}

function Told({ job }: { job: Job }) {
  const { state, reason, progress } = job;
  if (state === 'applying') return null;
  if (state === 'planned')
    return (
      <Alert type="info" header="Planned, and not applied">
        What it would do is shown only where it was planned. Plan again to see what has to be done now.
      </Alert>
    );
  if (state === 'stopped')
    return (
      <Alert type="error" header="It stopped before all of it was done">
        {reason} Plan again to see what is left.
      </Alert>
    );
  if (state === 'cancelled')
    return (
      <Alert type="warning" header="It was cancelled">
        {job.cancelled_by === undefined ? '' : `${job.cancelled_by.name} cancelled it. `}Plan again to see what is left.
      </Alert>
    );
  return progress.failed === 0 ? (
    <StatusIndicator type="success">Done</StatusIndicator>
  ) : (
    <StatusIndicator type="warning">Done, except for what failed</StatusIndicator>
  );
}

function Failures({ job: { failures, progress } }: { job: Job }) {
  if (failures.length === 0) return null;
  return (
    <div>
      <Box variant="h3">What failed</Box>
      <ul className="named">
        {failures.map(({ item, message }, index) => (
          <li key={index}>
            <Action item={item} /> {item.kind} <b className="any-word">{nameOfItem(item)}</b>:{' '}
            <span className="any-word">{message}</span>
          </li>
        ))}
        {progress.failed > failures.length && <li>and {progress.failed - failures.length} more</li>}
      </ul>
    </div>
  );
}

/** How far a plan is that is being applied, under an address of its own. */
export function ReconcileJob({ planId }: { planId: string }) {
  const { job, failure, retry } = useJob(planId);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), [planId]);
  const count = job?.progress.done;
  useEffect(() => {
    forgetObjects();
    forgetPositions();
  }, [count]);

  return (
    <div ref={ref} className="result" tabIndex={-1} aria-label="How far it is" role="group">
      <Container
        header={
          <Header
            variant="h2"
            description={job === undefined ? undefined : <>Planned {<Moment time={job.created_at} exact />}.</>}
            actions={<Button href={href(['reconcile'])}>Plan something else</Button>}
          >
            How far it is
          </Header>
        }
      >
        <SpaceBetween size="m">
          {failure !== undefined && (
            <FailureAlert
              failure={failure}
              what={failure.status === 404 ? 'This plan is not there' : 'How far it is could not be asked'}
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
