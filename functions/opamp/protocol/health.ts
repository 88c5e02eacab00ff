import type { AgentToServer } from './messages.ts';
import { displayable } from './displayable.ts';

const MAX_REASON = 256;

/** The status of an agent that reports its health; undefined for a message without health. */
export function statusIn({
  health,
}: Pick<AgentToServer, 'health'>): { status: 'running' | 'waiting'; reason: string | undefined } | undefined {
  if (health === undefined) return undefined;
  if (health.healthy) return { status: 'running', reason: undefined };
  const { lastError, status } = health;
  return { status: 'waiting', reason: displayable(lastError, MAX_REASON) ?? displayable(status, MAX_REASON) };
}
