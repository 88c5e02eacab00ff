import Box from '@cloudscape-design/components/box';
import { endpoint as rotateApiKey } from '../../functions/api/api-keys/rotate/endpoint.ts';
import { overlapRange } from '../../functions/domain/access/api-key.ts';
import { notADuration } from '../../functions/domain/fields/duration.ts';
import { maxOverlapDays, parseOverlap } from '../../shared/auth/overlap.ts';
import { call } from '../api/client.tsx';
import type { ApiKey } from '../model/api-keys.tsx';
import type { CreatedKey } from './created-key-dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { momentText } from '../ui/time-format.ts';
import { TextField } from '../ui/text-field.tsx';
import { useRequestForm } from '../ui/use-request-form.tsx';

/** The effect on the current secret, in words; undefined for an invalid overlap. */
function endText(overlap: string, { expires_at: end }: ApiKey): string | undefined {
  const seconds = parseOverlap(overlap);
  if (seconds === undefined) return undefined;
  if (seconds === 0) return 'The current secret and all previous secrets expire at once.';
  const until = Math.min(Date.now() + seconds * 1000, end === undefined ? Infinity : Date.parse(end));
  return `The current secret works until ${momentText(new Date(until))}.`;
}

interface Props {
  apiKey: ApiKey;
  close: () => void;
  rotated: (key: CreatedKey) => void;
}

export function RotateApiKeyDialog({ apiKey, close, rotated }: Props) {
  const params = { key_id: apiKey.key_id };
  const form = useRequestForm({
    endpoint: rotateApiKey,
    params,
    start: { overlap: '1h' },
    bodyOf: (draft) => draft,
    send: async (body) => {
      const reply = await call(rotateApiKey, { params, body });
      const { key, name, role, expires_at: expiresAt, previous_expires_at: until } = reply;
      rotated({ key, name, role, expiresAt, rotated: { until } });
    },
  });
  const { overlap } = form.fields;
  const end = endText(overlap.value, apiKey);
  return (
    <FormDialog
      header="Rotate API key"
      submitText="Rotate"
      form={form}
      failureTitle="The key could not be rotated"
      close={close}
    >
      <Box>
        The key{' '}
        <b>
          <bdi className="any-word">{apiKey.name}</bdi>
        </b>{' '}
        keeps its name and role and gets a new secret, which is shown only once.
      </Box>
      <TextField
        label="Overlap"
        description={`How long the current secret still works: 1h, 1d, at most ${maxOverlapDays}d. Use 0s for a leaked key.`}
        constraintText={<span role="status">{end}</span>}
        {...overlap}
        error={end === undefined ? notADuration(overlapRange) : overlap.error}
      />
    </FormDialog>
  );
}
