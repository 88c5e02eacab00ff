import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { User } from './use-users.tsx';

const states = {
  invited: { type: 'pending', text: 'Invited' },
  active: { type: 'success', text: 'Active' },
  disabled: { type: 'stopped', text: 'Disabled' },
} as const;

export const stateText = ({ state }: User): string => states[state].text;

export function UserState({ user: { state } }: { user: User }) {
  const { type, text } = states[state];
  return <StatusIndicator type={type}>{text}</StatusIndicator>;
}
