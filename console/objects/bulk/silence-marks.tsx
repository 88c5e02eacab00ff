import Alert from '@cloudscape-design/components/alert';
import Link from '@cloudscape-design/components/link';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { endpoint as removeSilence } from '../../../functions/api/silences/remove/endpoint.ts';
import { labelOf } from '../../../functions/domain/fields/filterable-labels.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { covers } from '../../model/silences-on.ts';
import { endSilence, type Silence, useSilences, useSilencesOn } from '../../model/silences.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { href } from '../../ui/route.tsx';
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

interface MarksProps {
  silences: readonly Silence[];
  /** Whether a silence matches the object itself, and not only what it rests on. */
  isOwn?: (silence: Silence) => boolean;
}

/** The end, the person and the reason of each silence. One of what the object rests on has a link. */
function Marks({ silences, isOwn = () => true }: MarksProps) {
  if (silences.length === 0) return null;
  return (
    <SpaceBetween size="xs">
      {silences.map((silence) => (
        <Alert key={silence.silence_id} action={isOwn(silence) && <EndButton silence={silence} />}>
          Silenced {!isOwn(silence) && 'with what it rests on '}until {momentText(silence.until)} by{' '}
          <Words text={silence.created_by.name} />: <Words text={silence.reason} />
          {!isOwn(silence) && (
            <>
              {' '}
              (
              <Link href={href(['silences'])} ariaLabel={`Silences: ${silence.selector}`}>
                <Words text={silence.selector} />
              </Link>
              )
            </>
          )}
        </Alert>
      ))}
    </SpaceBetween>
  );
}

/** The silences that cover what has these labels. */
export function SilenceMarks({ valueOf }: { valueOf: (label: string) => string | undefined }) {
  return <Marks silences={(useSilences().value ?? []).filter((silence) => covers(silence, valueOf))} />;
}

/** The silences of an object, and of what it rests on. */
export function ObjectSilenceMarks<T extends InventoryObject>({ kind, object }: { kind: Kind<T>; object: T }) {
  return (
    <Marks
      silences={useSilencesOn(kind, object)}
      isOwn={(silence) => covers(silence, (label) => labelOf(kind.noun, object, label))}
    />
  );
}
