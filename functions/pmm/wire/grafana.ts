import { ApiError, type ErrorKind } from '../../../shared/core/errors.ts';
import type { Form } from './wire-codec.ts';

/** An error by whose id programs tell what to do. */
export class GrafanaError extends ApiError {
  readonly messageId: string;

  /** @param messageId of Grafana: `serviceaccounts.ErrAlreadyExists`. */
  constructor(kind: ErrorKind, message: string, messageId: string) {
    super(kind, message);
    this.messageId = messageId;
  }
}

/** The form of Grafana's API: JSON without blanks, in which scripts look for `"id":` and `"key":`. */
export const grafana: Form = {
  // Grafana serves a path with and without a slash at its end.
  pathOf: (path) => path.replace(/\/$/, ''),
  textOf: (message) => JSON.stringify(message),
  refusalOf: (error) => {
    const { message, httpStatus: http } = error;
    const id = error instanceof GrafanaError ? { messageId: error.messageId, statusCode: http } : {};
    return { http, message: { message, ...id } };
  },
};
