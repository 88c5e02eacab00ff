import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { endpoint as getCaller } from '../../functions/server/get-caller/endpoint.ts';
import type { Role } from '../../shared/auth/roles.ts';
import { momentText } from './moment.tsx';

export interface CreatedKey {
  key: string;
  name: string;
  role: Role;
  expiresAt: string | undefined;
}

/** On one machine the certificate is self-signed, and curl has to be told. */
const isThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

function curlLine(key: string): string {
  return `curl${isThisMachine ? ' -k' : ''} -H 'Authorization: Bearer ${key}' ${location.origin}${getCaller.path}`;
}

function Secret({ text, label, onCopied }: { text: string; label: string; onCopied: () => void }) {
  return (
    <div>
      <Box variant="awsui-key-label">{label}</Box>
      <div className="secret">
        <code className="mono any-word">{text}</code>
        <CopyToClipboard
          copyButtonText="Copy"
          copyButtonAriaLabel={`Copy: ${label}`}
          copySuccessText="Copied"
          copyErrorText="Could not copy: select the text and copy it by hand."
          textToCopy={text}
          popoverRenderWithPortal
          onCopySuccess={onCopied}
        />
      </div>
    </div>
  );
}

/**
 * The one showing of a new key. It is in this window only and gone with it, so that a click beside the window or Escape
 * does not close it before the key was copied.
 */
export function CreatedKeyDialog({ created, close }: { created: CreatedKey; close: () => void }) {
  const { key, name, role, expiresAt } = created;
  const [copied, setCopied] = useState(false);
  const onCopied = () => setCopied(true);
  return (
    <Modal
      visible
      header="API key created"
      onDismiss={({ detail }) => {
        if (copied || detail.reason === 'closeButton') close();
      }}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="l">
        <Alert type="warning" header="Copy the key now">
          It is not shown again. Whoever has it may do what the role {role} may; keep it where secrets are kept.
        </Alert>
        <Secret label={`Key of ${name}`} text={key} onCopied={onCopied} />
        <Secret label="Try it" text={curlLine(key)} onCopied={onCopied} />
        <Box color="text-body-secondary">
          {expiresAt === undefined ? 'It never expires.' : `It expires ${momentText(expiresAt)}.`}
        </Box>
      </SpaceBetween>
    </Modal>
  );
}
