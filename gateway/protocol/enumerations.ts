import type { AgentStatus, AgentType } from '../../functions/domain/agent/types.ts';

/** The status of a program that could not be started, or that ended within its first second. */
export const INITIALIZATION_ERROR = 7;

/** The statuses of agents by their number in messages. */
const statuses: ReadonlyMap<number, AgentStatus> = new Map([
  [1, 'starting'],
  [2, 'running'],
  [3, 'waiting'],
  [4, 'stopping'],
  [5, 'done'],
  [6, 'unknown'],
  [INITIALIZATION_ERROR, 'waiting'],
]);

/** @returns undefined for a number that this version does not know. */
export const statusOf = (number: number): AgentStatus | undefined => statuses.get(number);

/** The numbers of the types of agents that run as processes of their own. */
export const processTypes = {
  node_exporter: 2,
  mysqld_exporter: 3,
  mongodb_exporter: 4,
  postgres_exporter: 5,
  proxysql_exporter: 6,
  valkey_exporter: 17,
} as const satisfies Partial<Record<AgentType, number>>;

export type ProcessType = keyof typeof processTypes;

/** The codes of gRPC that the gateway ends streams with. */
export const codes = {
  ok: 0,
  notAllowed: 7,
  alreadyConnected: 6,
  tooMuch: 8,
  replaced: 10,
  unimplemented: 12,
  tryLater: 14,
  unauthenticated: 16,
} as const;

export type Code = (typeof codes)[keyof typeof codes];
