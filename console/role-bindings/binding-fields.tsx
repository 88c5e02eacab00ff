import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type GrantedRole, grantedRoles } from '../../shared/auth/roles.ts';
import { MAX_OWNERS } from '../../functions/domain/access/owners.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { roleMeanings } from '../model/role-meanings.ts';
import { OwnersField } from '../objects/form/owners-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type ClaimRow, claimsOf, rowsOf } from './claim-rows.ts';
import { ClaimsField } from './claims-field.tsx';
import type { RoleBinding } from './use-bindings.tsx';

const meanings = {
  ...roleMeanings,
  Registrar: 'A log-in returns an enrolment token for one host.',
} as const satisfies Record<GrantedRole, string>;

const options = grantedRoles.map((role) => ({ value: role, label: role, description: meanings[role] }));

/** The fields of a binding that can change. */
export interface BindingDraft {
  claims: readonly ClaimRow[];
  role: GrantedRole;
  owners: readonly string[];
  nodeNameClaim: string;
  description: string;
}

export const emptyDraft: BindingDraft = {
  claims: [{ name: '', value: '' }],
  role: 'Viewer',
  owners: [],
  nodeNameClaim: '',
  description: '',
};

export const draftOf = ({ claims, role, owners = [], node_name_claim, description }: RoleBinding): BindingDraft => ({
  claims: rowsOf(claims),
  role,
  owners,
  nodeNameClaim: node_name_claim ?? '',
  description: description ?? '',
});

/** Of the roles that have them. An Admin has no owners, and only a Registrar has a claim with the name of its node. */
const hasOwners = ({ role }: BindingDraft) => role !== 'Admin';
const hasNodeName = ({ role }: BindingDraft) => role === 'Registrar';

/** The draft as fields of a request: undefined for a field without a value. */
export const fieldsOf = (draft: BindingDraft) => ({
  claims: claimsOf(draft.claims),
  role: draft.role,
  owners: hasOwners(draft) && draft.owners.length > 0 ? [...draft.owners] : undefined,
  node_name_claim: hasNodeName(draft) && draft.nodeNameClaim !== '' ? draft.nodeNameClaim : undefined,
  description: draft.description === '' ? undefined : draft.description,
});

interface Props {
  draft: BindingDraft;
  violations: readonly Violation[];
  onChange: (draft: BindingDraft) => void;
}

/** The claims, the role and its limits. */
export function BindingFields({ draft, violations, onChange }: Props) {
  const set = (change: Partial<BindingDraft>) => onChange({ ...draft, ...change });
  const said = (name: string) =>
    violations.find(({ field }) => field === name || field.startsWith(`${name}.`))?.message;
  return (
    <SpaceBetween size="l">
      <ClaimsField rows={draft.claims} violations={violations} onChange={(claims) => set({ claims })} />
      <FormField label="Role" errorText={said('role')}>
        <Select
          options={options}
          selectedOption={options.find(({ value }) => value === draft.role) ?? null}
          triggerVariant="option"
          onChange={({ detail }) =>
            set({ role: grantedRoles.find((one) => one === detail.selectedOption.value) ?? draft.role })
          }
        />
      </FormField>
      {hasOwners(draft) && (
        <OwnersField
          owners={draft.owners}
          max={draft.role === 'Registrar' ? 1 : MAX_OWNERS}
          description={
            draft.role === 'Registrar'
              ? 'The owner of the host.'
              : 'Limits what the identities change to the objects of these owners.'
          }
          error={said('owners')}
          onChange={(owners) => set({ owners })}
        />
      )}
      {hasNodeName(draft) && (
        <TextField
          label="Claim with the node name"
          description="The host may enrol only the node with this name, also again. Empty: any new node."
          value={draft.nodeNameClaim}
          error={said('node_name_claim')}
          onChange={(nodeNameClaim) => set({ nodeNameClaim })}
        />
      )}
      <TextField
        label="Purpose"
        description="Optional."
        value={draft.description}
        error={said('description')}
        onChange={(description) => set({ description })}
      />
    </SpaceBetween>
  );
}
