import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { useState } from 'react';
import { endpoint as addSilence } from '../../../functions/api/silences/add/endpoint.ts';
import { parseSilenceTime, silenceTimeRange } from '../../../functions/domain/records/silence.ts';
import { DEFAULT_OWNER_LABEL } from '../../../functions/domain/fields/owner-label.ts';
import { call } from '../../api/client.tsx';
import { reloadShown } from '../../api/queries.tsx';
import { useStore } from '../../api/store.ts';
import { useServerVersion } from '../../model/server-version.tsx';
import { selectorOf } from '../../model/silences.tsx';
import { useCaller } from '../../ui/caller-context.tsx';
import { flash } from '../../ui/flash.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { momentText, timeZone } from '../../ui/time-format.ts';
import { partsOf, timeOfParts } from '../../ui/time-parts.ts';
import { useRequestForm } from '../../ui/use-request-form.tsx';
import { DEFAULT_SILENCE, TimeToLiveField } from '../form/time-to-live-field.tsx';

interface Props {
  /** The selector to begin with. */
  selector: string;
  close: () => void;
}

/** The selector with the owners of the user, which the server requires of one that has owners. */
function useOwnSelector(selector: string): string {
  const { owner_label: label = DEFAULT_OWNER_LABEL } = useServerVersion();
  const { owners } = useCaller();
  return [selector, ...(owners === undefined ? [] : [selectorOf(label, owners)])].filter((text) => text !== '').join();
}

const DAY_MS = 86_400_000;
const MAX_MS = (parseSilenceTime(silenceTimeRange.most) ?? 0) * 1000;

/** The end of a silence as a date and a time of day, to begin with tomorrow. */
function useSilenceEnd() {
  const isUtc = useStore(timeZone) === 'utc';
  const [parts, setParts] = useState(() => partsOf(new Date(Date.now() + DAY_MS), isUtc));
  return {
    parts,
    setParts,
    /** The time until then as a duration, as the API takes it; of an incomplete or past time it is none. */
    lengthNow: () => `${Math.ceil(((timeOfParts(parts, isUtc)?.getTime() ?? 0) - Date.now()) / 1000)}s`,
  };
}

/** Silences the objects that a selector matches. */
export function SilenceDialog({ selector: first, close }: Props) {
  const [isAt, setIsAt] = useState(false);
  const end = useSilenceEnd();
  const form = useRequestForm({
    endpoint: addSilence,
    start: { selector: useOwnSelector(first), reason: '', time_to_live: DEFAULT_SILENCE },
    bodyOf: (draft) => (isAt ? { ...draft, time_to_live: end.lengthNow() } : draft),
    send: async (body) => {
      const { until } = await call(addSilence, { body });
      const content = `Silenced until ${momentText(until)}. The overview follows within a minute.`;
      flash.add({ type: 'success', content });
      close();
      reloadShown();
    },
  });
  const { selector, reason, time_to_live } = form.fields;
  return (
    <FormDialog
      header="Silence"
      submitText="Silence"
      form={form}
      failureTitle="The silence could not be added"
      close={close}
    >
      <TextField
        label="Reason"
        description="For other people: they see it with your name."
        placeholder="Upgrade of the operating system"
        ariaRequired
        {...reason}
      />
      <SegmentedControl
        label="End"
        options={[
          { id: 'after', text: 'After some time' },
          { id: 'at', text: 'At a date and time' },
        ]}
        selectedId={isAt ? 'at' : 'after'}
        onChange={({ detail }) => setIsAt(detail.selectedId === 'at')}
      />
      {isAt ? (
        <MomentField
          label="Ends"
          parts={end.parts}
          isEnabled={(date) => date.getTime() > Date.now() - DAY_MS && date.getTime() <= Date.now() + MAX_MS}
          error={parseSilenceTime(end.lengthNow()) === undefined ? 'Enter a time in the next 30 days.' : undefined}
          onChange={end.setParts}
        />
      ) : (
        <TimeToLiveField of="silence" {...time_to_live} />
      )}
      <TextField
        label="Selector"
        description="Objects whose labels match, also those that are added later, and what rests only on them."
        placeholder="cluster=orders, team in (shop,dba)"
        ariaRequired
        {...selector}
      />
    </FormDialog>
  );
}
