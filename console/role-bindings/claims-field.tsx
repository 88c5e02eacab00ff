import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import type { Violation } from '../../shared/core/errors.ts';
import { type ClaimRow, rowMessages } from './claim-rows.ts';

interface Props {
  rows: readonly ClaimRow[];
  violations: readonly Violation[];
  onChange: (rows: readonly ClaimRow[]) => void;
}

/** The claims of a binding: one value per row. */
export function ClaimsField({ rows, violations, onChange }: Props) {
  const set = (index: number, change: Partial<ClaimRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  const messages = rowMessages(rows, violations);
  return (
    <FormField
      stretch
      label="Claims"
      description="The identity must have every claim. Repeat a claim for further values, of which it must have one."
      constraintText="Values are compared exactly. /kubernetes.io/namespace names a claim inside another one."
      errorText={violations.find(({ field }) => field === 'claims')?.message}
    >
      <AttributeEditor
        items={rows}
        addButtonText="Add claim"
        removeButtonText="Remove"
        removeButtonAriaLabel={({ name, value }) => `Remove the claim ${name} ${value}`}
        empty="No claims: every identity of the provider has the role."
        onAddButtonClick={() => onChange([...rows, { name: '', value: '' }])}
        onRemoveButtonClick={({ detail }) => onChange(rows.filter((_, index) => index !== detail.itemIndex))}
        definition={[
          {
            label: 'Claim',
            errorText: (_, index) => messages[index]?.name,
            control: ({ name }, index) => (
              <Input
                value={name}
                spellcheck={false}
                placeholder="groups"
                onChange={({ detail }) => set(index, { name: detail.value })}
              />
            ),
          },
          {
            label: 'Value',
            errorText: (_, index) => messages[index]?.value,
            control: ({ value }, index) => (
              <Input
                value={value}
                spellcheck={false}
                placeholder="dba"
                onChange={({ detail }) => set(index, { value: detail.value })}
              />
            ),
          },
        ]}
      />
    </FormField>
  );
}
