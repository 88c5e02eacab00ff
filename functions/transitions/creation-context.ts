/** The values that a new object needs besides its fields. */
export interface CreationContext {
  newId: () => string;
  /** The time of the request: one time for everything that it writes. */
  now: Date;
}
