import Box from '@cloudscape-design/components/box';
import { useState } from 'react';
import { endpoint as changeApiKey } from '../../functions/api/api-keys/change/endpoint.ts';
import { call, requestOf, violationsOf } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import type { ApiKey } from '../model/api-keys.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RateField, rateField } from './rate-field.tsx';
import { useSubmit } from '../ui/use-submit.tsx';

interface Props {
  apiKey: ApiKey;
  close: () => void;
  changed: () => void;
}

export function LimitApiKeyDialog({ apiKey, close, changed }: Props) {
  const { key_id: id, name, rate_limit_per_minute: present } = apiKey;
  const [rate, setRate] = useState(present === undefined ? '' : String(present));
  const body = { rate_limit_per_minute: null, ...rateField('rate_limit_per_minute', rate) };
  const form = useSubmit({
    check: () => violationsOf(changeApiKey.body, body),
    send: async () => {
      await call(changeApiKey, { params: { key_id: id }, body });
      flash.add({ type: 'success', content: `The rate limit of the API key ${name} was changed.` });
      changed();
    },
  });
  return (
    <FormDialog
      header="Change rate limit"
      submitText="Change"
      form={form}
      failureTitle="The limit could not be changed"
      close={close}
      request={requestOf(changeApiKey, { params: { key_id: id }, body })}
    >
      <Box>
        Of the key <b className="any-word">{name}</b>.
      </Box>
      <RateField text={rate} error={form.said('rate_limit_per_minute')} onChange={setRate} />
    </FormDialog>
  );
}
