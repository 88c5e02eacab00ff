import { createRequire } from 'node:module';

/** React shows what it loads instead of a component at least this long. */
const FALLBACK_MS = 300;

/** The work of React's scheduler. */
export const rendering = {
  /** The pieces that it has put off to a later turn of the event loop. */
  pieces: 0,
  /** How far its clock is ahead of that of the process, in milliseconds. */
  ahead: 0,
  /** Time passes for React, so that it no longer waits with what has been loaded. */
  pass: (): void => {
    rendering.ahead += FALLBACK_MS;
  },
};

const { setImmediate: later, performance: clock } = globalThis;

const counted = (run: () => void) => {
  rendering.pieces += 1;
  return later(() => {
    rendering.pieces -= 1;
    run();
  });
};

/** Gives the scheduler these globals: it keeps those that it finds when it is loaded. */
function load(globals: { setImmediate: unknown; performance: Pick<Performance, 'now'> }): void {
  const before = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([name]) => name in globals);
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  createRequire(import.meta.resolve('react-dom/client'))('scheduler');
  Object.defineProperties(globalThis, Object.fromEntries(before));
}

load({ setImmediate: counted, performance: { now: () => clock.now() + rendering.ahead } });
