import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type AttentionReason, EXPIRY_DAYS } from '../../functions/domain/records/summary.ts';
import { shortId } from '../model/kinds.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { labelOf } from '../ui/words.ts';
import { type Attention, exampleHref, listHref } from './links.ts';
import { Small } from '../ui/small.tsx';

interface Meaning {
  look: StatusIndicatorProps.Type;
  text: (noun: string) => string;
  /** The next step of an operator. */
  advice: string;
}

const meanings: Readonly<Record<AttentionReason, Meaning>> = {
  offline: {
    look: 'error',
    text: (noun) => `${noun} offline`,
    advice: 'No report for longer than offline_after. Check the hosts and their network.',
  },
  stale: {
    look: 'warning',
    text: (noun) => `${noun} stale`,
    advice: 'No report for longer than stale_after.',
  },
  waiting: {
    look: 'warning',
    text: (noun) => `${noun} waiting`,
    advice: 'They ended with an error and wait for a restart. Check the address and the password of the database.',
  },
  not_running: {
    look: 'warning',
    text: (noun) => `${noun} not running`,
    advice: 'Enabled, but reported as starting, stopping or done.',
  },
  removal_interrupted: {
    look: 'warning',
    text: (noun) => `interrupted removals of ${noun}`,
    advice: 'A forced removal began more than a minute ago. The service continues it by itself.',
  },
  reconciliation_failed: {
    look: 'error',
    text: () => 'failed reconciliations',
    advice: 'In the last day, a plan stopped or one of its steps failed.',
  },
  cleanup_stopped: {
    look: 'warning',
    text: () => 'cleanup stopped',
    advice: 'Too many nodes were due at once: the safety threshold stopped the last scheduled cleanup.',
  },
  expires_soon: {
    look: 'warning',
    text: (noun) => `${noun} that expire within ${EXPIRY_DAYS} days`,
    advice: 'Rotate keys in use before they expire.',
  },
};

const nouns: Readonly<Record<Attention['kind'], readonly [one: string, many: string]>> = {
  node: ['node', 'nodes'],
  service: ['service', 'services'],
  agent: ['agent', 'agents'],
  reconciliation: ['reconciliation', 'reconciliations'],
  cleanup: ['cleanup', 'cleanups'],
  api_key: ['API key', 'API keys'],
  enrolment_token: ['enrolment token', 'enrolment tokens'],
};

function textOf({ reason, kind, count }: Attention): string {
  const [one, many] = nouns[kind];
  return `${count} ${meanings[reason].text(count === 1 ? one : many)}`;
}

function Finding({ finding }: { finding: Attention }) {
  const list = listHref(finding);
  const text = textOf(finding);
  return (
    <>
      <StatusIndicator type={meanings[finding.reason].look}>
        {list === undefined ? text : <Link href={list}>{text}</Link>}
      </StatusIndicator>
      <Small>{meanings[finding.reason].advice}</Small>
    </>
  );
}

function Examples({ finding: { kind, count, examples } }: { finding: Attention }) {
  const more = count - examples.length;
  return (
    <SpaceBetween size="xxs" direction="horizontal">
      {examples.map(({ id, name }) => {
        if (kind === 'cleanup') return <Moment key={id} time={id} />;
        const to = exampleHref(kind, id);
        const text = kind === 'agent' ? `${name ?? labelOf(kind)} ${shortId(id)}` : (name ?? shortId(id));
        return to === undefined ? (
          <Words key={id} text={text} />
        ) : (
          <Link key={id} href={to}>
            <Words text={text} />
          </Link>
        );
      })}
      {more > 0 && <span>and {more} more</span>}
    </SpaceBetween>
  );
}

const columns: TableProps.ColumnDefinition<Attention>[] = [
  {
    id: 'finding',
    header: 'Finding',
    isRowHeader: true,
    cell: (finding) => <Finding finding={finding} />,
  },
  { id: 'examples', header: 'Examples', cell: (finding) => <Examples finding={finding} /> },
];

/** Where there is little room: all of a finding in one cell. */
const narrowColumns: TableProps.ColumnDefinition<Attention>[] = [
  {
    id: 'finding',
    header: 'Finding',
    isRowHeader: true,
    cell: (finding) => (
      <>
        <Finding finding={finding} />
        <Examples finding={finding} />
      </>
    ),
  },
];

/** Findings for the operator, the worst first. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  const narrow = useNarrow();
  return (
    <Table
      items={attention}
      trackBy={({ reason, kind }) => `${reason} ${kind}`}
      wrapLines
      ariaLabels={{ tableLabel: 'Needs attention' }}
      columnDefinitions={narrow ? narrowColumns : columns}
      header={
        <Header variant="h2" counter={attention.length === 0 ? undefined : `(${attention.length})`}>
          Needs attention
        </Header>
      }
      empty={<StatusIndicator type="success">Nothing needs attention</StatusIndicator>}
    />
  );
}
