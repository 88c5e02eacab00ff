import FormField, { type FormFieldProps } from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';

interface Props
  extends
    Pick<FormFieldProps, 'label' | 'description' | 'constraintText'>,
    Pick<InputProps, 'value' | 'placeholder' | 'inputMode' | 'ariaRequired'> {
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A labelled input of one line, without the corrections of the browser. */
export function TextField({ label, description, constraintText, error, onChange, ...input }: Props) {
  return (
    <FormField label={label} description={description} constraintText={constraintText} errorText={error}>
      <Input {...input} autoComplete={false} spellcheck={false} onChange={({ detail }) => onChange(detail.value)} />
    </FormField>
  );
}
