import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { type ReactNode, useState } from 'react';
import { endpoint as addEnrolmentToken } from '../../functions/api/enrolment-tokens/add/endpoint.ts';
import { call, type ReplyOf, requestOf } from '../api/client.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RateField, rateField } from './rate-field.tsx';
import { DEFAULT_TOKEN_LIFE, TimeToLiveField, timeToLiveField } from './time-to-live-field.tsx';
import { useSubmit } from '../objects/form/use-submit.tsx';

export type NewToken = ReplyOf<typeof addEnrolmentToken>;

interface TextProps {
  label: string;
  description: ReactNode;
  value: string;
  placeholder?: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function TextField({ label, description, value, placeholder = '', error, onChange }: TextProps) {
  return (
    <FormField label={label} description={description} errorText={error}>
      <Input
        value={value}
        placeholder={placeholder}
        autoComplete={false}
        spellcheck={false}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}

/** Networks as they are typed: separated by commas or spaces; nothing for none. */
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
  const body = {
    name,
    ...timeToLiveField(life),
    ...(nodeName.trim() === '' ? {} : { node_name: nodeName }),
    ...timeToLiveField(keyLife, 'key_time_to_live'),
    ...networksIn(networks),
    ...rateField('key_rate_limit_per_minute', rate),
  };
  const { busy, said, submit, failure } = useSubmit(addEnrolmentToken.body, body, async () =>
    added(await call(addEnrolmentToken, { body })),
  );
  const firstSaid = (body.allowed_addresses ?? [])
    .map((_, index) => said(`allowed_addresses.${index}`))
    .find((text) => text !== undefined);
  return (
    <FormDialog
      header="Add enrolment token"
      submitText="Add"
      busy={busy}
      submit={submit}
      close={close}
      request={requestOf(addEnrolmentToken, { body })}
    >
      {failure !== undefined && <FailureAlert failure={failure} what="The token could not be added" />}
      <TextField
        label="Name"
        description="Identifies the purpose. The key that the host gets shows it."
        value={name}
        error={said('name')}
        onChange={setName}
      />
      <TimeToLiveField of="token" text={life} error={said('time_to_live')} onChange={setLife} />
      <TextField
        label="Node name"
        description="Only to enrol an existing node again. Empty: any new node."
        value={nodeName}
        error={said('node_name')}
        onChange={setNodeName}
      />
      <TextField
        label="Allowed addresses"
        description="Networks that may contain the address of the node. Empty: only the source address of the host."
        value={networks}
        placeholder="10.0.0.0/8, 192.168.1.0/24"
        error={said('allowed_addresses') ?? firstSaid}
        onChange={setNetworks}
      />
      <TimeToLiveField of="hostKey" text={keyLife} error={said('key_time_to_live')} onChange={setKeyLife} />
      <RateField text={rate} error={said('key_rate_limit_per_minute')} onChange={setRate} />
    </FormDialog>
  );
}
