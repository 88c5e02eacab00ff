import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { CopyableCode } from './copyable-code.tsx';
import { Dialog } from './dialog.tsx';

interface LabelledText {
  label: string;
  text: string;
}

function Secret({
  text,
  label,
  onCopied,
  isTitled = true,
}: LabelledText & { onCopied: () => void; isTitled?: boolean }) {
  return (
    <div>
      {isTitled && <Box variant="awsui-key-label">{label}</Box>}
      <CopyableCode text={text} label={label} onCopied={onCopied} />
    </div>
  );
}

interface Props {
  header: string;
  /** The next steps of the user, and the rights of the secret. */
  warning: { header: string; text: string };
  secrets: readonly LabelledText[];
  /** Different ways to use the secret, one at a time. */
  examples?: readonly LabelledText[];
  notes: readonly string[];
  close: () => void;
}

/**
 * Shows a new secret once. Only this window contains it: a click beside the window or Escape does not close it before the
 * secret was copied.
 */
export function SecretDialog({ header, warning, secrets, examples = [], notes, close }: Props) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog
      header={header}
      onDismiss={({ detail }) => {
        if (copied || detail.reason === 'closeButton') close();
      }}
      buttons={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <SpaceBetween size="l">
        <Alert type="warning" header={warning.header}>
          {warning.text}
        </Alert>
        {secrets.map(({ label, text }) => (
          <Secret key={label} label={label} text={text} onCopied={() => setCopied(true)} />
        ))}
        {examples.length > 0 && (
          <Tabs
            ariaLabel="Ways to use it"
            tabs={examples.map(({ label, text }) => ({
              id: label,
              label,
              content: (
                <Secret label={`${label} example`} text={text} isTitled={false} onCopied={() => setCopied(true)} />
              ),
            }))}
          />
        )}
        {notes.map((note) => (
          <Box key={note} color="text-body-secondary">
            {note}
          </Box>
        ))}
      </SpaceBetween>
    </Dialog>
  );
}
