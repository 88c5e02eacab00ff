export interface Engine {
  /** Base URL for the DynamoDB client, without a slash at the end. */
  readonly endpoint: string;
  /** Whether the data is in our data folder, so that nobody but this service has a reason to write it. */
  readonly isOurs: boolean;
  /** Process id; absent when the engine is not ours. */
  readonly pid?: number;
  /** Resolves when the engine ends without having been stopped; never for an engine that is not ours. */
  readonly exited: Promise<void>;
  /** Stops the engine and gives the data folder free. May be called again. */
  stop(): Promise<void>;
}
