interface EndingSession<Code> {
  end: (code: Code, reason: string) => void;
}

/** Ends sessions, evenly over some milliseconds. Agents return at once, to another gateway if this one accepts none. */
export async function endEvenly<Code>(
  sessions: readonly EndingSession<Code>[],
  milliseconds: number,
  ...reason: [code: Code, text: string]
): Promise<void> {
  const beginsAt = performance.now();
  for (const [index, session] of sessions.entries()) {
    const waitMs = beginsAt + (index * milliseconds) / sessions.length - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    session.end(...reason);
  }
}
