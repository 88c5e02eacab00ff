/** Which forms have changes that are not saved, and what waits for the user's consent to lose them. */
let held = 0;
let waiting: (() => void) | undefined;
const listeners = new Set<() => void>();

function setWaiting(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** The browser asks in its own words before it closes the tab or loads another page. */
const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();

/** A link within the console is held back before the address changes, so that the history keeps its order. */
function keepPage(event: MouseEvent): void {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  const to = link?.getAttribute('href') ?? location.hash;
  if (!isPlain || to === location.hash) return;
  event.preventDefault();
  leaving.ask(() => {
    location.hash = to;
  });
}

function release(): void {
  held = 0;
  removeEventListener('beforeunload', keepTab);
  removeEventListener('click', keepPage, true);
}

export const leaving = {
  isHeld: () => held > 0,
  /** From now on leaving the page takes the consent of the user. */
  hold: (): (() => void) => {
    held += 1;
    addEventListener('beforeunload', keepTab);
    addEventListener('click', keepPage, true);
    let isOver = false;
    return () => {
      if (isOver || held === 0) return;
      isOver = true;
      held -= 1;
      if (held === 0) release();
    };
  },
  /** The changes are saved, or may be lost. */
  release,
  /** Does it at once, or once the user has agreed to lose the changes. */
  ask: (proceed: () => void) => {
    if (held === 0) proceed();
    else setWaiting(proceed);
  },
  isAsked: () => waiting !== undefined,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  stay: () => setWaiting(undefined),
  leave: () => {
    const proceed = waiting;
    release();
    setWaiting(undefined);
    proceed?.();
  },
};
