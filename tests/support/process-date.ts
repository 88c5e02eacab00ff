import { mock } from 'node:test';

/** The `Date` of this process, for packages that read it: it stands at the time that was set last. */
export const processDate = {
  set: (time: Date): void => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: time });
  },
  /** It is that of the machine again. */
  release: (): void => mock.timers.reset(),
};
