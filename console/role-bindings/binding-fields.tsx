import SpaceBetween from '@cloudscape-design/components/space-between';
import { type GrantedRole, grantedRoles } from '../../shared/auth/roles.ts';
import { MAX_OWNERS } from '../../functions/domain/access/owners.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { roleMeanings } from '../model/role-meanings.ts';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { RoleField } from '../objects/form/role-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { FieldsOf } from '../ui/use-request-form.tsx';
import { type ClaimRow, claimsOf, rowsOf } from './claim-rows.ts';
import { ClaimsField } from './claims-field.tsx';
import type { RoleBinding } from './use-bindings.tsx';

const meanings = {
  ...roleMeanings,
  Registrar: 'A log-in returns an enrolment token for one host.',
} as const satisfies Record<GrantedRole, string>;

/** The fields of a binding that can change. */
export interface BindingDraft {
  claims: readonly ClaimRow[];
  role: GrantedRole;
  owners: readonly string[];
  node_name_claim: string;
  description: string;
}

export const emptyDraft: BindingDraft = {
  claims: [{ name: '', value: '' }],
  role: 'Viewer',
  owners: [],
  node_name_claim: '',
  description: '',
};

export const draftOf = ({ claims, role, owners = [], node_name_claim, description }: RoleBinding): BindingDraft => ({
  claims: rowsOf(claims),
  role,
  owners,
  node_name_claim: node_name_claim ?? '',
  description: description ?? '',
});

/** Of the roles that have them. An Admin has no owners, and only a Registrar has a claim with the name of its node. */
const hasOwners = (role: GrantedRole) => role !== 'Admin';
const hasNodeName = (role: GrantedRole) => role === 'Registrar';

/** The draft as fields of a request: undefined for a field without a value. */
export const fieldsOf = ({ claims, role, owners, node_name_claim, description }: BindingDraft) => ({
  claims: claimsOf(claims),
  role,
  owners: hasOwners(role) && owners.length > 0 ? [...owners] : undefined,
  node_name_claim: (hasNodeName(role) && node_name_claim) || undefined,
  description: description || undefined,
});

interface Props {
  fields: FieldsOf<BindingDraft>;
  violations: readonly Violation[];
}

/** The claims, the role and its limits. */
export function BindingFields({ fields, violations }: Props) {
  const { claims, role, owners, node_name_claim, description } = fields;
  return (
    <SpaceBetween size="l">
      <ClaimsField rows={claims.value} violations={violations} onChange={claims.onChange} />
      <RoleField roles={grantedRoles} meanings={meanings} {...role} />
      {hasOwners(role.value) && (
        <OwnersField
          max={role.value === 'Registrar' ? 1 : MAX_OWNERS}
          description={
            role.value === 'Registrar'
              ? 'The owner of the host.'
              : 'Limits what the identities change to the objects of these owners.'
          }
          {...owners}
        />
      )}
      {hasNodeName(role.value) && (
        <TextField
          label="Claim with the node name"
          description="The host may enrol only the node with this name, also again. Empty: any new node."
          {...node_name_claim}
        />
      )}
      <TextField label="Purpose" description="Optional." {...description} />
    </SpaceBetween>
  );
}
