import type { ApiEvent } from '../../../shared/http/api-request.ts';
import type { ApiError } from '../../../shared/core/errors.ts';
import type { Generation } from '../declarations/enums.ts';
import type { Fields } from './input.ts';

export interface Refusal {
  event: ApiEvent;
  error: ApiError;
  generation: Generation;
  input: Fields;
  /** What was thrown, of which `error` was made. */
  thrown: unknown;
}

/** How a function finds its calls, and writes its replies. */
export interface Form {
  /** The path by which the call is found. */
  pathOf: (path: string) => string;
  textOf: (message: unknown) => string;
  /** The status and the message of a refused call. */
  refusalOf: (refusal: Refusal) => { http: number; message: object };
}
