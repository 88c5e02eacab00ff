import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import { endpoint as addApiKey } from '../../functions/api/api-keys/add/endpoint.ts';
import { rolesWithOwners } from '../../functions/domain/access/api-key.ts';
import { type GivenRole, givenRoles } from '../../shared/auth/roles.ts';
import { call, requestOf, violationsOf } from '../api/client.tsx';
import type { CreatedKey } from './created-key-dialog.tsx';
import { roleMeanings } from '../model/role-meanings.ts';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { RateField, rateField } from './rate-field.tsx';
import { DEFAULT_TIME_TO_LIVE, TimeToLiveField, timeToLiveField } from '../objects/form/time-to-live-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSubmit } from '../ui/use-submit.tsx';

const options = givenRoles.map((role) => ({ value: role, label: role, description: roleMeanings[role] }));

interface Props {
  close: () => void;
  added: (key: CreatedKey) => void;
}

export function AddApiKeyDialog({ close, added }: Props) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<GivenRole>('Viewer');
  const [life, setLife] = useState(DEFAULT_TIME_TO_LIVE);
  const [rate, setRate] = useState('');
  const [owners, setOwners] = useState<readonly string[]>([]);
  const hasOwners = rolesWithOwners.includes(role);
  const isTeam = useCaller().owners !== undefined;

  const body = {
    name,
    role,
    ...timeToLiveField(life),
    ...rateField('rate_limit_per_minute', rate),
    ...(hasOwners && owners.length > 0 ? { owners: [...owners] } : {}),
  };
  const send = async () => {
    const { key, name: keyName, role: keyRole, expires_at: expiresAt } = await call(addApiKey, { body });
    added({ key, name: keyName, role: keyRole, expiresAt });
  };
  const form = useSubmit({ check: () => violationsOf(addApiKey.body, body), send, unique: 'name' });

  return (
    <FormDialog
      header="Add API key"
      submitText="Add"
      form={form}
      failureTitle="The key could not be added"
      close={close}
      request={requestOf(addApiKey, { body })}
    >
      <TextField
        label="Key name"
        description="Identifies the user of the key, for example a program or a pipeline."
        value={name}
        ariaRequired
        error={form.said('name')}
        onChange={(value) => {
          setName(value);
          // The failure was about the former name.
          form.forget();
        }}
      />
      <FormField label="Role" errorText={form.said('role')}>
        <Select
          options={isTeam ? options.filter(({ value }) => rolesWithOwners.includes(value)) : options}
          selectedOption={options.find(({ value }) => value === role) ?? null}
          triggerVariant="option"
          onChange={({ detail }) => {
            setRole(givenRoles.find((one) => one === detail.selectedOption.value) ?? role);
          }}
        />
      </FormField>
      {hasOwners && (
        <OwnersField
          owners={owners}
          description="Limits what the key changes to the objects of these owners."
          error={form.said('owners')}
          onChange={setOwners}
        />
      )}
      <TimeToLiveField of="key" text={life} error={form.said('time_to_live')} onChange={setLife} />
      <RateField text={rate} error={form.said('rate_limit_per_minute')} onChange={setRate} />
    </FormDialog>
  );
}
