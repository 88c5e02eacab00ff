import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useId } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import type { ApiRequest } from './curl-text.ts';
import { Dialog } from './dialog.tsx';
import { FailureAlert } from './failure-alert.tsx';
import { CurlSection } from './show-curl.tsx';

interface Props {
  header: string;
  submitText: string;
  /** As `useRequestForm` and `useAction` return it. */
  form: { busy: boolean; failure: ApiFailure | undefined; submit: () => void; request?: ApiRequest };
  /** The header above a failure that is about no field. */
  failureTitle?: string;
  /** Whether the form cannot be sent yet. */
  disabled?: boolean;
  close: () => void;
  /** The request that the form sends at the moment. Default: that of `form`. */
  request?: ApiRequest | undefined;
  /** A difference between `request` and the requests of the form. */
  note?: string | undefined;
  children: ReactNode;
}

const red = {
  default: 'var(--danger)',
  hover: 'var(--danger-hover)',
  active: 'var(--danger-hover)',
} as const;

/** The button of a removal is red. */
const removal = {
  root: { background: red, borderColor: red, color: { default: '#fff', hover: '#fff', active: '#fff' } },
} as const;

/** Focuses the first field. The modal window focuses its close button, which the space bar would press. */
function FirstField({ form }: { form: string }) {
  useEffect(() => {
    const focus = () => document.getElementById(form)?.querySelector<HTMLElement>('input, textarea')?.focus();
    // After the effect of the window, which runs after those of its content.
    queueMicrotask(focus);
  }, [form]);
  return null;
}

/** A modal window with a form, which Enter sends too. Closing it does not stop a request that was sent. */
export function FormDialog(props: Props) {
  const { header, submitText, form, failureTitle = '', disabled = false, close, note, children } = props;
  const { busy, failure, submit, request = props.request } = form;
  const id = useId();
  return (
    <Dialog
      header={header}
      onDismiss={close}
      buttons={
        <>
          <Button variant="link" onClick={close}>
            Cancel
          </Button>
          <Button
            variant="primary"
            form={id}
            loading={busy}
            disabled={disabled}
            {...(submitText.startsWith('Remove') ? { style: removal } : {})}
          >
            {submitText}
          </Button>
        </>
      }
    >
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !disabled) submit();
        }}
      >
        <SpaceBetween size="l">
          {failure !== undefined && <FailureAlert failure={failure} what={failureTitle} />}
          {children}
          {request !== undefined && <CurlSection request={request} note={note} />}
        </SpaceBetween>
        <FirstField form={id} />
      </form>
    </Dialog>
  );
}
