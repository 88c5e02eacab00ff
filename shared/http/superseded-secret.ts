import { ApiError } from '../core/errors.ts';

/** A superseded secret tried to change credentials. It may be stolen, so the audit counts this refusal separately. */
export class SupersededSecret extends ApiError {
  constructor() {
    super(
      'permissionDenied',
      'Access denied: this secret of the API key was superseded. Use the newest secret, or let an Admin rotate the key.',
    );
    this.name = 'SupersededSecret';
  }
}
