import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import type { FieldOf } from '../../ui/use-request-form.tsx';

interface Props<Role extends string> extends FieldOf<Role> {
  /** The roles to select from, with the meaning of each. */
  meanings: Readonly<Record<Role, string>>;
  roles: readonly Role[];
}

/** Selects a role. */
export function RoleField<Role extends string>({ roles, meanings, value, error, onChange }: Props<Role>) {
  const options = roles.map((role) => ({ value: role, label: role, description: meanings[role] }));
  return (
    <FormField label="Role" errorText={error}>
      <Select
        options={options}
        selectedOption={options.find((option) => option.value === value) ?? null}
        triggerVariant="option"
        onChange={({ detail }) => onChange(roles.find((role) => role === detail.selectedOption.value) ?? value)}
      />
    </FormField>
  );
}
