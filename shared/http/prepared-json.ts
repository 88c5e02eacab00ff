/**
 * A reply body that is JSON already: of objects that the table contains as JSON, or that this request wrote. They were
 * validated when they were written, so they are not parsed, validated or copied again.
 */
export class PreparedJson {
  readonly text: string;
  /** For the ETag of one object. */
  readonly revision: number | undefined;

  constructor(text: string, revision?: number) {
    this.text = text;
    this.revision = revision;
  }
}
