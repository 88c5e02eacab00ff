import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useId } from 'react';
import type { ApiRequest } from './curl-text.ts';
import { CurlSection } from './show-curl.tsx';

interface Props {
  header: string;
  /** What the button says. */
  submitText: string;
  busy: boolean;
  /** Whether it cannot be sent yet. */
  disabled?: boolean;
  submit: () => void;
  close: () => void;
  /** What the form sends as it stands. */
  request?: ApiRequest;
  /** What the request leaves out. */
  note?: string | undefined;
  children: ReactNode;
}

/** Moves to the first field of a form: the window itself goes to the button that closes it, where a blank would press it. */
function FirstField({ form }: { form: string }) {
  useEffect(() => {
    const focus = () => document.getElementById(form)?.querySelector<HTMLElement>('input, textarea')?.focus();
    // After the window, whose effect follows those of what is in it.
    queueMicrotask(focus);
  }, [form]);
  return null;
}

/** A window with a form in it, which Enter sends as well. */
export function FormDialog(props: Props) {
  const { header, submitText, busy, disabled = false, submit, close, request, note, children } = props;
  const id = useId();
  return (
    <Modal
      visible
      header={header}
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={close}>
              Cancel
            </Button>
            <Button variant="primary" form={id} loading={busy} disabled={disabled}>
              {submitText}
            </Button>
          </SpaceBetween>
        </Box>
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
          {children}
          {request !== undefined && <CurlSection request={request} note={note} />}
        </SpaceBetween>
        <FirstField form={id} />
      </form>
    </Modal>
  );
}
