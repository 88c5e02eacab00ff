import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useStore } from '../api/store.ts';
import { leaving } from './leaving.tsx';

/** Asks whether the changes of a form may be lost. Each page with such a form has one. */
export function LeaveDialog() {
  const isAsked = useStore(leaving);
  return (
    <Modal
      visible={isAsked}
      header="Leave this page?"
      onDismiss={leaving.stay}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={leaving.stay}>
              Stay
            </Button>
            <Button variant="primary" onClick={leaving.leave}>
              Leave
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      The changes in this form are not saved. They are lost if you leave.
    </Modal>
  );
}
