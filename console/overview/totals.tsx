import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { states } from '../../functions/domain/fields/liveness.ts';
import { stateWords } from '../model/health.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';
import { numberText, plural } from '../ui/words.ts';
import {
  allHref,
  countedKinds,
  type CountedKind,
  kindTitles,
  liveMembersHref,
  stateHref,
  type Summary,
  typeHref,
} from './links.ts';

/** Types that are shown at once: all of them would be longer than the rest of the page. */
const MAX_TYPES = 4;

/** A number that leads to the list of what it counts. The section around it names the kind. */
function Count({ count, href, of }: { count: number; href: string; of: string }) {
  return (
    <Link href={href} ariaLabel={`${numberText(count)} ${of}`}>
      {numberText(count)}
    </Link>
  );
}

type Counts = readonly (readonly [type: string, count: number])[];

function Types({ kind, counts }: { kind: CountedKind; counts: Counts }) {
  return (
    <ul className="counted">
      {counts.map(([type, count]) => (
        <li key={type}>
          <bdi className="any-word">{type}</bdi>
          <Count count={count} href={typeHref(kind, type)} of={type} />
        </li>
      ))}
    </ul>
  );
}

function AllTypes({ kind, types }: { kind: CountedKind; types: Readonly<Record<string, number>> }) {
  const sorted = Object.entries(types).sort(([left, one], [right, other]) => other - one || byNumbers(left, right));
  const more = sorted.slice(MAX_TYPES);
  return (
    <div>
      <Box variant="awsui-key-label">By type</Box>
      <Types kind={kind} counts={sorted.slice(0, MAX_TYPES)} />
      {more.length > 0 && (
        <ExpandableSection headerText={plural(more.length, 'more type')}>
          <Types kind={kind} counts={more} />
        </ExpandableSection>
      )}
    </div>
  );
}

interface Line {
  look: StatusIndicatorProps.Type;
  word: string;
  count: number;
  to: string;
}

/** Clusters are counted by the share of their live services, as their list sorts them: one that lacks a member is not offline. */
function linesOf(kind: CountedKind, { [kind]: counted, clusters }: Summary): Line[] {
  if (kind !== 'clusters')
    return states.map((state) => ({
      ...stateWords[state],
      count: counted.by_state[state] ?? 0,
      to: stateHref(kind, state),
    }));
  const { total, by_state: byWorst, without_live_member: none } = clusters;
  const all = byWorst.live ?? 0;
  return [
    { look: 'success', word: 'All members live', count: all, to: liveMembersHref('all') },
    { look: 'warning', word: 'Some live', count: total - all - none, to: liveMembersHref('some') },
    { look: 'error', word: 'None live', count: none, to: liveMembersHref('none') },
  ];
}

function Total({ kind, summary }: { kind: CountedKind; summary: Summary }) {
  const { total, by_type: types } = summary[kind];
  return (
    <Container fitHeight header={<Header variant="h2">{kindTitles[kind]}</Header>}>
      <SpaceBetween size="s">
        <Link href={allHref(kind)} fontSize="display-l" ariaLabel={`${numberText(total)} in total`}>
          {numberText(total)}
        </Link>
        <ul className="counted" aria-label={`${kindTitles[kind]} by state`}>
          {linesOf(kind, summary).map(({ look, word, count, to }) => (
            <li key={word}>
              <StatusIndicator type={look}>{word}</StatusIndicator>
              <Count count={count} href={to} of={word.toLowerCase()} />
            </li>
          ))}
        </ul>
        {total > 0 && <AllTypes kind={kind} types={types} />}
      </SpaceBetween>
    </Container>
  );
}

const column = { default: 12, xxs: 6, s: 3 };

/** The number of objects of each kind, by state and type. */
export function Totals({ summary }: { summary: Summary }) {
  return (
    <Grid gridDefinition={countedKinds.map(() => ({ colspan: column }))}>
      {countedKinds.map((kind) => (
        <section key={kind} className="whole" aria-label={kindTitles[kind]}>
          <Total kind={kind} summary={summary} />
        </section>
      ))}
    </Grid>
  );
}
