import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import { type StateCounts, stateWords, totalOf, worstFirst } from '../model/health.ts';
import { plural, numberText } from '../ui/words.ts';
import { type HostZone, hostRegionsOf, hostsWithoutRegion, squaresOf } from './host-regions.ts';
import { placeHref, type Summary } from './links.ts';
import './host-grid.css';

/** The side of a square and the gap beside it, in pixels. */
const SIDE = 8;
const STEP = SIDE + 2;

/** Squares in a row: wide zones, so that several regions fit the height of a screen. */
const MIN_COLUMNS = 12;
const SHAPE = 2.4;

/** The path of all squares of one state, which is light with thousands of them. */
const pathOf = (indexes: readonly number[], columns: number) =>
  indexes
    .map((index) => `M${(index % columns) * STEP} ${Math.floor(index / columns) * STEP}h${SIDE}v${SIDE}h-${SIDE}z`)
    .join('');

interface SquaresProps {
  counts: StateCounts;
  /** The list of the hosts in a state, which a click opens. The links beside the squares lead there as well. */
  hrefOf?: (state: (typeof worstFirst)[number]) => string;
}

function Squares({ counts, hrefOf }: SquaresProps) {
  const { perSquare, states } = squaresOf(counts);
  const columns = Math.max(MIN_COLUMNS, Math.ceil(Math.sqrt(states.length * SHAPE)));
  const rows = Math.ceil(states.length / columns);
  return (
    <svg className="host-squares" width={columns * STEP} height={rows * STEP} aria-hidden="true">
      {worstFirst.map((state) => {
        const indexes = states.flatMap((hostState, index) => (hostState === state ? [index] : []));
        if (indexes.length === 0) return null;
        const squares = (
          <path className={`state-${state}`} d={pathOf(indexes, columns)}>
            <title>
              {`${numberText(counts[state] ?? 0)} ${stateWords[state].word.toLowerCase()}${perSquare > 1 ? `, ${perSquare} hosts per square` : ''}`}
            </title>
          </path>
        );
        return hrefOf === undefined ? (
          <g key={state}>{squares}</g>
        ) : (
          <a key={state} href={hrefOf(state)} tabIndex={-1}>
            {squares}
          </a>
        );
      })}
    </svg>
  );
}

/** The numbers of hosts that are not live, as links. */
function NotLive({ zone }: { zone: HostZone }) {
  return worstFirst.map((state) => {
    const count = zone.by_state[state] ?? 0;
    if (count === 0 || state === 'live') return null;
    const text = `${numberText(count)} ${stateWords[state].word.toLowerCase()}`;
    return (
      <Link
        key={state}
        href={placeHref(zone, state)}
        fontSize="body-s"
        ariaLabel={`${text} in ${zone.az ?? zone.region}`}
      >
        {text}
      </Link>
    );
  });
}

function Zone({ zone }: { zone: HostZone }) {
  const name = zone.az ?? 'No zone';
  const total = totalOf(zone.by_state);
  return (
    <li aria-label={name}>
      <div className="host-zone-name">
        <Link
          href={placeHref(zone)}
          fontSize="body-s"
          ariaLabel={`${plural(total, 'host')} in ${zone.az ?? `${zone.region}: ${name}`}`}
        >
          <bdi>{name}</bdi>
        </Link>
        <NotLive zone={zone} />
      </div>
      <Squares counts={zone.by_state} hrefOf={(state) => placeHref(zone, state)} />
    </li>
  );
}

const legend = (
  <span className="host-legend" aria-hidden="true">
    {worstFirst.toReversed().map((state) => (
      <span key={state}>
        <svg width={SIDE} height={SIDE}>
          <rect className={`state-${state}`} width={SIDE} height={SIDE} />
        </svg>{' '}
        {stateWords[state].word}
      </span>
    ))}
  </span>
);

/** All hosts as small squares, by region and zone. The names and numbers beside them are links for the keyboard. */
export function HostGrid({ summary }: { summary: Summary }) {
  const regions = hostRegionsOf(summary.zones);
  const rest = hostsWithoutRegion(summary);
  return (
    <Container
      header={
        <Header variant="h2" description={legend}>
          Hosts by region and zone
        </Header>
      }
    >
      {regions.length + totalOf(rest) === 0 && <Box color="text-body-secondary">No hosts.</Box>}
      <div className="host-regions">
        {regions.map(({ region, counts, zones }) => (
          <section key={region} aria-label={region}>
            <Header variant="h3" counter={`(${numberText(totalOf(counts))})`}>
              <Link href={placeHref({ region })} fontSize="heading-s">
                <bdi>{region}</bdi>
              </Link>
            </Header>
            <ul className="host-zones">
              {zones.map((zone) => (
                <Zone key={zone.az ?? ''} zone={zone} />
              ))}
            </ul>
          </section>
        ))}
        {totalOf(rest) > 0 && (
          <section aria-label="No region">
            <Header variant="h3" counter={`(${numberText(totalOf(rest))})`}>
              No region
            </Header>
            <Squares counts={rest} />
          </section>
        )}
      </div>
    </Container>
  );
}
