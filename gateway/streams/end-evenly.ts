import { type MonotonicClock, pause } from '../../shared/core/monotonic-clock.ts';

interface EndingSession<Code> {
  end: (code: Code, reason: string) => void;
}

/** Ends sessions, evenly over some milliseconds. Agents return at once, to another gateway if this one accepts none. */
export async function endEvenly<Code>(
  monotonic: MonotonicClock,
  sessions: readonly EndingSession<Code>[],
  milliseconds: number,
  ...reason: [code: Code, text: string]
): Promise<void> {
  const beginsAt = monotonic.now();
  for (const [index, session] of sessions.entries()) {
    const waitMs = beginsAt + (index * milliseconds) / sessions.length - monotonic.now();
    if (waitMs > 1) await pause({ monotonic }, waitMs);
    session.end(...reason);
  }
}
