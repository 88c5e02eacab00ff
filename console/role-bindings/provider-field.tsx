import Autosuggest from '@cloudscape-design/components/autosuggest';
import FormField from '@cloudscape-design/components/form-field';

interface Props {
  provider: string;
  providers: readonly string[];
  error: string | undefined;
  onChange: (provider: string) => void;
}

/** Selects an identity provider by name, or takes a name that is typed. */
export function ProviderField({ provider, providers, error, onChange }: Props) {
  return (
    <FormField
      label="Identity provider"
      description="A name of the setting identityProviders, also of a provider of programs."
      errorText={error}
    >
      <Autosuggest
        value={provider}
        options={providers.map((value) => ({ value }))}
        enteredTextLabel={(text) => `Use ${text}`}
        empty="Type the name of a provider"
        placeholder="company"
        ariaRequired
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}
