import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal, by stderr. A secret is not shown while it is typed. */
export async function ask(signal: AbortSignal, question: string, isSecret = false): Promise<string> {
  const silent = new Writable({ write: (_, __, done) => done() });
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: isSecret ? silent : process.stderr, terminal: true });
  try {
    // In this mode the terminal sends no signal.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    return await lines.question('', { signal });
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
