import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Input from '@cloudscape-design/components/input';
import type { LabelRow } from '../../model/draft.ts';

interface Props {
  rows: readonly LabelRow[];
  onChange: (rows: readonly LabelRow[]) => void;
}

/** Labels by name, one per row. */
export function LabelEditor({ rows, onChange }: Props) {
  const set = (index: number, change: Partial<LabelRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <AttributeEditor
      items={rows}
      addButtonText="Add label"
      removeButtonText="Remove"
      removeButtonAriaLabel={({ name }) => `Remove the label ${name}`}
      empty="No labels."
      onAddButtonClick={() => onChange([...rows, { name: '', value: '' }])}
      onRemoveButtonClick={({ detail }) => onChange(rows.filter((_, index) => index !== detail.itemIndex))}
      definition={[
        {
          label: 'Name',
          control: ({ name }, index) => (
            <Input value={name} spellcheck={false} onChange={({ detail }) => set(index, { name: detail.value })} />
          ),
        },
        {
          label: 'Value',
          control: ({ value }, index) => (
            <Input value={value} spellcheck={false} onChange={({ detail }) => set(index, { value: detail.value })} />
          ),
        },
      ]}
    />
  );
}
