import type { GivenRole } from '../../shared/auth/roles.ts';

/** The effect of each role that a key or a user can have. */
export const roleMeanings: Readonly<Record<GivenRole, string>> = {
  Viewer: 'Reads everything in the inventory.',
  Editor: 'Reads, adds, changes and removes nodes, services and agents.',
  Admin: 'Full access, including API keys and users.',
  Relay: 'Reports for hosts, and nothing else.',
  Gateway: 'Reports for hosts, and reads nodes, services, agents and changes.',
};
