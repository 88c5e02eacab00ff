import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { ROLE_WITH_OWNERS } from '../../functions/domain/access/user.ts';
import { type Rank, ranks } from '../../shared/auth/roles.ts';
import { roleMeanings } from '../model/role-meanings.ts';
import { OwnersField } from '../objects/form/owners-field.tsx';

const options = ranks.map((role) => ({ value: role, label: role, description: roleMeanings[role] }));

export interface UserRights {
  role: Rank;
  owners: readonly string[];
}

/** The rights as fields of a request: owners only of the role that has them. */
export const rightsFields = ({ role, owners }: UserRights) => ({
  role,
  ...(role === ROLE_WITH_OWNERS && owners.length > 0 ? { owners: [...owners] } : {}),
});

interface Props {
  rights: UserRights;
  said: (field: string) => string | undefined;
  onChange: (rights: UserRights) => void;
}

/** The role of a user, and the owners of an Editor. */
export function UserRightsFields({ rights, said, onChange }: Props) {
  const { role, owners } = rights;
  return (
    <SpaceBetween size="l">
      <FormField label="Role" errorText={said('role')}>
        <Select
          options={options}
          selectedOption={options.find(({ value }) => value === role) ?? null}
          triggerVariant="option"
          onChange={({ detail }) =>
            onChange({ ...rights, role: ranks.find((one) => one === detail.selectedOption.value) ?? role })
          }
        />
      </FormField>
      {role === ROLE_WITH_OWNERS && (
        <OwnersField
          owners={owners}
          description="Limits what the user changes to the objects of these owners."
          error={said('owners')}
          onChange={(next) => onChange({ ...rights, owners: next })}
        />
      )}
    </SpaceBetween>
  );
}
