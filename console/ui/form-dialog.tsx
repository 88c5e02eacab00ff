import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useId } from 'react';
import type { ApiRequest } from './curl-text.ts';
import { CurlSection } from './show-curl.tsx';

interface Props {
  header: string;
  /** What the button says. */
  submitText: string;
  busy: boolean;
  submit: () => void;
  close: () => void;
  /** What the form sends as it stands. */
  request?: ApiRequest;
  children: ReactNode;
}

/** A window with a form in it, which Enter sends as well. */
export function FormDialog({ header, submitText, busy, submit, close, request, children }: Props) {
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
            <Button variant="primary" form={id} loading={busy}>
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
          submit();
        }}
      >
        <SpaceBetween size="l">
          {children}
          {request !== undefined && <CurlSection request={request} />}
        </SpaceBetween>
      </form>
    </Modal>
  );
}
