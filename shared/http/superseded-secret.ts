import { ApiError } from './errors.ts';

/** A secret that has a successor tried to rotate its key. It may be stolen, so that the audit counts it apart. */
export class SupersededSecret extends ApiError {
  constructor() {
    super(
      'permissionDenied',
      'Access denied: this secret of the API key was superseded. Use the newest secret, or let an Admin rotate the key.',
    );
    this.name = 'SupersededSecret';
  }
}
