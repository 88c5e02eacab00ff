import SpaceBetween from '@cloudscape-design/components/space-between';
import { ROLE_WITH_OWNERS } from '../../functions/domain/access/user.ts';
import { type Rank, ranks } from '../../shared/auth/roles.ts';
import { roleMeanings } from '../model/role-meanings.ts';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { RoleField } from '../objects/form/role-field.tsx';
import type { FieldsOf } from '../ui/use-request-form.tsx';

export interface UserRights {
  role: Rank;
  owners: readonly string[];
}

/** The rights as fields of a request: owners only of the role that has them. */
export const rightsFields = ({ role, owners }: UserRights) => ({
  role,
  ...(role === ROLE_WITH_OWNERS && owners.length > 0 ? { owners: [...owners] } : {}),
});

/** The role of a user, and the owners of an Editor. */
export function UserRightsFields({ fields: { role, owners } }: { fields: FieldsOf<UserRights> }) {
  return (
    <SpaceBetween size="l">
      <RoleField roles={ranks} meanings={roleMeanings} {...role} />
      {role.value === ROLE_WITH_OWNERS && (
        <OwnersField description="Limits what the user changes to the objects of these owners." {...owners} />
      )}
    </SpaceBetween>
  );
}
