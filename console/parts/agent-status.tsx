import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import { type Agent, fieldOf, textOf } from '../inventory/kinds.tsx';

const looks: Readonly<Record<string, StatusIndicatorProps.Type>> = {
  running: 'success',
  starting: 'in-progress',
  stopping: 'in-progress',
  waiting: 'warning',
  done: 'stopped',
  unknown: 'pending',
};

/** What is known of an agent's state: its own, or for an agent process whether it is connected. */
export function AgentStatus({ agent }: { agent: Agent }) {
  const connected = fieldOf(agent, 'connected');
  if (typeof connected === 'boolean')
    return (
      <StatusIndicator type={connected ? 'success' : 'stopped'}>
        {connected ? 'Connected' : 'Not connected'}
      </StatusIndicator>
    );
  const status = textOf(agent, 'status') ?? 'unknown';
  return (
    <StatusIndicator type={looks[status] ?? 'pending'}>
      {agent.disabled ? `Disabled, ${status}` : status.charAt(0).toUpperCase() + status.slice(1)}
    </StatusIndicator>
  );
}
