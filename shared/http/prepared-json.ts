/**
 * A reply body that is JSON already: of objects that the table contains as JSON. They were validated when they were
 * written, so they are not parsed, validated or copied again.
 */
export class PreparedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
