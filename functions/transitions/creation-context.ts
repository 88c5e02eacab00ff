/** What an add brings to the object that it makes. */
export interface Making {
  newId: () => string;
  /** When the request is made: one time for all that it writes. */
  now: Date;
}
