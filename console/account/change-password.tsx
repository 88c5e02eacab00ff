import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { passwordRule, passwordViolations } from '../model/password-violations.tsx';
import { logInAsUser } from '../api/client.tsx';
import { flash } from '../ui/flash.ts';
import { PageForm } from '../ui/page-form.tsx';
import { useSubmit } from '../ui/use-submit.tsx';

interface FieldProps {
  label: string;
  name: 'current-password' | 'new-password';
  value: string;
  description?: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

function PasswordField({ label, name, value, description, error, onChange }: FieldProps) {
  return (
    <FormField label={label} description={description} errorText={error}>
      <Input
        type="password"
        value={value}
        autoComplete={name}
        ariaRequired
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  );
}

/** The form with which a user changes the own password. */
export function ChangePassword({ user, changed }: { user: string; changed: () => void }) {
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const form = useSubmit({
    check: () => passwordViolations(next, repeated),
    send: async () => {
      await logInAsUser({ method: 'password', user_name: user, password: present, new_password: next });
      for (const empty of [setPresent, setNext, setRepeated]) empty('');
      flash.add({ type: 'success', content: 'Your password was changed. Your other sessions have ended.' });
      changed();
    },
  });
  return (
    <Container header={<Header variant="h2">Change your password</Header>}>
      <PageForm submitText="Change password" form={form} failureTitle="The password could not be changed">
        <PasswordField label="Present password" name="current-password" value={present} onChange={setPresent} />
        <PasswordField
          label="New password"
          name="new-password"
          value={next}
          description={`${passwordRule} All other sessions end.`}
          error={form.said('new_password')}
          onChange={setNext}
        />
        <PasswordField
          label="New password again"
          name="new-password"
          value={repeated}
          error={form.said('repeated')}
          onChange={setRepeated}
        />
      </PageForm>
    </Container>
  );
}
