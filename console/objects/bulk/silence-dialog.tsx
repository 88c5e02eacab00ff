import { useState } from 'react';
import { endpoint as addSilence } from '../../../functions/api/silences/add/endpoint.ts';
import { DEFAULT_OWNER_LABEL } from '../../../functions/domain/fields/owner-label.ts';
import { call, requestOf, violationsOf } from '../../api/client.tsx';
import { reloadShown } from '../../api/queries.tsx';
import { useServerVersion } from '../../model/server-version.tsx';
import { selectorOf } from '../../model/silences.tsx';
import { useCaller } from '../../ui/caller-context.tsx';
import { flash } from '../../ui/flash.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { momentText } from '../../ui/time-format.ts';
import { useSubmit } from '../../ui/use-submit.tsx';
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
  return [selector, ...(owners === undefined ? [] : [selectorOf(label, owners)])].filter((one) => one !== '').join();
}

/** Silences the objects that a selector matches. */
export function SilenceDialog({ selector: first, close }: Props) {
  const [selector, setSelector] = useState(useOwnSelector(first));
  const [reason, setReason] = useState('');
  const [life, setLife] = useState(DEFAULT_SILENCE);
  const body = { selector, reason, time_to_live: life };
  const form = useSubmit({
    check: () => violationsOf(addSilence.body, body),
    send: async () => {
      const { until } = await call(addSilence, { body });
      const content = `Silenced until ${momentText(until)}. The overview follows within a minute.`;
      flash.add({ type: 'success', content });
      close();
      reloadShown();
    },
  });
  return (
    <FormDialog
      header="Silence"
      submitText="Silence"
      form={form}
      failureTitle="The silence could not be added"
      close={close}
      request={requestOf(addSilence, { body })}
    >
      <TextField
        label="Reason"
        description="For other people: they see it with your name."
        value={reason}
        placeholder="Upgrade of the operating system"
        ariaRequired
        error={form.said('reason')}
        onChange={setReason}
      />
      <TimeToLiveField of="silence" text={life} error={form.said('time_to_live')} onChange={setLife} />
      <TextField
        label="Selector"
        description="Objects whose labels match, also those that are added later, and what rests only on them."
        value={selector}
        placeholder="cluster=orders, team in (shop,dba)"
        ariaRequired
        error={form.said('selector')}
        onChange={setSelector}
      />
    </FormDialog>
  );
}
