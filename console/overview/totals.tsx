import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { states } from '../../functions/domain/fields/liveness.ts';
import { stateWords } from '../model/health.ts';
import { numberText, plural } from '../ui/words.ts';
import { allHref, countedKinds, type CountedKind, kindTitles, stateHref, type Summary, typeHref } from './links.ts';
import { byNumbers } from '../../shared/core/by-numbers.ts';

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

function Total({ kind, summary }: { kind: CountedKind; summary: Summary }) {
  const { total, by_state: counts, by_type: types } = summary[kind];
  return (
    <Container fitHeight header={<Header variant="h2">{kindTitles[kind]}</Header>}>
      <SpaceBetween size="s">
        <Link href={allHref(kind)} fontSize="display-l" ariaLabel={`${numberText(total)} in total`}>
          {numberText(total)}
        </Link>
        <ul className="counted" aria-label={`${kindTitles[kind]} by state`}>
          {states.map((state) => (
            <li key={state}>
              <StatusIndicator type={stateWords[state].look}>{stateWords[state].word}</StatusIndicator>
              <Count
                count={counts[state] ?? 0}
                href={stateHref(kind, state)}
                of={stateWords[state].word.toLowerCase()}
              />
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
