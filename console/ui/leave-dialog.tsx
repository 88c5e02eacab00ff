import Button from '@cloudscape-design/components/button';
import { useStore } from '../api/store.ts';
import { Dialog } from './dialog.tsx';
import { leaving } from './leaving.tsx';

/**
 * Asks whether unsaved changes may be lost. Each page with a form that `useUnsaved` watches has one. The last window to
 * appear is the upper one: Back can leave the page while it has another dialog open.
 */
export function LeaveDialog() {
  const isAsked = useStore(leaving);
  if (!isAsked) return null;
  return (
    <Dialog
      header="Leave this page?"
      onDismiss={leaving.stay}
      buttons={
        <>
          <Button variant="link" onClick={leaving.stay}>
            Stay
          </Button>
          <Button variant="primary" onClick={leaving.leave}>
            Leave
          </Button>
        </>
      }
    >
      The changes in this form are not saved. They are lost if you leave.
    </Dialog>
  );
}
