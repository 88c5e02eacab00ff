/** What an add brings to the object that it makes. */
export interface CreationContext {
  newId: () => string;
  /** When the request is made: one time for all that it writes. */
  now: Date;
}
