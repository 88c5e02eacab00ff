import Box from '@cloudscape-design/components/box';
import { endpoint as changeApiKey } from '../../functions/api/api-keys/change/endpoint.ts';
import { call } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import type { ApiKey } from '../model/api-keys.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RateField, rateField } from './rate-field.tsx';
import { useRequestForm } from '../ui/use-request-form.tsx';

interface Props {
  apiKey: ApiKey;
  close: () => void;
  changed: () => void;
}

export function LimitApiKeyDialog({ apiKey, close, changed }: Props) {
  const { key_id: id, name, rate_limit_per_minute: present } = apiKey;
  const params = { key_id: id };
  const form = useRequestForm({
    endpoint: changeApiKey,
    params,
    start: { rate_limit_per_minute: present === undefined ? '' : String(present) },
    bodyOf: ({ rate_limit_per_minute: rate }) => ({
      rate_limit_per_minute: null,
      ...rateField('rate_limit_per_minute', rate),
    }),
    send: async (body) => {
      await call(changeApiKey, { params, body });
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
    >
      <Box>
        Of the key{' '}
        <b>
          <bdi className="any-word">{name}</bdi>
        </b>
        .
      </Box>
      <RateField {...form.fields.rate_limit_per_minute} />
    </FormDialog>
  );
}
