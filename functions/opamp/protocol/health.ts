import type { AgentToServer } from './messages.ts';
import { displayable } from './displayable.ts';

const MAX_REASON = 256;

/** The status texts of a collector that ends. */
const ENDS = /^Status(Stopping|Stopped)$/;

interface Health {
  status: 'running' | 'waiting';
  reason: string | undefined;
  /** The agent has said that it ends. */
  isEnd: boolean;
}

const waiting = (reason: string | undefined, isEnd = false): Health => ({ status: 'waiting', reason, isEnd });

/**
 * The status of an agent by its message; undefined for one that says nothing of it.
 *
 * @param isOwnEnd whether the agent itself, not a gateway, reports the end of its connection.
 */
export function statusIn(
  { health, agentDescription }: Pick<AgentToServer, 'health' | 'agentDescription'>,
  isOwnEnd = false,
): Health | undefined {
  if (health?.healthy === true && !isOwnEnd) return { status: 'running', reason: undefined, isEnd: false };
  const error = displayable(health?.lastError ?? '', MAX_REASON);
  if (isOwnEnd) return waiting(error ?? 'It was stopped.', true);
  if (health === undefined) return undefined;
  const words = displayable(health.status, MAX_REASON);
  if (error !== undefined) return waiting(error);
  if (ENDS.test(words ?? '')) return waiting('It was stopped.', true);
  // A collector that polls sends no agent_disconnect: its last message is that it is not healthy, without a word. Its first
  // one, with its description, is the same, before it is ready.
  const isEnd = words === undefined && agentDescription === undefined;
  return waiting(isEnd ? 'It was stopped, or is not ready.' : words, isEnd);
}
