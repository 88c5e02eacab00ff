import Box from '@cloudscape-design/components/box';
import Modal, { type ModalProps } from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

interface Props extends Pick<ModalProps, 'header' | 'onDismiss' | 'children' | 'size'> {
  buttons: ReactNode;
}

/** A modal window with its buttons at the lower right. */
export function Dialog({ buttons, ...modal }: Props) {
  return (
    <Modal
      {...modal}
      visible
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {buttons}
          </SpaceBetween>
        </Box>
      }
    />
  );
}
