import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { endpoint as removeSilence } from '../../../functions/api/silences/remove/endpoint.ts';
import { covers, endSilence, type Silence, useSilences } from '../../model/silences.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { momentText } from '../../ui/time-format.ts';

/** Ends a silence at once, for users who may. */
export function EndButton({ silence, isInline = false }: { silence: Silence; isInline?: boolean }) {
  const mayEnd = useMay(removeSilence);
  const [busy, setBusy] = useState(false);
  if (!mayEnd) return null;
  const end = async () => {
    setBusy(true);
    await endSilence(silence);
    setBusy(false);
  };
  const name = isInline ? { ariaLabel: `End the silence of ${silence.selector}` } : {};
  return (
    <Button variant={isInline ? 'inline-link' : 'normal'} loading={busy} onClick={() => void end()} {...name}>
      {isInline ? 'End' : 'End silence'}
    </Button>
  );
}

/** The silences that cover what has these labels: the end, the person and the reason of each. */
export function SilenceMarks({ valueOf }: { valueOf: (label: string) => string | undefined }) {
  const silences = (useSilences().value ?? []).filter((silence) => covers(silence, valueOf));
  if (silences.length === 0) return null;
  return (
    <SpaceBetween size="xs">
      {silences.map((silence) => (
        <Alert key={silence.silence_id} action={<EndButton silence={silence} />}>
          Silenced until {momentText(silence.until)} by <Words text={silence.created_by.name} />:{' '}
          <Words text={silence.reason} />
        </Alert>
      ))}
    </SpaceBetween>
  );
}
