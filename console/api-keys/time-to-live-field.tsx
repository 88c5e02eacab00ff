import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { notADuration, timeToLiveRange } from '../../functions/domain/fields/duration.ts';
import { parseTimeToLive } from '../../shared/auth/time-to-live.ts';
import { momentText } from '../ui/time-format.ts';

/** A key that nobody renews ends by itself, and an Admin notices programs that still use it. */
export const DEFAULT_TIME_TO_LIVE = '90d';

const NEVER = '';

const choices = [
  { id: '7d', text: '7 days' },
  { id: '30d', text: '30 days' },
  { id: DEFAULT_TIME_TO_LIVE, text: '90 days' },
  { id: '1y', text: '1 year' },
  { id: 'never', text: 'Never' },
] as const;

const valueOf = (id: string) => (id === 'never' ? NEVER : id);

/** The time to live as a field of a request; nothing for a key that never expires. */
export const timeToLiveField = (text: string): { time_to_live?: string } =>
  text.trim() === NEVER ? {} : { time_to_live: text };

/** When a key of this life would end, in words; undefined when the text is no duration. */
function expiryText(text: string): string | undefined {
  if (text.trim() === NEVER) return 'Never expires.';
  const seconds = parseTimeToLive(text);
  return seconds === undefined ? undefined : `Expires ${momentText(new Date(Date.now() + seconds * 1000))}.`;
}

interface Props {
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** How long a key lives: one of the usual times, or any duration as text. */
export function TimeToLiveField({ text, error, onChange }: Props) {
  const expiry = expiryText(text);
  return (
    <SpaceBetween size="xs">
      <FormField
        label="Time to live"
        description="A number and a unit: 12h, 30d, 2w, 6M, 1y. Empty: the key never expires."
        constraintText={<span role="status">{expiry}</span>}
        errorText={expiry === undefined ? notADuration(timeToLiveRange) : error}
      >
        <Input
          value={text}
          placeholder="Never"
          autoComplete={false}
          spellcheck={false}
          onChange={({ detail }) => onChange(detail.value)}
        />
      </FormField>
      <SegmentedControl
        label="Usual times to live"
        options={choices}
        selectedId={choices.find(({ id }) => valueOf(id) === text.trim())?.id ?? null}
        onChange={({ detail }) => onChange(valueOf(detail.selectedId))}
      />
    </SpaceBetween>
  );
}
