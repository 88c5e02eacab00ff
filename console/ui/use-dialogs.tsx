import { type ReactNode, useState } from 'react';

/** The dialogs of a page, of which at most one is open. */
export interface Dialogs {
  /** The open dialog, for the page to render. */
  open: ReactNode;
  show: (dialog: ReactNode) => void;
  close: () => void;
  /** Closes the dialog after a change, which the page then loads. */
  done: () => void;
  /** After a change, another dialog follows, for example with a new secret. */
  follow: (dialog: ReactNode) => void;
}

/** @param reload loads what the page shows, after a change. */
export function useDialogs(reload: () => void): Dialogs {
  const [open, setOpen] = useState<ReactNode>();
  const follow = (dialog: ReactNode) => {
    setOpen(dialog);
    reload();
  };
  return { open, show: setOpen, close: () => setOpen(undefined), done: () => follow(undefined), follow };
}
