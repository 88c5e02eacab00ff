import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { Violation } from '../../../shared/core/errors.ts';
import { type DraftValue, groupIn, idsIn, rowsIn, textIn } from '../../model/draft.ts';
import type { Field } from '../../model/fields.ts';
import { LabelEditor } from './label-editor.tsx';
import { ReferenceSelect } from './reference-select.tsx';

interface Props {
  field: Field;
  value: DraftValue | undefined;
  violations: readonly Violation[];
  /** A hint in addition to the description of the field. */
  hintOf?: (path: string) => string | undefined;
  onChange: (value: DraftValue) => void;
}

/** The messages about a field or a part of it. */
function errorAt(path: string, violations: readonly Violation[]): string | undefined {
  const said = violations.filter(({ field }) => field === path || field.startsWith(`${path}.`));
  return said.length === 0 ? undefined : said.map(({ message }) => message).join(' ');
}

function standardText(standard: unknown): string {
  return typeof standard === 'string' || typeof standard === 'number' ? ` Default: ${standard}.` : '';
}

const notSet = { value: '', label: 'Not set' };

/** One field of a form, with the control for its type in the contract. */
export function FieldControl({ field, value, violations, hintOf, onChange }: Props) {
  const { control, path, label, description, required, standard } = field;
  if (control.kind === 'group')
    return (
      <SpaceBetween size="m">
        {control.fields.map((part) => (
          <FieldControl
            key={part.name}
            field={part}
            value={groupIn(value)[part.name]}
            violations={violations}
            {...(hintOf === undefined ? {} : { hintOf })}
            onChange={(next) => onChange({ ...groupIn(value), [part.name]: next })}
          />
        ))}
      </SpaceBetween>
    );
  const errorText = errorAt(path, violations);
  if (control.kind === 'flag')
    return (
      <FormField errorText={errorText}>
        <Checkbox
          checked={value === true}
          description={description}
          onChange={({ detail }) => onChange(detail.checked)}
        >
          {label}
        </Checkbox>
      </FormField>
    );
  // The heading of the section is the label.
  if (control.kind === 'labels')
    return (
      <FormField errorText={errorText} stretch>
        <Control field={field} value={value} onChange={onChange} />
      </FormField>
    );
  const hint = hintOf?.(path);
  return (
    <FormField
      label={
        required ? (
          label
        ) : (
          <span>
            {label} <i>- optional</i>
          </span>
        )
      }
      description={`${description}${standardText(standard)}${control.kind === 'texts' ? ' One per line.' : ''}`}
      constraintText={hint}
      errorText={errorText}
    >
      <Control field={field} value={value} onChange={onChange} />
    </FormField>
  );
}

function Control({ field: { control, required }, value, onChange }: Pick<Props, 'field' | 'value' | 'onChange'>) {
  switch (control.kind) {
    case 'text':
      return (
        <Input
          value={textIn(value)}
          ariaRequired={required}
          spellcheck={false}
          autoComplete={false}
          onChange={({ detail }) => onChange(detail.value)}
        />
      );
    case 'number':
      return (
        <Input
          value={textIn(value)}
          inputMode="numeric"
          ariaRequired={required}
          autoComplete={false}
          onChange={({ detail }) => onChange(detail.value)}
        />
      );
    case 'choice': {
      const options = [
        ...(required ? [] : [notSet]),
        ...control.values.map((choice) => ({ value: choice, label: choice })),
      ];
      return (
        <Select
          options={options}
          selectedOption={options.find((option) => option.value === textIn(value)) ?? null}
          placeholder="Choose one"
          ariaRequired={required}
          onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
        />
      );
    }
    case 'texts':
      return (
        <Textarea value={textIn(value)} rows={3} spellcheck={false} onChange={({ detail }) => onChange(detail.value)} />
      );
    case 'labels':
      return <LabelEditor rows={rowsIn(value)} onChange={onChange} />;
    case 'reference':
      return (
        <ReferenceSelect
          to={control.to}
          ids={textIn(value) === '' ? [] : [textIn(value)]}
          max={1}
          optional={!required}
          onChange={([id = '']) => onChange(id)}
        />
      );
    case 'references':
      return (
        <ReferenceSelect
          to={control.to}
          ids={idsIn(value)}
          max={control.max ?? Infinity}
          optional={!required}
          onChange={onChange}
        />
      );
    case 'flag':
    case 'group':
      return null;
  }
}
