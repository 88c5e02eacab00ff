/** Capabilities of agents that the service acts on, as bits of a message. */
export const agentCapabilities = {
  /** It takes new connection settings with credentials. An offer without a certificate turns off its verification. */
  acceptsConnectionSettings: 0x100n,
  /** It sends heartbeats, at an interval that the server may state. */
  reportsHeartbeat: 0x2000n,
} as const;

/** The service accepts statuses (0x1) and offers an interval (0x20). It offers no configuration and no packages. */
export const SERVER_CAPABILITIES = 0x21n;

/** Flags of a reply. */
export const REPORT_FULL_STATE = 1n;

/** Flag of a message: the agent wants another instance uid. */
export const REQUEST_INSTANCE_UID = 1n;

export const errorTypes = { badRequest: 1, unavailable: 2 } as const;

/**
 * The custom capability of agents that take the digest of the targets of their host, as a custom message of the type
 * `targets_hash`.
 */
export const TARGETS_CAPABILITY = 'monitoring-inventory.targets';
