import { describeError, jsonLog } from '../shared/core/log.ts';
import { processClock } from '../shared/core/monotonic-clock.ts';
import { timeOfDay } from '../shared/core/time-of-day.ts';
import { startContainer } from './container/container.ts';
import { InvalidSettings, readContainerSettings } from './container/settings.ts';

/** A second signal within this time counts as the first one. */
const IMPATIENT_MS = 1000;

const write = (line: string) => void process.stdout.write(line);
const log = jsonLog(write);

try {
  const settings = readContainerSettings(process.env);
  const container = await startContainer(settings, { log, write, clock: timeOfDay, monotonic: processClock });
  let stoppingSince: number | undefined;
  const stop = () => {
    if (stoppingSince !== undefined) {
      if (processClock.now() - stoppingSince > IMPATIENT_MS) process.exit(1);
      return;
    }
    stoppingSince = processClock.now();
    void container.stop(settings.drainMs).then(
      () => process.exit(0),
      (error: unknown) => {
        log({ level: 'error', message: 'the gateway did not stop in order', cause: describeError(error) });
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  log({ level: 'info', message: 'serving agents', port: container.port, health_port: container.healthPort });
} catch (error) {
  // Settings are the user's. Any other error is a fault of this code, and keeps its stack.
  process.stderr.write(`${error instanceof InvalidSettings ? error.message : describeError(error)}\n`);
  process.exit(1);
}
