import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { flash, type FlashMessage } from '../../ui/flash.ts';

interface Props {
  label: string;
  undo: () => Promise<void>;
  done: () => void;
}

function UndoButton({ label, undo, done }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      loading={busy}
      loadingText="Undoing"
      ariaLabel={label}
      onClick={() => {
        setBusy(true);
        void undo().finally(done);
      }}
    >
      Undo
    </Button>
  );
}

/**
 * Shows a message about an action, with a button that undoes it once. The message stays for one change of the page.
 *
 * @param label the name of the button.
 * @param undo shows its own result; it does not fail.
 */
export function addUndoable(
  message: Omit<FlashMessage, 'id'>,
  label: string,
  undo: () => Promise<void>,
  { pages }: { pages: number } = { pages: 1 },
): void {
  const action = <UndoButton label={label} undo={undo} done={() => flash.dismiss(id)} />;
  const id: string = flash.add({ ...message, action }, { pages });
}
