import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { passwordRule, passwordViolations } from '../model/new-password.tsx';
import { logInAsUser } from '../api/log-in-as-user.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { flash } from '../ui/flash.ts';
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!form.busy) form.submit();
        }}
      >
        <Form
          actions={
            <Button variant="primary" formAction="submit" loading={form.busy}>
              Change password
            </Button>
          }
        >
          <SpaceBetween size="l">
            {form.failure !== undefined && (
              <FailureAlert failure={form.failure} what="The password could not be changed" />
            )}
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
          </SpaceBetween>
        </Form>
      </form>
    </Container>
  );
}
