import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { endpoint as previewRoleBindings } from '../../functions/api/role-bindings/preview/endpoint.ts';
import type { Violation } from '../../shared/core/errors.ts';
import { call, type CallOf, type ReplyOf, requestOf, violationsOf } from '../api/client.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useSubmit } from '../ui/use-submit.tsx';
import { claimExamples } from './claim-examples.ts';
import { GrantText } from './grant-text.tsx';
import { onlyProvider, ProviderField } from './provider-field.tsx';

type Claims = CallOf<typeof previewRoleBindings>['body']['claims'];

const examples = Object.keys(claimExamples).map((value) => ({ value, label: value }));

/** The claims in a text; undefined for a text that is no JSON object. */
function claimsIn(text: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

const noObject: Violation = {
  field: 'claims',
  reason: 'invalid_format',
  message: 'Must be a JSON object, such as the decoded part of a token between its two dots.',
};

/** Answers which role an identity with some claims would get, and why. Changes nothing. */
export function PreviewDialog({ providers, close }: { providers: readonly string[]; close: () => void }) {
  const [provider, setProvider] = useState(onlyProvider(providers));
  const [text, setText] = useState('');
  const [example, setExample] = useState<string>();
  const [grant, setGrant] = useState<ReplyOf<typeof previewRoleBindings>>();
  const claims = claimsIn(text);
  const body = { provider, claims: claims ?? {} };
  const form = useSubmit({
    check: () => [...violationsOf(previewRoleBindings.body, body), ...(claims === undefined ? [noObject] : [])],
    send: async () => setGrant(await call(previewRoleBindings, { body })),
  });
  const change = (set: () => void) => {
    set();
    setGrant(undefined);
    form.forget();
  };
  return (
    <FormDialog
      header="Preview a role"
      submitText="Preview"
      form={form}
      failureTitle="The preview failed"
      close={close}
      request={requestOf(previewRoleBindings, { body })}
    >
      <ProviderField
        value={provider}
        providers={providers}
        error={form.said('provider')}
        onChange={(value) => change(() => setProvider(value))}
      />
      <FormField label="Example" description="Fills in the claims of a well-known provider, to change.">
        <Select
          options={examples}
          selectedOption={examples.find(({ value }) => value === example) ?? null}
          placeholder="Choose an example"
          onChange={({ detail: { selectedOption } }) =>
            change(() => {
              setExample(selectedOption.value);
              setText(JSON.stringify(claimExamples[selectedOption.value ?? ''], null, 2));
            })
          }
        />
      </FormField>
      <FormField
        label="Claims of the identity"
        description="JSON. Paste the claims, not the token."
        errorText={form.violations.find(({ field }) => field.startsWith('claims'))?.message}
      >
        <Textarea
          value={text}
          rows={8}
          spellcheck={false}
          ariaRequired
          placeholder='{"groups": ["dba"]}'
          onChange={({ detail }) => change(() => setText(detail.value))}
        />
      </FormField>
      <div role="status">{grant !== undefined && <GrantText grant={grant} provider={provider} />}</div>
    </FormDialog>
  );
}
