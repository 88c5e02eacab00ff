import { createServer } from 'node:net';
import { freePort } from '../../tests/support/free-port.ts';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { StartFailure } from '../process/failure.ts';
import { engineAt } from './external-engine.ts';

test('an engine that begins to answer within 30 s is used', async () => {
  const monotonic = manualClock();
  const port = await freePort();
  const engine = engineAt(`http://127.0.0.1:${port}`, { monotonic });
  await monotonic.untilWaiting(100);
  monotonic.advance(29_000);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    expect((await monotonic.passUntil(engine)).embedded).toBeUndefined();
  } finally {
    server.close();
  }
});

test('an engine that does not answer for 30 s fails the start with a remedy', async () => {
  const monotonic = manualClock();
  const started = engineAt(`http://127.0.0.1:${await freePort()}`, { monotonic });
  await monotonic.untilWaiting(100);
  monotonic.advance(30_001);
  await expect(started).rejects.toThrow(StartFailure);
  await expect(started).rejects.toThrow('Nothing answers at DYNAMODB_ENDPOINT');
});
