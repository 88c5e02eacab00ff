import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import { FailureAlert } from './failure-alert.tsx';

interface Props {
  submitText: string;
  /** As `useSubmit` and `useAction` return it. */
  form: { busy: boolean; failure: ApiFailure | undefined; submit: () => void };
  /** The header above a failure that is about no field. */
  failureTitle: string;
  children: ReactNode;
}

/** A form in a page, which Enter sends too. */
export function PageForm({ submitText, form: { busy, failure, submit }, failureTitle, children }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit();
      }}
    >
      <Form
        actions={
          <Button variant="primary" formAction="submit" loading={busy}>
            {submitText}
          </Button>
        }
      >
        <SpaceBetween size="l">
          {failure !== undefined && <FailureAlert failure={failure} what={failureTitle} />}
          {children}
        </SpaceBetween>
      </Form>
    </form>
  );
}
