import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { parseTokenLife, tokenLifeRange } from '../../../functions/domain/access/enrolment.ts';
import { notADuration, timeToLiveRange } from '../../../functions/domain/fields/duration.ts';
import { parseSilenceTime, silenceTimeRange } from '../../../functions/domain/records/silence.ts';
import { parseTimeToLive } from '../../../shared/auth/time-to-live.ts';
import { TextField } from '../../ui/text-field.tsx';
import { momentText } from '../../ui/time-format.ts';
import type { FieldOf } from '../../ui/use-request-form.tsx';

/** Limited by default, so that unused keys expire and Admins notice keys that are still used. */
export const DEFAULT_TIME_TO_LIVE = '90d';

/** Of an enrolment token: the default of the API. */
export const DEFAULT_TOKEN_LIFE = '1h';

export const DEFAULT_SILENCE = '8h';

const NEVER = '';

/** `never` stands for the empty text: a choice needs an id. */
const valueOf = (id: string) => (id === 'never' ? NEVER : id);

/** The expiry of something that starts now, in words. */
const endOf = (seconds: number) => momentText(new Date(Date.now() + seconds * 1000));
const expiryOf = (seconds: number) => `Expires ${endOf(seconds)}.`;

interface Life {
  label: string;
  description: string;
  choices: readonly { id: string; text: string }[];
  parse: (text: string) => number | undefined;
  range: Parameters<typeof notADuration>[0];
  /** The meaning of an empty text: in the field, and in words. */
  placeholder: string;
  empty: string;
  /** The meaning of a duration, in words. */
  meaning: (seconds: number) => string;
}

const keyLife: Life = {
  label: 'Time to live',
  description: 'A number and a unit: 12h, 30d, 2w, 6M, 1y. Empty: the key never expires.',
  choices: [
    { id: '7d', text: '7 days' },
    { id: '30d', text: '30 days' },
    { id: DEFAULT_TIME_TO_LIVE, text: '90 days' },
    { id: '1y', text: '1 year' },
    { id: 'never', text: 'Never' },
  ],
  parse: parseTimeToLive,
  range: timeToLiveRange,
  placeholder: 'Never',
  empty: 'Never expires.',
  meaning: expiryOf,
};

/** The times to live that forms contain. */
const lives = {
  key: keyLife,
  /** The API permits no token that works longer than a day. */
  token: {
    ...keyLife,
    description: 'How long the token can be used: 30m, 1h, at most 24h. It works once.',
    choices: [
      { id: '15m', text: '15 minutes' },
      { id: DEFAULT_TOKEN_LIFE, text: '1 hour' },
      { id: '8h', text: '8 hours' },
      { id: '24h', text: '24 hours' },
    ],
    parse: parseTokenLife,
    range: tokenLifeRange,
    placeholder: DEFAULT_TOKEN_LIFE,
    empty: 'Expires after one hour.',
  },
  /** Of the key that a host gets for a token. */
  hostKey: {
    ...keyLife,
    label: 'Time to live of the key',
    description: 'Of the key that the host gets: 90d, 1y. Empty: the key never expires.',
    meaning: () => 'Counts from the enrolment.',
  },
  silence: {
    label: 'How long',
    description: 'A number and a unit: 30m, 8h, 2d, at most 30d.',
    choices: [
      { id: '1h', text: '1 hour' },
      { id: DEFAULT_SILENCE, text: '8 hours' },
      { id: '1d', text: '1 day' },
      { id: '7d', text: '7 days' },
    ],
    parse: parseSilenceTime,
    range: silenceTimeRange,
    placeholder: DEFAULT_SILENCE,
    empty: '',
    meaning: (seconds: number) => `Until ${endOf(seconds)}.`,
  },
} as const satisfies Record<string, Life>;

/** The meaning of the text, in words; undefined for an invalid duration. */
function meaningOf(text: string, { parse, empty, meaning }: Life): string | undefined {
  if (text.trim() === NEVER) return empty;
  const seconds = parse(text);
  return seconds === undefined ? undefined : meaning(seconds);
}

interface Props extends FieldOf<string> {
  of: keyof typeof lives;
}

/** The time to live of a key, a token or a silence: one of the usual values, or any duration as text. */
export function TimeToLiveField({ of, value: text, error, onChange }: Props) {
  const life: Life = lives[of];
  const meaning = meaningOf(text, life);
  return (
    <SpaceBetween size="xs">
      <TextField
        label={life.label}
        description={life.description}
        constraintText={<span role="status">{meaning}</span>}
        value={text}
        placeholder={life.placeholder}
        error={meaning === undefined ? notADuration(life.range) : error}
        onChange={onChange}
      />
      <SegmentedControl
        label={`${life.label}: usual values`}
        options={life.choices}
        selectedId={life.choices.find(({ id }) => valueOf(id) === text.trim())?.id ?? null}
        onChange={({ detail }) => onChange(valueOf(detail.selectedId))}
      />
    </SpaceBetween>
  );
}
