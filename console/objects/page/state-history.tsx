import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { severity, type State } from '../../../functions/domain/fields/liveness.ts';
import { useStore } from '../../api/store.ts';
import { STATES_MS } from '../../ui/auto-refresh.tsx';
import { FailureAlert } from '../../ui/failure-alert.tsx';
import { FirstItems } from '../../ui/first-items.tsx';
import { Moment, sinceText } from '../../ui/moment.tsx';
import { momentText, timeZone } from '../../ui/time-format.ts';
import { useLoad } from '../../ui/use-load.tsx';
import {
  availabilityText,
  drawnAs,
  hasStatuses,
  interruptionsText,
  meaningOf,
  placeInDay,
  silentIntervalsOf,
  type StateDay,
  type StateInterval,
} from './state-day.ts';
import './state-history.css';

/** In the units of the drawing, which is as wide as its container. */
const WIDTH = 1440;
const HEIGHT = 32;

/** The share of the height. */
const heights: Readonly<Record<State, number>> = { live: 0.25, never_seen: 0.5, stale: 0.625, offline: 1 };

/** An interval of a minute would be thinner than a pixel. */
const MIN_WIDTH = 2;

/** `20 minutes`. */
const lengthText = ({ begin, end }: StateInterval) => sinceText(begin, Date.parse(end));

/** The parts that are not live are drawn above the others. */
function Strip({ day }: { day: StateDay }) {
  const byHeight = day.intervals.toSorted((left, right) => heights[drawnAs(left)] - heights[drawnAs(right)]);
  return (
    <svg className="state-strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {byHeight.map((interval) => {
        const { begin } = interval;
        const { from, length } = placeInDay(interval, day);
        const drawn = drawnAs(interval);
        const height = HEIGHT * heights[drawn];
        return (
          <rect
            key={begin}
            className={`state-${drawn}`}
            x={from * WIDTH}
            y={HEIGHT - height}
            width={Math.max(MIN_WIDTH, length * WIDTH)}
            height={height}
          >
            <title>{`${meaningOf(interval).word} for ${lengthText(interval)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const times = (
  <Box color="text-body-secondary" fontSize="body-s">
    <span className="state-strip-times" aria-hidden="true">
      {['24 h ago', '18 h', '12 h', '6 h', 'now'].map((text) => (
        <span key={text}>{text}</span>
      ))}
    </span>
  </Box>
);

const states = { live: 'Live', stale: 'Stale', offline: 'Offline' };
const statuses = { live: 'Running', stale: 'Waiting, starting or stale', never_seen: 'Stopped', offline: 'Offline' };

function Legend({ words }: { words: Readonly<Partial<Record<State, string>>> }) {
  return (
    <span className="state-strip-legend" aria-hidden="true">
      {severity.flatMap((state) => {
        const height = 12 * heights[state];
        return words[state] === undefined
          ? []
          : [
              <span key={state}>
                <svg width={8} height={12}>
                  <rect className={`state-${state}`} y={12 - height} width={8} height={height} />
                </svg>{' '}
                {words[state]}
              </span>,
            ];
      })}
    </span>
  );
}

function SilentInterval({ interval }: { interval: StateInterval }) {
  const { begin, end } = interval;
  const { look, word } = meaningOf(interval);
  return (
    <>
      <StatusIndicator type={look}>{word}</StatusIndicator> from <Moment time={begin} exact /> to{' '}
      <Moment time={end} exact />: {lengthText(interval)}
    </>
  );
}

/** The most intervals of the list. */
const MAX_LISTED = 50;

function Day({ day }: { day: StateDay }) {
  useStore(timeZone);
  const silent = silentIntervalsOf(day);
  if (day.intervals.length === 0) return <Box color="text-body-secondary">No report yet.</Box>;
  return (
    <SpaceBetween size="xs">
      <Box variant="strong">{availabilityText(day, momentText(day.begin))}</Box>
      <div>
        <Strip day={day} />
        {times}
      </div>
      {silent.length === 0 ? (
        <StatusIndicator type="success">{interruptionsText(day)}</StatusIndicator>
      ) : (
        <ExpandableSection headerText={interruptionsText(day)}>
          <FirstItems
            items={silent.map((interval) => (
              <SilentInterval key={interval.begin} interval={interval} />
            ))}
            max={MAX_LISTED}
          />
        </ExpandableSection>
      )}
    </SpaceBetween>
  );
}

interface Props {
  /** Identifies the object. */
  id: readonly [kind: 'node' | 'cluster' | 'agent', id: string];
  load: (signal: AbortSignal) => Promise<StateDay>;
}

/** The states of a node, a cluster or an agent in the last day: a strip, the availability, and the interruptions in words. */
export function StateHistory({ id, load }: Props) {
  const { value: day, failure, reload } = useLoad(['states', ...id], load, STATES_MS);
  return (
    <Container
      header={
        <Header variant="h2" description={<Legend words={day !== undefined && hasStatuses(day) ? statuses : states} />}>
          States of the last 24 hours
        </Header>
      }
    >
      <div className="state-history">
        {failure !== undefined && (
          <FailureAlert failure={failure} what="The states could not be loaded" retry={reload} />
        )}
        {day === undefined && failure === undefined && (
          <StatusIndicator type="loading">Loading the states</StatusIndicator>
        )}
        {day !== undefined && <Day day={day} />}
      </div>
    </Container>
  );
}
