import Header from '@cloudscape-design/components/header';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { JobName, JobState } from '../../functions/domain/records/jobs.ts';
import { shortId } from '../model/kinds.tsx';
import { Moment } from '../ui/moment.tsx';
import type { Summary } from './links.ts';
import { numberText } from '../ui/words.ts';

type Job = Summary['jobs'][number];

const names: Readonly<Record<JobName, string>> = {
  cleanup: 'Scheduled cleanup',
  state_events: 'Pass over the states',
  count: 'Count of the objects',
  reopening: 'Search for removals of an older release',
  indexing: 'Index of the objects of an older release',
  forced_removal: 'Forced removal',
  reconciliation: 'Reconciliation',
};

const looks: Readonly<Record<JobState, StatusIndicatorProps.Type>> = {
  running: 'in-progress',
  waiting: 'pending',
  stopped: 'error',
  done: 'success',
};

const columns: TableProps.ColumnDefinition<Job>[] = [
  {
    id: 'job',
    header: 'Job',
    isRowHeader: true,
    cell: ({ job, id }) => (id === undefined ? names[job] : `${names[job]} ${shortId(id)}`),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, reason }) => (
      <StatusIndicator type={looks[state]}>{reason === undefined ? state : `${state}: ${reason}`}</StatusIndicator>
    ),
  },
  { id: 'begun', header: 'Begun', cell: ({ begun_at: time }) => <Moment time={time} /> },
  {
    id: 'progress',
    header: 'Steps',
    cell: ({ done, total }) =>
      done === undefined || total === undefined ? '' : `${numberText(done)} of ${numberText(total)}`,
  },
];

/** The jobs that have not ended; nothing if all have. */
export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  const open = jobs.filter(({ state }) => state !== 'done');
  if (open.length === 0) return null;
  return (
    <Table
      items={open}
      trackBy={({ job, id = '' }) => `${job} ${id}`}
      wrapLines
      ariaLabels={{ tableLabel: 'Jobs' }}
      columnDefinitions={columns}
      header={
        <Header
          variant="h2"
          counter={`(${numberText(open.length)})`}
          description="The service continues them; it shows stopped ones for a day."
        >
          Jobs
        </Header>
      }
    />
  );
}
