import { useState } from 'react';
import { endpoint as addEnrolmentToken } from '../../functions/api/enrolment-tokens/add/endpoint.ts';
import { call, type ReplyOf, requestOf, violationsOf } from '../api/client.tsx';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RateField, rateField } from './rate-field.tsx';
import { DEFAULT_TOKEN_LIFE, TimeToLiveField, timeToLiveField } from '../objects/form/time-to-live-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSubmit } from '../ui/use-submit.tsx';

export type NewToken = ReplyOf<typeof addEnrolmentToken>;

/** The typed networks, separated by commas or spaces; no field for an empty text. */
function networksIn(text: string): { allowed_addresses?: string[] } {
  const networks = text.split(/[\s,]+/).filter((network) => network !== '');
  return networks.length === 0 ? {} : { allowed_addresses: networks };
}

interface Props {
  close: () => void;
  added: (token: NewToken) => void;
}

export function AddEnrolmentTokenDialog({ close, added }: Props) {
  const [name, setName] = useState('');
  const [nodeName, setNodeName] = useState('');
  const [life, setLife] = useState(DEFAULT_TOKEN_LIFE);
  const [networks, setNetworks] = useState('');
  const [keyLife, setKeyLife] = useState('');
  const [rate, setRate] = useState('');
  const [owners, setOwners] = useState<readonly string[]>([]);
  const body = {
    name,
    ...timeToLiveField(life),
    ...(nodeName.trim() === '' ? {} : { node_name: nodeName }),
    ...timeToLiveField(keyLife, 'key_time_to_live'),
    ...networksIn(networks),
    ...rateField('key_rate_limit_per_minute', rate),
    ...(owners[0] === undefined ? {} : { owner: owners[0] }),
  };
  const form = useSubmit({
    check: () => violationsOf(addEnrolmentToken.body, body),
    send: async () => added(await call(addEnrolmentToken, { body })),
  });
  const addressError = form.violations.find(({ field }) => field.split('.')[0] === 'allowed_addresses');
  return (
    <FormDialog
      header="Add enrolment token"
      submitText="Add"
      form={form}
      failureTitle="The token could not be added"
      close={close}
      request={requestOf(addEnrolmentToken, { body })}
    >
      <TextField
        label="Name"
        description="Identifies the purpose. The key that the host gets shows it."
        value={name}
        error={form.said('name')}
        onChange={setName}
      />
      <TimeToLiveField of="token" text={life} error={form.said('time_to_live')} onChange={setLife} />
      <TextField
        label="Node name"
        description="Only to enrol an existing node again. Empty: any new node."
        value={nodeName}
        error={form.said('node_name')}
        onChange={setNodeName}
      />
      <TextField
        label="Allowed addresses"
        description="Networks that may contain the address of the node. Empty: only the source address of the host."
        value={networks}
        placeholder="10.0.0.0/8, 192.168.1.0/24"
        error={addressError?.message}
        onChange={setNetworks}
      />
      <OwnersField
        owners={owners}
        max={1}
        description="Of the node and everything below it. The host cannot change it."
        error={form.said('owner')}
        onChange={setOwners}
      />
      <TimeToLiveField of="hostKey" text={keyLife} error={form.said('key_time_to_live')} onChange={setKeyLife} />
      <RateField text={rate} error={form.said('key_rate_limit_per_minute')} onChange={setRate} />
    </FormDialog>
  );
}
