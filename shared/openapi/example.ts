/** One successful call of an endpoint: its request and its reply. */
export interface Example {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly reply?: unknown;
  /** The status of the reply; default: the first one of the contract. */
  readonly status?: number;
}
