import { endpoint as addApiKey } from '../../functions/api/api-keys/add/endpoint.ts';
import { rolesWithOwners } from '../../functions/domain/access/api-key.ts';
import { type GivenRole, givenRoles } from '../../shared/auth/roles.ts';
import { call } from '../api/client.tsx';
import { roleMeanings } from '../model/role-meanings.ts';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { RoleField } from '../objects/form/role-field.tsx';
import { DEFAULT_TIME_TO_LIVE, TimeToLiveField } from '../objects/form/time-to-live-field.tsx';
import { useCaller } from '../ui/caller-context.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { filledFields, useRequestForm } from '../ui/use-request-form.tsx';
import type { CreatedKey } from './created-key-dialog.tsx';
import { RateField, rateField } from './rate-field.tsx';

interface Props {
  close: () => void;
  added: (key: CreatedKey) => void;
}

interface Draft {
  name: string;
  role: GivenRole;
  owners: readonly string[];
  time_to_live: string;
  rate_limit_per_minute: string;
}

const start: Draft = {
  name: '',
  role: 'Viewer',
  owners: [],
  time_to_live: DEFAULT_TIME_TO_LIVE,
  rate_limit_per_minute: '',
};

export function AddApiKeyDialog({ close, added }: Props) {
  const isTeam = useCaller().owners !== undefined;
  const form = useRequestForm({
    endpoint: addApiKey,
    start,
    bodyOf: ({ name, role, owners, time_to_live, rate_limit_per_minute: rate }) => ({
      name,
      role,
      ...filledFields({ time_to_live }),
      ...rateField('rate_limit_per_minute', rate),
      ...(rolesWithOwners.includes(role) && filledFields({ owners: [...owners] })),
    }),
    send: async (body) => {
      const { key, name, role, expires_at: expiresAt } = await call(addApiKey, { body });
      added({ key, name, role, expiresAt });
    },
    unique: 'name',
  });
  const { name, role, owners, time_to_live, rate_limit_per_minute } = form.fields;
  return (
    <FormDialog
      header="Add API key"
      submitText="Add"
      form={form}
      failureTitle="The key could not be added"
      close={close}
    >
      <TextField
        label="Key name"
        description="Identifies the user of the key, for example a program or a pipeline."
        ariaRequired
        {...name}
      />
      <RoleField
        roles={isTeam ? givenRoles.filter((given) => rolesWithOwners.includes(given)) : givenRoles}
        meanings={roleMeanings}
        {...role}
      />
      {rolesWithOwners.includes(role.value) && (
        <OwnersField description="Limits what the key changes to the objects of these owners." {...owners} />
      )}
      <TimeToLiveField of="key" {...time_to_live} />
      <RateField {...rate_limit_per_minute} />
    </FormDialog>
  );
}
