import { endpoint as addEnrolmentToken } from '../../functions/api/enrolment-tokens/add/endpoint.ts';
import { call, type ReplyOf } from '../api/client.tsx';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { DEFAULT_TOKEN_LIFE, TimeToLiveField } from '../objects/form/time-to-live-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { filledFields, useRequestForm } from '../ui/use-request-form.tsx';
import { RateField, rateField } from './rate-field.tsx';

export type NewToken = ReplyOf<typeof addEnrolmentToken>;

interface Props {
  close: () => void;
  added: (token: NewToken) => void;
}

const noOwner: readonly string[] = [];

const start = {
  name: '',
  time_to_live: DEFAULT_TOKEN_LIFE,
  node_name: '',
  /** Separated by commas or spaces. */
  allowed_addresses: '',
  owner: noOwner,
  key_time_to_live: '',
  key_rate_limit_per_minute: '',
};

export function AddEnrolmentTokenDialog({ close, added }: Props) {
  const form = useRequestForm({
    endpoint: addEnrolmentToken,
    start,
    bodyOf: (draft) => ({
      name: draft.name,
      ...filledFields({
        time_to_live: draft.time_to_live,
        node_name: draft.node_name,
        key_time_to_live: draft.key_time_to_live,
        allowed_addresses: draft.allowed_addresses.split(/[\s,]+/).filter((network) => network !== ''),
        owner: draft.owner[0],
      }),
      ...rateField('key_rate_limit_per_minute', draft.key_rate_limit_per_minute),
    }),
    send: async (body) => added(await call(addEnrolmentToken, { body })),
  });
  const { fields } = form;
  return (
    <FormDialog
      header="Add enrolment token"
      submitText="Add"
      form={form}
      failureTitle="The token could not be added"
      close={close}
    >
      <TextField
        label="Name"
        description="Identifies the purpose. The key that the host gets shows it."
        {...fields.name}
      />
      <TimeToLiveField of="token" {...fields.time_to_live} />
      <TextField
        label="Node name"
        description="Only to enrol an existing node again. Empty: any new node."
        {...fields.node_name}
      />
      <TextField
        label="Allowed addresses"
        description="Networks that may contain the address of the node. Empty: only the source address of the host."
        placeholder="10.0.0.0/8, 192.168.1.0/24"
        {...fields.allowed_addresses}
      />
      <OwnersField
        max={1}
        description="Of the node and everything below it. The host cannot change it."
        {...fields.owner}
      />
      <TimeToLiveField of="hostKey" {...fields.key_time_to_live} />
      <RateField {...fields.key_rate_limit_per_minute} />
    </FormDialog>
  );
}
