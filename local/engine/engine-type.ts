export interface Engine {
  /** Base URL for the DynamoDB client, without a final slash. */
  readonly endpoint: string;
  /** Whether the data is in our data folder, so that no other program should write it. */
  readonly isOurs: boolean;
  /** Process id; undefined for an external engine. */
  readonly pid?: number;
  /** Resolves when the engine ends without `stop`; never for an external engine. */
  readonly exited: Promise<void>;
  /** Stops the engine and releases the data folder. May be called repeatedly. */
  stop(): Promise<void>;
}
