import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TimeInput from '@cloudscape-design/components/time-input';
import type { FocusEvent } from 'react';
import { useStore } from '../api/store.ts';
import { timeZone } from './time-format.ts';
import { type TimeParts, timeOfParts } from './time-parts.ts';

interface Props {
  /** The name of the date; that of the time of day begins with it. */
  label: string;
  parts: TimeParts;
  /** The time of day has seconds. */
  seconds?: boolean;
  isEnabled: (date: Date) => boolean;
  error?: string | undefined;
  onChange: (parts: TimeParts) => void;
}

/**
 * Names the dialog of the calendar when it takes the focus: Cloudscape gives it no name. Events reach the elements around a
 * picker from wherever it draws its calendar.
 */
function nameCalendar({ target }: FocusEvent, name: string): void {
  target.closest('[role=dialog]:not([aria-labelledby])')?.setAttribute('aria-label', name);
}

/** A date with a time of day, in the time zone of the console, which it states. */
export function MomentField({ label, parts, seconds = false, isEnabled, error, onChange }: Props) {
  const isUtc = useStore(timeZone) === 'utc';
  const zone = isUtc ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isTime = timeOfParts(parts, isUtc) !== undefined;
  const calendar = `${label}: calendar`;
  const format = seconds ? 'hh:mm:ss' : 'hh:mm';
  return (
    <FormField
      errorText={isTime ? error : 'Enter a date and a time of day.'}
      constraintText={`In the time zone ${zone}.`}
    >
      <SpaceBetween size="xs" direction="horizontal">
        <div onFocus={(event) => nameCalendar(event, calendar)}>
          <DatePicker
            value={parts.date}
            onChange={({ detail }) => onChange({ ...parts, date: detail.value })}
            isDateEnabled={isEnabled}
            ariaLabel={label}
            i18nStrings={{
              openCalendarAriaLabel: (selected) => `${calendar}${selected === null ? '' : `, ${selected}`}`,
            }}
            placeholder="YYYY/MM/DD"
            expandToViewport
          />
        </div>
        <TimeInput
          value={parts.clock.slice(0, format.length)}
          format={format}
          placeholder={format}
          ariaLabel={`${label}: time of day`}
          onChange={({ detail }) => onChange({ ...parts, clock: detail.value })}
        />
      </SpaceBetween>
    </FormField>
  );
}
