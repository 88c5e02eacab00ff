import { useEffect } from 'react';
import { focusHeading } from '../ui/page-title.tsx';

const isDialogOpen = () => [...document.querySelectorAll('[role=dialog]')].some((dialog) => dialog.checkVisibility());

/**
 * Moves the focus to the heading of the page when the element that has it is removed, for example a button that is used up:
 * the browser leaves it nowhere, and the next Tab begins anywhere. Dialogs return the focus themselves.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    let frame = 0;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) last = target;
    };
    // A click beside everything removes the focus, too.
    const forget = () => (last = undefined);
    const check = () => {
      const isLost = last !== undefined && !last.isConnected && document.activeElement === document.body;
      if (isLost && !isDialogOpen() && focusHeading()) forget();
    };
    // After a dialog that closes has returned the focus.
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(check);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}
