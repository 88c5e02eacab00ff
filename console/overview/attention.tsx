import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type AttentionReason, EXPIRY_DAYS, UNSEEN_MINUTES } from '../../functions/domain/records/summary.ts';
import { agents, shortId } from '../model/kinds.tsx';
import { ObjectLink } from '../objects/cells/object-link.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { href } from '../ui/route.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { type Finding, findingsOf } from './findings.ts';
import { type Attention, exampleHref, listHref, type Summary } from './links.ts';
import { Small } from '../ui/small.tsx';
import { plural, numberText } from '../ui/words.ts';

interface Meaning {
  look: StatusIndicatorProps.Type;
  text: (noun: string) => string;
  /** The next step of an operator. */
  advice: string;
}

const meanings: Readonly<Record<AttentionReason, Meaning>> = {
  no_live_member: {
    look: 'error',
    text: (noun) => `${noun} without a live member`,
    advice: 'No service of the cluster reports. Begin here.',
  },
  never_seen: {
    look: 'warning',
    text: (noun) => `${noun} never seen`,
    advice: `No report for ${UNSEEN_MINUTES} minutes since they were added. Is a pmm-agent, or the command line, set up there?`,
  },
  offline: {
    look: 'error',
    text: (noun) => `${noun} offline`,
    advice: 'No report for a long time. Check the hosts and their network.',
  },
  stale: {
    look: 'warning',
    text: (noun) => `${noun} stale`,
    advice: 'The last report is late.',
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
  not_collected: {
    look: 'warning',
    text: (noun) => `${noun} whose metrics nobody collects`,
    advice:
      'They push their metrics, and their node has no vm_agent. Let Prometheus scrape them, or declare its vmagent.',
  },
  connected_twice: {
    look: 'warning',
    text: (noun) => `${noun} whose id a second host uses`,
    advice: 'The second one is refused, and its log says so: often a copied image. Set that host up for itself.',
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
  cluster: ['cluster', 'clusters'],
  reconciliation: ['reconciliation', 'reconciliations'],
  cleanup: ['cleanup', 'cleanups'],
  api_key: ['API key', 'API keys'],
  enrolment_token: ['enrolment token', 'enrolment tokens'],
};

function textOf({ reason, kind, count }: Attention): string {
  const [singular, many] = nouns[kind];
  return `${numberText(count)} ${meanings[reason].text(count === 1 ? singular : many)}`;
}

/** `60 services on them`: the objects that a finding affects as well. */
function Effect({ effect }: { effect: Attention }) {
  const [singular, many] = nouns[effect.kind];
  const text = `${numberText(effect.count)} ${effect.count === 1 ? singular : many}`;
  const list = listHref(effect);
  return (
    <Small>
      With{' '}
      {list === undefined ? (
        text
      ) : (
        <Link href={list} fontSize="body-s">
          {text}
        </Link>
      )}{' '}
      on them
    </Small>
  );
}

/** `57 of 86 in ap-southeast-2, 29 of 86 in eu-central-1`, as links; a line for each label. */
function Places({ of: finding }: { of: Attention }) {
  const byLabel = Map.groupBy(finding.places ?? [], ({ label }) => label);
  return [...byLabel].map(([label, places]) => (
    <Small key={label}>
      {places.map(({ value, count }, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <Link href={listHref(finding, { [label]: value })} fontSize="body-s">
            {`${numberText(count)} of ${numberText(finding.count)} in `}
            <bdi>{value}</bdi>
          </Link>
        </span>
      ))}
    </Small>
  ));
}

function FindingText({ finding }: { finding: Finding }) {
  const { main, effects } = finding;
  const list = listHref(main);
  const text = textOf(main);
  return (
    <>
      <StatusIndicator type={meanings[main.reason].look}>
        {list === undefined ? text : <Link href={list}>{text}</Link>}
      </StatusIndicator>
      <Places of={main} />
      {effects.map((effect) => (
        <Effect key={effect.kind} effect={effect} />
      ))}
      <Small>{meanings[main.reason].advice}</Small>
    </>
  );
}

function Examples({ of: { kind, count, examples, places } }: { of: Attention }) {
  const more = count - examples.length;
  return (
    <SpaceBetween size="xxs" direction="horizontal">
      {examples.map(({ id, name }) => {
        if (kind === 'cleanup') return <Moment key={id} time={id} />;
        // Without places the service has not read its node, which is a part of its name.
        if (kind === 'agent' && places === undefined) return <ObjectLink key={id} kind={agents} id={id} />;
        const to = exampleHref(kind, id);
        const text = name ?? shortId(id);
        return to === undefined ? (
          <Words key={id} text={text} />
        ) : (
          <Link key={id} href={to}>
            <Words text={text} />
          </Link>
        );
      })}
      {more > 0 && <span>and {numberText(more)} more</span>}
    </SpaceBetween>
  );
}

const columns: TableProps.ColumnDefinition<Finding>[] = [
  {
    id: 'finding',
    header: 'Finding',
    isRowHeader: true,
    cell: (finding) => <FindingText finding={finding} />,
  },
  { id: 'examples', header: 'Examples', cell: (finding) => <Examples of={finding.main} /> },
];

/** Where there is little room: all of a finding in one cell. */
const narrowColumns: TableProps.ColumnDefinition<Finding>[] = [
  {
    id: 'finding',
    header: 'Finding',
    isRowHeader: true,
    cell: (finding) => (
      <>
        <FindingText finding={finding} />
        <Examples of={finding.main} />
      </>
    ),
  },
];

/** The objects that need no attention for the time being. */
const silencedIn = ({ nodes, services, agents: ofAgents }: Summary) =>
  nodes.silenced + services.silenced + ofAgents.silenced;

/** Findings for the operator, the worst first. */
export function AttentionList({ summary }: { summary: Summary }) {
  const narrow = useNarrow();
  const findings = findingsOf(summary.attention);
  const silenced = silencedIn(summary);
  return (
    <Table
      items={findings}
      trackBy={({ main: { reason, kind } }) => `${reason} ${kind}`}
      wrapLines
      ariaLabels={{ tableLabel: 'Needs attention' }}
      columnDefinitions={narrow ? narrowColumns : columns}
      header={
        <Header
          variant="h2"
          counter={findings.length === 0 ? undefined : `(${findings.length})`}
          description={
            silenced > 0 && (
              <>
                Without <Link href={href(['silences'])}>{plural(silenced, 'silenced object')}</Link>
              </>
            )
          }
        >
          Needs attention
        </Header>
      }
      empty={<StatusIndicator type="success">Nothing needs attention</StatusIndicator>}
    />
  );
}
