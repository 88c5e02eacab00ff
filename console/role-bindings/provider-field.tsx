import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';
import type { FieldOf } from '../ui/use-request-form.tsx';

interface Props extends FieldOf<string> {
  providers: readonly string[];
}

/** The provider to begin with: the only one. */
export const onlyProvider = (providers: readonly string[]): string => (providers.length === 1 && providers[0]) || '';

/** Selects an identity provider by name, or takes a name that is typed. */
export function ProviderField({ value, providers, error, onChange }: Props) {
  return (
    <FormField
      label="Identity provider"
      description="A name of the setting identityProviders, also of a provider of programs."
      errorText={error}
    >
      <Autosuggest
        value={value}
        options={providers.map((provider) => ({ value: provider }))}
        enteredTextLabel={(text) => `Use ${text}`}
        empty="Type the name of a provider"
        placeholder="company"
        ariaRequired
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}
